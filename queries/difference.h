#pragma once
/// How far apart two results are: as a condition in the language, and on numbers.
///
/// Results compare as values: any NaN equals any NaN, -0 equals +0 (unless signed zeros are asked
/// for), infinity is the number after the largest. A NaN differs from every number by more than any
/// bound.

#include <optional>
#include <string>

#include "spec/formats/format.h"
#include "spec/formats/text.h"
#include "spec/lang/int.h"

namespace mmaspec {

/// A number's place among the format's numbers: 0 for both zeros, one more for each next larger
/// number, infinity after the largest. Means nothing for NaNs.
Int place(const Format& format, Int pattern);
Integer place(const Format& format, const Integer& pattern);

/// The conditions under which two results differ; all that are given must hold.
struct Difference {
  /// More than this many representable numbers of the first one's result format from one to the
  /// other; a result in another format is rounded into it, to nearest even, first.
  std::optional<Integer> ulp;
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

/// Representable numbers from one to the other (see Difference::ulp); nullopt if one is NaN and the
/// other is not; 0 for two NaNs.
std::optional<Integer> ulp_distance(const Format& first, const Integer& d_first,
                                    const Format& second, const Integer& d_second);

}  // namespace mmaspec
