#pragma once
/// What Ozaki's schemes have in common: a row of numbers as integers of one exponent, and integers
/// as a unit takes and returns them.

#include <vector>

#include "spec/formats/format.h"
#include "spec/lang/int.h"

namespace mmaspec {

/// Numbers as integers: (-1)^signs[k] * magnitudes[k] * 2^(exponent - kept), cut toward zero.
struct IntegerRow {
  std::vector<Bool> signs;
  std::vector<Int> magnitudes;  ///< each less than 2^kept
  Int exponent;                 ///< all numbers are less than 2^exponent
  Bool is_finite;               ///< no number is an infinity or a NaN; else the rest means nothing
};

/// All `patterns`, of `format`, brought to the exponent of the largest and cut to `kept` bits.
IntegerRow integer_row(const Format& format, const std::vector<Int>& patterns, int kept);

/// The pattern of the integer in a unit's operand format, of integers or of floating-point numbers;
/// the format must hold it.
Int operand_of_integer(const Format& format, Bool sign, Int magnitude);

/// What a unit returned: (-1)^sign * magnitude * 2^exponent.
struct UnitSum {
  Bool sign;
  Int magnitude;
  Int exponent;
  Bool is_finite;  ///< else the rest means nothing
};
UnitSum sum_of_unit(const Format& format, Int pattern);

/// Whether a unit's format of operands holds all integers from -`magnitude` to `magnitude`.
bool holds_integers_up_to(const Format& format, const Integer& magnitude);

/// The most integers that may be added in the format of a unit's sums without an error: all from
/// -most to most are its numbers.
Integer most_of_sums(const Format& format);

/// `k` products of factors up to `largest` each are at most this.
Integer most_of_products(int k, const Integer& largest);

}  // namespace mmaspec
