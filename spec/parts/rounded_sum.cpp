#include "spec/parts/rounded_sum.h"

#include <algorithm>

namespace mmaspec {
namespace {

int significand_width(const Term& t) {
  return static_cast<int>(bit_length(t.significand.range().high));
}

}  // namespace

Int rounded_sum(const Term& x, const Term& y, const SymbolicResultFormat& result) {
  // After a shift by more than the four guard bits, all that is lost of the smaller summand lies
  // below the larger one's last bit, and at least precision + 2 bits of the sum are left.
  const int width = std::max({significand_width(x), significand_width(y),
                              result.kept_fraction_bits.range().high.convert_to<int>() + 1}) +
                    4;
  const auto widened = [&](const Term& t) {
    return t.significand * power_of_two(static_cast<unsigned>(width - significand_width(t)));
  };
  const auto unit = [&](const Term& t) {
    return t.exponent - t.fraction_bits - (width - significand_width(t));
  };

  Bool swapped = false;
  Int sum = 0;
  Int exponent = 0;
  Bool lost = false;
  Bool larger_sign = false;
  {
    const Stage stage("align");
    const Int ex = unit(x);
    const Int ey = unit(y);
    // A zero is never the larger summand, whatever its exponent.
    swapped = x.is_zero() || (!y.is_zero() && ex < ey);
    const Int larger = select(swapped, widened(y), widened(x));
    const Int smaller = select(swapped, widened(x), widened(y));
    larger_sign = select(swapped, y.sign, x.sign);
    const Bool smaller_sign = select(swapped, x.sign, y.sign);
    exponent = select(swapped, ey, ex);
    const Int distance = max(exponent - select(swapped, ex, ey), 0);
    const Int shift = select(smaller == 0, 0, min(distance, width + 1));
    const Int kept = floor_shift_right(smaller, shift);
    lost = shift_left(kept, shift) != smaller;
    mark("larger", negate_if(larger_sign, larger), exponent, 0);
    mark("smaller", negate_if(smaller_sign, kept), exponent, 0);
    const Stage sum_stage("sum");
    sum = negate_if(larger_sign, larger) + negate_if(smaller_sign, kept);
    mark("sum", sum, exponent, 0, MarkRole::sum);
  }
  // What was lost of a subtrahend is borrowed: m - (kept + tail) = (m - kept - 1) + (1 - tail).
  const Int borrow = select(lost && (x.sign ^ y.sign), 1, 0);
  const Int magnitude = max(abs(sum) - borrow, 0);
  // x + (-x) is +0, but -0 where the rounding is down (IEEE 754-2019, section 6.3).
  const Bool zero_sign =
      select(result.rounding.is(Rounding::down), x.sign || y.sign, x.sign && y.sign);
  // What loses bits is no larger than half of what it is added to, which decides the sign.
  const Bool negative = select(lost, larger_sign, sum < 0);
  return round_and_pack({negative, magnitude, exponent, lost, zero_sign, true}, result);
}

Int fused_multiply_add(const Format& fa, Int a, const Format& fb, Int b, const Format& fc, Int c,
                       const SymbolicResultFormat& result, const Integer& nan) {
  UnpackedOperands x{{}, {}, unpack(fc, c), {}, {}};
  x.a.push_back(unpack(fa, a));
  x.b.push_back(unpack(fb, b));
  const Term product = exact_product(fa, unpack_normalized(fa, a), fb, unpack_normalized(fb, b));
  mark("product", negate_if(product.sign, product.significand), product.exponent,
       -product.fraction_bits);
  const Int d = rounded_sum(product, as_term(fc, unpack_normalized(fc, c)), result);
  return with_special_values(special_case(x), *result.format, nan, d);
}

Int product_plus_zero(const Format& fx, Int x, const Format& fy, Int y,
                      const SymbolicResultFormat& result, const Integer& nan) {
  const UnpackedOperands operands{
      {unpack(fx, x)}, {unpack(fy, y)}, {false, 0, 0, false, false}, {}, {}};
  const Term p = exact_product(fx, operands.a[0], fy, operands.b[0]);
  const Bool zero_sign = result.rounding.is(Rounding::down) && p.sign;
  const Int d = round_and_pack(
      {p.sign, p.significand, p.exponent - p.fraction_bits, false, zero_sign, true}, result);
  return with_special_values(special_case(operands), *result.format, nan, d);
}

Int multiply(const Format& fx, Int x, const Format& fy, Int y, const SymbolicResultFormat& result,
             const Integer& nan) {
  const UnpackedOperands operands{
      {unpack(fx, x)}, {unpack(fy, y)}, {false, 0, 0, false, false}, {}, {}};
  const Term p = exact_product(fx, operands.a[0], fy, operands.b[0]);
  const Int d = round_and_pack(
      {p.sign, p.significand, p.exponent - p.fraction_bits, false, p.sign, true}, result);
  return with_special_values(special_case(operands), *result.format, nan, d);
}

Int dot_of_two(const Format& fx, Int x0, Int x1, const Format& fy, Int y0, Int y1,
               const SymbolicResultFormat& result, const Integer& nan) {
  const UnpackedOperands operands{{unpack(fx, x0), unpack(fx, x1)},
                                  {unpack(fy, y0), unpack(fy, y1)},
                                  {false, 0, 0, false, false},
                                  {},
                                  {}};
  const auto product = [&](Int x, Int y) {
    return exact_product(fx, unpack_normalized(fx, x), fy, unpack_normalized(fy, y));
  };
  const Int d = rounded_sum(product(x0, y0), product(x1, y1), result);
  return with_special_values(special_case(operands), *result.format, nan, d);
}

Int add(const Format& fx, Int x, const Format& fy, Int y, const SymbolicResultFormat& result,
        const Integer& nan) {
  const Unpacked ux = unpack(fx, x);
  const Unpacked uy = unpack(fy, y);
  const auto infinite = [](const Unpacked& u, bool negative) {
    return u.is_infinite && (negative ? u.sign : !u.sign);
  };
  const Bool positive = infinite(ux, false) || infinite(uy, false);
  const Bool negative = infinite(ux, true) || infinite(uy, true);
  const SpecialCase special{ux.is_nan || uy.is_nan || (positive && negative), positive, negative};
  const Int d = rounded_sum(as_term(fx, unpack_normalized(fx, x)),
                            as_term(fy, unpack_normalized(fy, y)), result);
  return with_special_values(special, *result.format, nan, d);
}

}  // namespace mmaspec
