#pragma once
/// Whole dot products of kernels by their names: schemes (spec/plans/) around instructions.

#include <optional>

#include "spec/catalog/instruction.h"
#include "spec/catalog/open_design.h"

namespace mmaspec {

/// `<scheme>(<inner>,key=value,...)`: the inner one is what find_instruction() takes, or another
/// plan without `plan:` before it. `k` is the plan's number of products (the inner one's by
/// default). Where the scheme runs more products than that, a design of the type Padded has +0 * +0
/// for the others, which follow. The other keys are the scheme's parameters. Throws
/// std::invalid_argument with one line that says what is wrong.
Instruction find_plan(std::string_view text);

/// The inner instruction or plan of `<scheme>(<inner>,key=value,...)`. Throws
/// std::invalid_argument.
Instruction inner_of_plan(std::string_view text);

/// The names of all schemes.
std::vector<std::string> plan_schemes();

/// What `plan:` accepts for a scheme in addition to its inner one; nullopt for another name.
std::optional<OpenAlgorithmHelp> scheme_help(const std::string& name);

}  // namespace mmaspec
