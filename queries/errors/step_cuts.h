#pragma once
/// What single steps cut off their terms before they round: what error analyses are made of.

#include <optional>

#include "queries/errors/error_analysis.h"

namespace mmaspec {

// In what follows l is the exponent of the largest term, at least d's least exponent, and an ulp is
// 2^(l - p), p the fraction bits of d. All errors are in such ulp. For ErrorOf::counted l is the
// largest exponent that a product counts, its factors' exponents together, if that is larger: it is
// so where leading zeros of subnormal factors make the product smaller than its exponent says.

/// A rounding that the analysis knows: to nearest even or toward zero, overflowing to infinity (of
/// which nothing is said).
struct KnownRounding {
  int kept;  ///< fraction bits
  bool to_nearest;
  bool flushes;  ///< subnormal results become zeros
};

std::optional<KnownRounding> known_rounding(const ResultFormat& result);

/// What alignment cuts off all terms of a step together, and how its result is rounded then.
struct StepCuts {
  Rational cuts;  ///< ulp
  KnownRounding rounding;
};

/// nullopt: the step has a parameter of which this is not known.
std::optional<StepCuts> cuts_of_fused_sum(const DotFormats& f, const FusedDotAdd& design, int count,
                                          ErrorOf of);
std::optional<StepCuts> cuts_of_group_sum(const DotFormats& f, const GroupDotFusedSum& design);
/// What is cut may make a result larger, too.
std::optional<StepCuts> cuts_of_round_down_sum(const DotFormats& f, const RoundDownDotAdd& design,
                                               ErrorOf of);

}  // namespace mmaspec
