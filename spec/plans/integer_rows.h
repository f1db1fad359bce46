#pragma once
/// Helpers of Ozaki's schemes: a row of numbers as integers with a common exponent, and conversions
/// of integers to and from a unit's operands and results.

#include <vector>

#include "spec/formats/format.h"
#include "spec/lang/int.h"

namespace mmaspec {

/// Numbers as integers: (-1)^signs[k] * magnitudes[k] * 2^(exponent - kept), cut toward zero.
struct IntegerRow {
  std::vector<Bool> signs;
  std::vector<Int> magnitudes;  ///< each less than 2^kept
  Int exponent;                 ///< upper bound: all numbers are less than 2^exponent
  Bool is_finite;               ///< all numbers are finite; otherwise the other members are
                                ///< arbitrary
};

/// All `patterns` of `format`, aligned to the exponent of the largest and cut to `kept` bits.
IntegerRow integer_row(const Format& format, const std::vector<Int>& patterns, int kept);

/// The pattern of the integer in a unit's operand format, integer or floating-point; the format
/// must hold it.
Int operand_of_integer(const Format& format, Bool sign, Int magnitude);

/// A unit's result: (-1)^sign * magnitude * 2^exponent.
struct UnitSum {
  Bool sign;
  Int magnitude;
  Int exponent;
  Bool is_finite;  ///< otherwise the other members are arbitrary
};
UnitSum sum_of_unit(const Format& format, Int pattern);

/// True if a unit's operand format holds all integers from -`magnitude` to `magnitude`.
bool holds_integers_up_to(const Format& format, const Integer& magnitude);

/// The largest integer `most` such that the format of a unit's sums holds all integers from -most
/// to most: such sums are exact.
Integer most_of_sums(const Format& format);

/// `k` products of factors up to `largest` each are at most this.
Integer most_of_products(int k, const Integer& largest);

}  // namespace mmaspec
