#pragma once
/// How far a text's results lie from exact ones, derived from the text.

#include <optional>

#include "queries/relations/relations.h"
#include "spec/formats/text.h"
#include "spec/parts/dot_add.h"

namespace mmaspec {

struct DerivedError {
  Rational in_ulp;     ///< of the largest term, as error_by_analysis() has it
  std::size_t lemmas;  ///< asked of solvers
};

/// |d - exact| is at most so much where the run's premises hold. The run's graph has the operands
/// that dot_inputs() names; `first` is d, and there is no second. nullopt: it was not derived.
///
/// Texts go from pattern to pattern. Each pattern rounds a sum, which marks name (MarkRole::sum),
/// and whose terms are products, c and earlier patterns: what alignment cuts and what rounding
/// loses is proved by lemmas of few nodes, and adds up by rational arithmetic. Marks decide what is
/// asked, never what is believed. After Blanchard et al., SIAM J. Sci. Comput. 42(3), 2020,
/// section 3.
std::optional<DerivedError> derive_error(const Claimed& run, const DotFormats& formats,
                                         const Portfolio& solvers, const Deadline& deadline,
                                         std::vector<AttemptReport>& attempts);

}  // namespace mmaspec
