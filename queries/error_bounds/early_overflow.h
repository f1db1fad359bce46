#pragma once
/// Derives from a term graph that it overflows only if the exact result does.

#include <optional>
#include <string>

#include "queries/relations/relations.h"
#include "spec/parts/dot_add.h"

namespace mmaspec {

/// A reason, in a clause, why d is infinite only if the exact result rounded to nearest is
/// infinite, for all inputs that satisfy the execution's premises, which must include that all
/// operands are finite. The graph has the operands that dot_inputs() names; `first` is d. nullopt:
/// it was not derived.
///
/// d is computed from a sum of c and all products. If d is infinite, the sum reaches the limit of
/// d's format. No term becomes larger by alignment, so each number is at least the limit minus all
/// others. Numbers of that size are not cut, so the sum is the exact result.
std::optional<std::string> derive_no_early_overflow(const DerivationGoal& run,
                                                    const DotFormats& formats,
                                                    const Portfolio& solvers,
                                                    const Deadline& deadline,
                                                    std::vector<AttemptReport>& attempts);

}  // namespace mmaspec
