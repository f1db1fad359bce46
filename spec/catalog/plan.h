#pragma once
/// Whole dot products of kernels by their names: schemes (spec/plans/) around instructions.

#include "spec/catalog/instruction.h"
#include "spec/parts/parameter_visitor.h"

namespace mmaspec {

/// `<scheme>(<inner>,key=value,...)`: the inner one is what find_instruction() takes, or another
/// plan without `plan:` before it. `k` is the plan's number of products (the inner one's by
/// default); the other keys are the scheme's parameters. Throws std::invalid_argument with one line
/// that says what is wrong.
Instruction find_plan(std::string_view text);

/// What `plan:` takes for one scheme.
struct PlanHelp {
  std::string name;
  std::string reference;  ///< where the literature defines it
  std::vector<ParameterHelp> parameters;
};
/// All schemes, in the order in which they are explained.
std::vector<PlanHelp> plan_help();

}  // namespace mmaspec
