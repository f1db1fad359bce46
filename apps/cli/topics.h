#pragma once
/// Help topics that several commands share: preconditions, designs, plans.

#include <string>
#include <vector>

#include "spec/catalog/open_design.h"

namespace mmaspec::cli {

/// Their names: where, design, plan.
const std::vector<std::string>& topics();
/// The text of one. Throws std::invalid_argument for an unknown name.
std::string topic(const std::string& name);

/// Keys, values, defaults and meanings of the parameters of `design:` or `plan:`; {} in `usage` is
/// replaced by the name.
std::string parameters_text(const OpenAlgorithmHelp& help, const std::string& usage);

constexpr std::size_t kHelpColumns = 96;

/// `start` and the words of `text`, in lines of at most kHelpColumns columns; all but the first
/// line begin with `indent` spaces. Ends with a line's end. A word that is longer than a line stays
/// whole.
std::string wrapped(const std::string& start, const std::string& text, std::size_t indent);

/// A command line of an example; where it is too long, lines that end with a backslash. It breaks
/// at spaces outside of quotes.
std::string wrapped_command(const std::string& command, std::size_t indent);

}  // namespace mmaspec::cli
