#pragma once
/// What single steps cut from their terms before they round. Error analyses combine these.

#include <optional>

#include "queries/errors/error_analysis.h"

namespace mmaspec {

// In this file l is the exponent of the largest term, at least d's least exponent, and an ulp is
// 2^(l - p), where p is the number of fraction bits of d. All errors are in such ulp. For
// ErrorOf::counted, l is the largest exponent that a product counts as, the sum of its factors'
// exponents, if that is larger. It is larger if leading zeros of subnormal factors make the product
// smaller than its exponent indicates.

/// A rounding that the analysis covers: to nearest even or toward zero, with overflow to infinity
/// (infinite results have no bound).
struct KnownRounding {
  int kept;  ///< fraction bits
  bool to_nearest;
  bool flushes;  ///< subnormal results become zero
};

std::optional<KnownRounding> known_rounding(const ResultFormat& result);

/// The sum of what alignment cuts from all terms of a step, and how the step's result is rounded.
struct StepCuts {
  Rational cuts;  ///< in ulp
  KnownRounding rounding;
};

/// nullopt: the analysis does not cover one of the step's parameters.
std::optional<StepCuts> cuts_of_fused_sum(const DotFormats& f, const FusedDotAdd& design, int count,
                                          ErrorOf of);
std::optional<StepCuts> cuts_of_group_sum(const DotFormats& f, const GroupDotFusedSum& design);
/// Here a cut may also increase the result.
std::optional<StepCuts> cuts_of_round_down_sum(const DotFormats& f, const RoundDownDotAdd& design,
                                               ErrorOf of);

}  // namespace mmaspec
