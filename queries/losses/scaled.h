#pragma once
/// Numbers of a graph with exponents that are expressions, and how far they lie apart.
///
/// Between two such numbers lie as many places as exponents can differ: to compare them as integers
/// would take hundreds of bits. Each comparison shifts by no more than what can matter, and says
/// exactly what it would say without that limit, or a little more than is true of it: "violated"
/// is never missed.

#include "spec/formats/format.h"
#include "spec/lang/int.h"

namespace mmaspec {

/// significand * 2^(exponent + offset).
struct Scaled {
  Int significand;
  Int exponent;
  int offset;
};

/// x - y is not between low and high units of x, units of 2^(x.exponent + x.offset); low <= 0 <=
/// high. Violated exactly where it is so.
Bool is_off_by_more(const Scaled& x, const Scaled& y, int low, int high);

/// |x| > |y|.
Bool is_larger(const Scaled& x, const Scaled& y);

/// The exponent of y's leading bit, of `least` where y is below 2^least.
Int leading_exponent(const Scaled& y, int least);

/// |x - y| is more than 2^-places times the largest power of two that neither |y| nor 2^least is
/// below; x a number of the format, least its least exponent, and places at most one more than its
/// fraction bits. True too where it is so of nearly every number.
Bool is_rounded_by_more(const Scaled& x, const Scaled& y, int least, int places);

}  // namespace mmaspec
