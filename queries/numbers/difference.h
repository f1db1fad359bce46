#pragma once
/// The distance between two results, as a condition in the language. queries/values/distance.h has
/// it on numbers.
///
/// Results compare as values: any NaN equals any NaN, -0 equals +0 (unless signed zeros are
/// requested), infinities of the same sign are equal. The distance of a NaN from every number
/// exceeds every bound.
///
/// A distance in ulp is a number of steps on the number line of the first result's format: its
/// numbers, continued beyond the largest one in steps of the ulp of the largest one's binade. A
/// result of another format counts as the nearest of these, ties to even. So 448 and 3e9 are (3e9 -
/// 448) / 32 ulp of e4m3 apart, though e4m3 does not have a number beyond 448. For two results of
/// the same format, infinity is the number after the largest. For two formats, the distance of an
/// infinity from every number, and from the other infinity, exceeds every bound. An ulp of an
/// integer is 1.

#include <optional>
#include <string>

#include "spec/formats/format.h"
#include "spec/formats/text.h"
#include "spec/lang/int.h"

namespace mmaspec {

/// The index of a number among the format's numbers in ascending order: 0 for both zeros, one more
/// for each next larger number, infinity after the largest. For an integer format it is the
/// integer. Not defined for NaNs.
Int ordinal(const Format& format, Int pattern);

/// The ordinal of the largest number at most x >= 0. For x beyond the largest finite number, it may
/// be the next one. Not for integer formats.
Integer ordinal_at_most(const Format& format, const Rational& x);

/// A format that holds the numbers of both. f16 and bf16 do not contain each other, but f32
/// contains all formats except f64 and integers.
const Format& common_format(const Format& x, const Format& y);

/// Throws std::logic_error if one format has integers and the other one has not.
void require_one_kind(const Format& x, const Format& y);

/// The conditions under which two results count as different. All given conditions must hold.
struct Difference {
  std::optional<Integer> ulp;        ///< the distance in ulp exceeds this
  std::optional<Rational> absolute;  ///< |d - d_other| > absolute
  std::optional<Rational> relative;  ///< |d - d_other| > relative * |d|
  bool signed_zero = false;          ///< zeros of opposite signs differ, whatever the bounds
};

/// True if the results differ in this sense. Throws std::invalid_argument for a bound with more
/// digits than can be compared exactly.
Bool differ(const Difference& difference, const Format& first, Int d_first, const Format& second,
            Int d_second);

}  // namespace mmaspec
