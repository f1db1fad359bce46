#pragma once
/// Names of candidates: the plan's name, its parts in words, and a key that is equal for equal
/// plans.

#include <string>

#include "queries/studies/explain/space/candidates.h"

namespace mmaspec::explain {

/// The parts of a plan in words, for comparing two plans part by part.
struct PlanParts {
  std::string instruction;
  std::string operands;  ///< how operands are converted
  std::string products;  ///< the order in which the unit gets products
  std::string sums;      ///< see sum_tree()
  std::string result;    ///< its format, and where C is added
};

/// Whether the K of instruction `number` of the unit's names divides all parts of the plan.
bool takes(const Space& space, const Candidate& candidate, std::size_t number);
/// The plan, around instruction `number` of the unit's names.
std::string plan_name(const Space& space, const Candidate& candidate, std::size_t number);
/// The tree of additions of the sums of consecutive products: `((0..16+16..32)+32..48)`, where
/// 0..16 is the unit's chain over the first 16 products in the order in which it gets them.
std::string sum_tree(const Space& space, const Candidate& candidate);
/// The plan's parts, with that instruction.
PlanParts plan_parts(const Space& space, const Candidate& candidate, std::size_t number);
/// Equal for candidates of any spaces that compute the same for all inputs.
std::string class_key(const Space& space, const Candidate& candidate);
/// Smaller for simpler plans.
int complexity(const Space& space, const Candidate& candidate);

}  // namespace mmaspec::explain
