#pragma once
/// How far apart two results are: as a condition in the language, and on numbers.
///
/// Results compare as values: any NaN equals any NaN, -0 equals +0 (unless signed zeros are asked
/// for), infinities of one sign are equal. A NaN differs from every number by more than any bound.
///
/// A distance in ulp is a number of steps on the first one's number line: its numbers, and beyond
/// the largest of them further ones, each an ulp of the largest one's binade apart. A result of
/// another format counts as the nearest of these, ties to even. So 448 and 3e9 are
/// (3e9 - 448) / 32 ulp of e4m3 apart, though e4m3 has no number beyond 448. Of two results of one
/// format an infinity is the number after the largest; of two formats an infinity is farther from
/// every number, and from the other infinity, than any bound. An ulp of an integer is 1.

#include <optional>
#include <string>

#include "spec/formats/format.h"
#include "spec/formats/text.h"
#include "spec/lang/int.h"

namespace mmaspec {

/// A number's place among the format's numbers: 0 for both zeros, one more for each next larger
/// number, infinity after the largest; of an integer format the integer. Means nothing
/// for NaNs.
Int ordinal(const Format& format, Int pattern);
Integer ordinal(const Format& format, const Integer& pattern);

/// The conditions under which two results differ; all that are given must hold.
struct Difference {
  std::optional<Integer> ulp;        ///< more than so many steps from one to the other, see above
  std::optional<Rational> absolute;  ///< |d - d_other| > absolute
  std::optional<Rational> relative;  ///< |d - d_other| > relative * |d|
  bool signed_zero = false;          ///< zeros of opposite signs differ, whatever the bounds
};

/// True where the results differ so. Throws std::invalid_argument for a bound of more digits than
/// can be compared exactly.
Bool differ(const Difference& difference, const Format& first, Int d_first, const Format& second,
            Int d_second);

/// The same on numbers, in exact rational arithmetic: what confirms a witness.
bool differ(const Difference& difference, const Format& first, const Integer& d_first,
            const Format& second, const Integer& d_second);

/// The steps from one to the other, see above; nullopt where they are farther apart than any bound
/// (one is NaN, or of two formats one is infinite and the other is not the same infinity).
std::optional<Integer> ulp_distance(const Format& first, const Integer& d_first,
                                    const Format& second, const Integer& d_second);

}  // namespace mmaspec
