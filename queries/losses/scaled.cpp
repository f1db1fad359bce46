#include "queries/losses/scaled.h"

#include <algorithm>

namespace mmaspec {
namespace {

int width_of(Int x) {
  const Range& r = x.range();
  using boost::multiprecision::abs;
  return static_cast<int>(bit_length(std::max(Integer(abs(r.low)), Integer(abs(r.high)))));
}

/// Two numbers as integers of the smaller of their units, or of a larger one that tells as much.
///
/// Let x's unit be 2^n times y's, and n more than y has bits: y is less than half a unit of x. Then
/// whether x and y are less than a whole number of units apart depends on x's significand and y's
/// sign alone. Whether they are less than half a unit apart, or a part of it, does so too unless x
/// is zero, and then a y that is shifted by less is the larger one. So n may count as one more than
/// y has bits: what is called near enough there, is.
struct Common {
  Common(const Scaled& of_x, const Scaled& of_y) {
    const Int n = of_x.exponent + of_x.offset - of_y.exponent - of_y.offset;
    const int most = width_of(of_y.significand) + 1;
    const int least = width_of(of_x.significand) + 1;
    of_unit = min(max(n, 0), most);
    passed_over = max(n - most, 0);
    x = shift_left(of_x.significand, of_unit);
    y = shift_left(of_y.significand, min(max(-n, 0), least));
    is_beyond = n < -least && of_y.significand != 0;
    unit = min(of_x.exponent + of_x.offset, of_y.exponent + of_y.offset);
  }

  Int x = 0;
  Int y = 0;
  Int unit = 0;            ///< the exponent of the smaller unit
  Int of_unit = 0;         ///< x's unit is 2^this in the integers' one
  Int passed_over = 0;     ///< by so much it would be more
  Bool is_beyond = false;  ///< y is larger than twice whatever x can be, and shifted by too little
};

Scaled magnitude(const Scaled& x) { return {abs(x.significand), x.exponent, x.offset}; }

/// x, or its opposite where y is below zero: it lies as far from y's magnitude as x from y. What is
/// made of these is one expression of x and y and of their opposites.
Scaled beside(const Scaled& x, const Scaled& y) {
  return {negate_if(y.significand < 0, x.significand), x.exponent, x.offset};
}

}  // namespace

Bool is_off_by_more(const Scaled& x, const Scaled& y, int low, int high) {
  const Common c = low == -high ? Common(beside(x, y), magnitude(y)) : Common(x, y);
  const Int difference = c.x - c.y;
  const Int unit = shift_left(1, c.of_unit);
  return c.is_beyond || difference < low * unit || difference > high * unit;
}

Bool is_larger(const Scaled& x, const Scaled& y) {
  const Common c(magnitude(x), magnitude(y));
  return !c.is_beyond && c.x > c.y;
}

Int leading_exponent(const Scaled& y, int least) {
  const Int leading = bit_length(abs(y.significand)) - 1 + y.exponent + y.offset;
  return select(y.significand == 0, least, max(leading, least));
}

Bool is_rounded_by_more(const Scaled& x, const Scaled& y, int least, int places) {
  const Common c(beside(x, y), magnitude(y));
  const Int difference = abs(c.x - c.y);
  const Int bound = leading_exponent(y, least) - places - c.unit - c.passed_over;
  const int most = std::max(width_of(c.x), width_of(c.y)) + 1;
  return c.is_beyond || difference > shift_left(1, min(max(bound, 0), most)) ||
         (bound < 0 && difference != 0);
}

}  // namespace mmaspec
