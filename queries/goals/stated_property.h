#pragma once
/// A property's cases as conditions on a graph: the property holds if no input satisfies all
/// conditions of a case.

#include <vector>

#include "queries/property/property.h"
#include "queries/statement/condition.h"

namespace mmaspec {

/// One instruction, or two with equal K and formats, chained if needed. Throws
/// std::invalid_argument.
Subject subject_of(const Instruction& first, const std::optional<Instruction>& second);

/// One case of a property, in the graph that was current when it was built.
struct StatedCase {
  Statement statement;
  std::vector<NodeId> premises;    ///< the class of inputs, the condition, and the assumptions
  std::vector<NodeId> where;       ///< those of the premises that are the user's condition, on one
                                   ///< evaluation or on both
  std::vector<NodeId> conditions;  ///< the premises, and the violation
};
StatedCase state_case(const Property& property, const Subject& subject, const Condition& where,
                      int which);

/// Number of evaluations to which the user's condition applies.
std::size_t runs_under_condition(const Property& property, const Statement& statement);

}  // namespace mmaspec
