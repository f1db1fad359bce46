#pragma once
/// What candidates are called: the plan's name, its parts in words, and which candidates compute
/// the same.

#include <string>

#include "queries/studies/explain/space/candidates.h"

namespace mmaspec::explain {

/// What a plan is made of, in words: two plans are compared part by part.
struct PlanParts {
  std::string instruction;
  std::string operands;  ///< how they are converted
  std::string products;  ///< the order in which the unit gets them
  std::string sums;      ///< see sum_tree()
  std::string result;    ///< its format, and where C joins
};

/// Whether the K of instruction `number` of the unit's names divides all that the plan cuts.
bool takes(const Space& space, const Candidate& candidate, std::size_t number);
/// The plan, around instruction `number` of the unit's names.
std::string plan_name(const Space& space, const Candidate& candidate, std::size_t number);
/// The tree in which the sums of consecutive products are added: `((0..16+16..32)+32..48)`, where
/// 0..16 is the unit's chain over the first 16 products in the order in which it gets them.
std::string sum_tree(const Space& space, const Candidate& candidate);
/// The plan's parts, of that instruction.
PlanParts plan_parts(const Space& space, const Candidate& candidate, std::size_t number);
/// Equal for candidates, of any space, that compute the same for all inputs.
std::string class_key(const Space& space, const Candidate& candidate);
/// Less for simpler plans.
int complexity(const Space& space, const Candidate& candidate);

}  // namespace mmaspec::explain
