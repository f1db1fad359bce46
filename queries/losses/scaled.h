#pragma once
/// Numbers of a graph with exponents that are expressions, and how far they lie apart.
///
/// As integers of one unit they would have as many bits as exponents can differ, hundreds. So each
/// comparison shifts by no more places than can change its result.

#include "spec/formats/format.h"
#include "spec/lang/int.h"

namespace mmaspec {

/// significand * 2^(exponent + offset).
struct Scaled {
  Int significand;
  Int exponent;
  int offset;
};

/// x - y is less than `low` units of x, or more than `high`: units of 2^(x.exponent + x.offset).
/// low: -2 .. 0; high: 0 .. 2.
Bool is_off_by_more(const Scaled& x, const Scaled& y, int low, int high);

/// |x| > |y|.
Bool is_larger(const Scaled& x, const Scaled& y);

/// The exponent of y's leading bit, of `least` where y is below 2^least.
Int leading_exponent(const Scaled& y, int least);

/// |x - y| is more than 2^-places times the largest power of two that neither |y| nor 2^least is
/// below. x: a number of a format with this least exponent; places: one more than its fraction bits
/// at most. True, too, of some x that lie so far from y that no rounding makes them of it.
Bool is_rounded_by_more(const Scaled& x, const Scaled& y, int least, int places);

}  // namespace mmaspec
