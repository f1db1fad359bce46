#include "queries/error_bounds/binary_rational.h"

#include <algorithm>

namespace mmaspec {
namespace {

int width_of(Int x) {
  const Range& r = x.range();
  using boost::multiprecision::abs;
  return static_cast<int>(bit_length(std::max(Integer(abs(r.low)), Integer(abs(r.high)))));
}

/// Two numbers as integers of the smaller of their units, or of a larger unit that gives the same
/// comparisons.
///
/// Let x's unit be 2^n times y's, where n exceeds the number of y's bits: y is less than half a
/// unit of x. Whether x and y differ by less than a whole number of units then depends only on x's
/// significand and y's sign. The same holds for half a unit or a fraction of it, unless x is zero;
/// in that case a y that is shifted by less is the larger one. So n may be limited to one more than
/// the number of y's bits: if numbers are close enough in that representation, they are.
struct Common {
  Common(const BinaryRational& of_x, const BinaryRational& of_y) {
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
  Int of_unit = 0;         ///< x's unit is 2^of_unit integer units
  Int passed_over = 0;     ///< by how much of_unit was reduced
  Bool is_beyond = false;  ///< y exceeds twice the largest possible x, and was shifted by too
                           ///< little
};

BinaryRational magnitude(const BinaryRational& x) {
  return {abs(x.significand), x.exponent, x.offset};
}

/// x, or -x if y is negative: its distance from |y| is that of x from y. The result is one
/// expression for x, y and for -x, -y.
BinaryRational beside(const BinaryRational& x, const BinaryRational& y) {
  return {negate_if(y.significand < 0, x.significand), x.exponent, x.offset};
}

}  // namespace

Bool is_off_by_more(const BinaryRational& x, const BinaryRational& y, int low, int high) {
  const Common c = low == -high ? Common(beside(x, y), magnitude(y)) : Common(x, y);
  const Int difference = c.x - c.y;
  const Int unit = shift_left(1, c.of_unit);
  return c.is_beyond || difference < low * unit || difference > high * unit;
}

Bool is_larger(const BinaryRational& x, const BinaryRational& y) {
  const Common c(magnitude(x), magnitude(y));
  return !c.is_beyond && c.x > c.y;
}

Int leading_exponent(const BinaryRational& y, int least) {
  const Int leading = bit_length(abs(y.significand)) - 1 + y.exponent + y.offset;
  return select(y.significand == 0, least, max(leading, least));
}

Bool is_rounded_by_more(const BinaryRational& x, const BinaryRational& y, int least, int places) {
  const Common c(beside(x, y), magnitude(y));
  const Int difference = abs(c.x - c.y);
  const Int bound = leading_exponent(y, least) - places - c.unit - c.passed_over;
  const int most = std::max(width_of(c.x), width_of(c.y)) + 1;
  return c.is_beyond || difference > shift_left(1, min(max(bound, 0), most)) ||
         (bound < 0 && difference != 0);
}

}  // namespace mmaspec
