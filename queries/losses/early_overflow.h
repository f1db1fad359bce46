#pragma once
/// That a text overflows only where the exact result does, derived from the text.

#include <optional>
#include <string>

#include "queries/relations/relations.h"
#include "spec/parts/dot_add.h"

namespace mmaspec {

/// Where the run's premises hold, among them that all operands are finite, d is infinite only if
/// the exact result rounds to infinity to nearest: why, in a clause. The run's graph has the
/// operands that dot_inputs() names; `first` is d. nullopt: it was not derived.
///
/// d is made of a sum of c and all products. Where it is infinite, the sum reaches the limit of d's
/// format; no term became larger when it was aligned, so each number is at least what all others
/// leave to the limit, and numbers so large are not cut: the sum is the exact result.
std::optional<std::string> derive_no_early_overflow(const Claimed& run, const DotFormats& formats,
                                                    const Portfolio& solvers,
                                                    const Deadline& deadline,
                                                    std::vector<AttemptReport>& attempts);

}  // namespace mmaspec
