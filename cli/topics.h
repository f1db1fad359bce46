#pragma once
/// Help on what several commands share: conditions, open designs, plans.

#include <string>
#include <vector>

#include "spec/catalog/open_design.h"

namespace mmaspec::cli {

/// Their names: where, design, plan.
const std::vector<std::string>& topics();
/// The text of one. Throws std::invalid_argument for an unknown name.
std::string topic(const std::string& name);

/// Keys, values, defaults and meanings of what `design:` or `plan:` takes; `usage` has {} for the
/// name.
std::string parameters_text(const OpenAlgorithmHelp& help, const std::string& usage);

}  // namespace mmaspec::cli
