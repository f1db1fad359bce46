#pragma once
/// Derives an error bound of a term graph's results.

#include <optional>

#include "queries/relations/relations.h"
#include "spec/formats/text.h"
#include "spec/parts/dot_add.h"

namespace mmaspec {

struct DerivedError {
  Rational in_ulp;     ///< of the largest term, as in error_by_analysis()
  std::size_t lemmas;  ///< number of lemmas that solvers were asked
};

/// An upper bound of |d - exact| for all inputs that satisfy the execution's premises. The graph
/// has the operands that dot_inputs() names; `first` is d, and `second` is not used. nullopt: it
/// was not derived.
///
/// A term graph computes a sequence of patterns. Each pattern is a rounded sum, which marks name
/// (MarkRole::sum), of products, c and earlier patterns. Lemmas about few nodes bound what
/// alignment cuts and what rounding loses, and rational arithmetic adds the bounds. Marks determine
/// which lemmas are tried; the proof does not depend on them. After Blanchard et al., SIAM J. Sci.
/// Comput. 42(3), 2020, section 3.
std::optional<DerivedError> derive_error(const DerivationGoal& run, const DotFormats& formats,
                                         const Portfolio& solvers, const Deadline& deadline,
                                         std::vector<AttemptReport>& attempts);

}  // namespace mmaspec
