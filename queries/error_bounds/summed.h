#pragma once
/// Upper bounds of what alignment cuts from the terms of a sum, from lemmas about each term alone.

#include <optional>
#include <vector>

#include "queries/error_bounds/loss_lemmas.h"

namespace mmaspec {

/// The alignment error: what was cut from the terms of a sum.
struct AlignmentError {
  std::vector<std::size_t> terms;  ///< indices in `numbers` of the terms of the sum
  Rational error;                  ///< in the unit of their sizes
  bool only_shrinks;               ///< no term became larger
};

/// A bound of the distance between the sum and the sum of the exact numbers on which it depends;
/// nullopt: no bound was found.
///
/// Lemmas prove that each summand is within one unit of an exact number, or that it is exact if the
/// sum's exponent exceeds that number's by at most some amount. For each member of the maximum that
/// is the sum's exponent, they prove an upper bound of its distance above that number's leading
/// bit. The sum's exponent is one of these members, so the cuts are added up for each of them.
std::optional<AlignmentError> cut_of(const ScaledSum& sum, const ExactNumbers& numbers,
                                     int least_exponent, LossLemmas& lemmas);

}  // namespace mmaspec
