#pragma once
/// Help topics that several commands share: preconditions, designs, plans, theorems.

#include <string>
#include <vector>

#include "spec/catalog/open_design.h"

namespace mmaspec::cli {

/// Their names: where, design, plan, theorems.
const std::vector<std::string>& topics();
/// The text of one. Throws std::invalid_argument for an unknown name.
std::string topic(const std::string& name);

/// Keys, values, defaults and meanings of the parameters of `design:` or `plan:`; {} in `usage` is
/// replaced by the name.
std::string parameters_text(const OpenAlgorithmHelp& help, const std::string& usage);

constexpr std::size_t kHelpColumns = 96;

/// `start` and the words of `text` in lines of at most kHelpColumns columns; all lines except the
/// first are indented by `indent` spaces. Ends with a newline. A word longer than a line is not
/// split.
std::string wrapped(const std::string& start, const std::string& text, std::size_t indent);

/// A command line of an example. If it is too long it is split at spaces outside of quotes, and
/// lines end with a backslash.
std::string wrapped_command(const std::string& command, std::size_t indent);

}  // namespace mmaspec::cli
