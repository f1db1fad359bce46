#pragma once
/// Numbers in a graph whose exponents are expressions, and comparisons of their distances.
///
/// Converted to integers of one unit they would need as many bits as the exponents can differ,
/// which is hundreds. Each comparison therefore shifts only as far as can affect its result.

#include "spec/formats/format.h"
#include "spec/lang/int.h"

namespace mmaspec {

/// significand * 2^(exponent + offset).
struct BinaryRational {
  Int significand;
  Int exponent;
  int offset;
};

/// True if x - y is less than `low` or more than `high`, in units of 2^(x.exponent + x.offset).
/// low: -2 .. 0; high: 0 .. 2.
Bool is_off_by_more(const BinaryRational& x, const BinaryRational& y, int low, int high);

/// |x| > |y|.
Bool is_larger(const BinaryRational& x, const BinaryRational& y);

/// The exponent of y's leading bit, or `least` if |y| is below 2^least.
Int leading_exponent(const BinaryRational& y, int least);

/// True if |x - y| exceeds 2^-places times the larger of 2^least and the largest power of two that
/// is at most |y|. x must be a number of a format with this least exponent; `places` is at most one
/// more than its number of fraction bits. Also true for some x that are so far from y that no
/// rounding of y gives them.
Bool is_rounded_by_more(const BinaryRational& x, const BinaryRational& y, int least, int places);

}  // namespace mmaspec
