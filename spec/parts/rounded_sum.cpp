#include "spec/parts/rounded_sum.h"

#include <algorithm>

namespace mmaspec {
namespace {

int significand_width(const Term& t) {
  return static_cast<int>(bit_length(t.significand.range().high));
}

/// The same number, with the exponent of the highest bit that its significand may have.
Term with_exponent_of_highest_bit(const Term& t) {
  const int highest = significand_width(t) - 1;
  return {t.sign, t.significand, t.exponent + (highest - t.fraction_bits), highest};
}

/// The product of these operands, p if it is finite, and +0.
Int plus_zero(const Term& p, const UnpackedOperands& operands, const SymbolicResultFormat& result,
              const Integer& nan, Bool keeps_minus_zero) {
  const Bool zero_sign = (keeps_minus_zero || result.rounding.is(Rounding::down)) && p.sign;
  const Int d = round_and_pack(
      {p.sign, p.significand, p.exponent - p.fraction_bits, false, zero_sign, true}, result);
  return with_special_values(special_case(operands), *result.format, nan, d);
}

}  // namespace

Int rounded_sum(const Term& x, const Term& y, const SymbolicResultFormat& result) {
  const int most_bits = std::max(significand_width(x), significand_width(y));
  const int kept_bits = result.kept_fraction_bits.range().high.convert_to<int>();
  // A term loses bits only if its exponent is lower than the other's by at least four: its
  // magnitude is then less than a quarter of the other's, and the sum has at least precision + 2
  // bits, of which the last one is odd.
  const int fraction_bits = std::max(most_bits + 2, kept_bits + 4);
  std::vector<Term> terms{with_exponent_of_highest_bit(x), with_exponent_of_highest_bit(y)};
  // A zero is never the larger summand, for any exponent.
  terms = leave_zeros_out(terms, least_exponent(terms));

  std::vector<Int> aligned;
  Int e_max = 0;
  {
    const Stage stage("align");
    e_max = largest_exponent(terms);
    for (const Term& t : terms) {
      aligned.push_back(align(t, e_max, fraction_bits, Rounding::to_odd));
      mark("term " + std::to_string(aligned.size() - 1), aligned.back(), e_max, -fraction_bits);
    }
  }
  Int sum = 0;
  {
    const Stage stage("sum");
    sum = total(aligned);
    mark("sum", sum, e_max, -fraction_bits, MarkRole::sum);
  }
  // x + (-x) is +0, but -0 where the rounding is down (IEEE 754-2019, section 6.3).
  const Bool zero_sign =
      select(result.rounding.is(Rounding::down), x.sign || y.sign, x.sign && y.sign);
  return round_and_pack({sum < 0, abs(sum), e_max - fraction_bits, false, zero_sign, true}, result);
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
                      const SymbolicResultFormat& result, const Integer& nan,
                      Bool keeps_minus_zero) {
  const UnpackedOperands operands{
      {unpack(fx, x)}, {unpack(fy, y)}, {false, 0, 0, false, false}, {}, {}};
  const Term p = exact_product(fx, operands.a[0], fy, operands.b[0]);
  return plus_zero(p, operands, result, nan, keeps_minus_zero);
}

Int scaled_product_plus_zero(const DotFormats& formats, const UnpackedOperands& operands,
                             std::size_t k, const SymbolicResultFormat& result, const Integer& nan,
                             Bool keeps_minus_zero) {
  const std::size_t scale = operands.scale_of(k);
  const UnpackedOperands one{
      {operands.a[k]},           {operands.b[k]},           {false, 0, 0, false, false},
      {operands.scale_a[scale]}, {operands.scale_b[scale]}, 1};
  return plus_zero(scaled_product(formats, one, 0), one, result, nan, keeps_minus_zero);
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
