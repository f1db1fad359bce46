#pragma once
/// Whole dot products of kernels by name: schemes (spec/plans/) around instructions.

#include <optional>

#include "spec/catalog/instruction.h"
#include "spec/catalog/open_design.h"

namespace mmaspec {

/// `<scheme>(<inner>,key=value,...)`: the inner part is a name for find_instruction(), or another
/// plan without the prefix `plan:`. `k` is the plan's number of products (by default the inner
/// one's). If the scheme runs more products than that, a design of the type Padded has +0 * +0 for
/// the others, at the end. The other keys are the scheme's parameters. Throws std::invalid_argument
/// with a one-line message.
Instruction find_plan(std::string_view text);

/// The inner instruction or plan of `<scheme>(<inner>,key=value,...)`. Throws
/// std::invalid_argument.
Instruction inner_of_plan(std::string_view text);

/// The names of all schemes.
std::vector<std::string> plan_schemes();

/// The parameters of a scheme in `plan:`, in addition to its inner one; nullopt for another name.
std::optional<OpenAlgorithmHelp> scheme_help(const std::string& name);

}  // namespace mmaspec
