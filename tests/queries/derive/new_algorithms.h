#pragma once
/// Algorithms that are not in the catalogue and that no analytical proof knows. Only these tests
/// use them.

#include <algorithm>
#include <functional>

#include "spec/algorithms/algorithm.h"
#include "spec/parts/terms.h"

namespace mmaspec::new_algorithms {

/// units * 2^(exponent - F).
struct FixedPoint {
  Int units;
  Int exponent;
};

inline Int aligned(const FixedPoint& x, Int exponent, int places) {
  return align(x.units < 0, abs(x.units), x.exponent, places, exponent, places,
               Rounding::toward_zero);
}

struct Terms {
  std::vector<FixedPoint> products;
  FixedPoint c;
  UnpackedOperands operands;
};

/// All terms in units of 2^(their exponent - F). Zeros have the least exponent of all.
inline Terms terms_of(const DotFormats& formats, const DotOperands& in, int places) {
  const UnpackedOperands x = unpack(formats, in);
  std::vector<Term> all;
  for (std::size_t k = 0; k < x.a.size(); ++k) {
    all.push_back(exact_product(*formats.a, x.a[k], *formats.b, x.b[k]));
  }
  all.push_back(as_term(*formats.c, x.c));
  all = leave_zeros_out(all, Int(least_exponent(all)));
  std::vector<FixedPoint> fixed;
  for (const Term& t : all) {
    fixed.push_back({align(t, t.exponent, places, Rounding::toward_zero), t.exponent});
  }
  const FixedPoint c = fixed.back();
  fixed.pop_back();
  return {fixed, c, x};
}

inline Int rounded(const FixedPoint& sum, int places, const ResultFormat& result,
                   const UnpackedOperands& operands) {
  const Int d = round_and_pack({sum.units < 0, abs(sum.units), sum.exponent - places}, result);
  return with_special_values(special_case(operands), *result.format, canonical_nan(*result.format),
                             d);
}

/// The sum of the terms, cut at F bits below the largest exponent.
inline FixedPoint cut_and_sum(const std::vector<FixedPoint>& terms, int places) {
  std::vector<Int> exponents;
  for (const FixedPoint& t : terms) exponents.push_back(t.exponent);
  const Int largest = max(exponents);
  std::vector<Int> units;
  for (const FixedPoint& t : terms) units.push_back(aligned(t, largest, places));
  return {total(units), largest};
}

/// Products are aligned and added in groups of four, then the groups' sums with c.
inline Algorithm in_groups_of_four(int places, Rounding rounding) {
  return Custom{
      "in groups of four", [=](const DotFormats& formats, const DotOperands& in) {
        const Terms t = terms_of(formats, in, places);
        std::vector<FixedPoint> sums;
        for (auto i = t.products.begin(); i < t.products.end();) {
          const auto end = i + std::min<std::ptrdiff_t>(4, t.products.end() - i);
          sums.push_back(cut_and_sum({i, end}, places));
          i = end;
        }
        sums.push_back(t.c);
        return rounded(cut_and_sum(sums, places), places, {formats.d, rounding}, t.operands);
      }};
}

/// A tree of two-input adders, each of which cuts the smaller term at the unit of the larger one.
/// The tree adds the products, and c is added at its root, or is a leaf after the last product.
inline Algorithm truncating_tree(int places, Rounding rounding, bool c_is_leaf) {
  return Custom{"truncating tree", [=](const DotFormats& formats, const DotOperands& in) {
                  const Terms t = terms_of(formats, in, places);
                  std::vector<FixedPoint> level = t.products;
                  if (c_is_leaf) level.push_back(t.c);
                  while (level.size() > 1) {
                    std::vector<FixedPoint> next;
                    for (std::size_t i = 0; i + 1 < level.size(); i += 2) {
                      next.push_back(cut_and_sum({level[i], level[i + 1]}, places));
                    }
                    if (level.size() % 2 != 0) next.push_back(level.back());
                    level = next;
                  }
                  if (!c_is_leaf) level = {cut_and_sum({level[0], t.c}, places)};
                  return rounded(level[0], places, {formats.d, rounding}, t.operands);
                }};
}

/// All terms cut and summed. For sums of one sign the magnitude is replaced by `spoil` of it.
inline Algorithm spoiled_on_one_side(int places, bool below_zero,
                                     const std::function<Int(Int)>& spoil) {
  return Custom{"spoiled on one side", [=](const DotFormats& formats, const DotOperands& in) {
                  const Terms t = terms_of(formats, in, places);
                  std::vector<FixedPoint> all = t.products;
                  all.push_back(t.c);
                  FixedPoint sum = cut_and_sum(all, places);
                  const Bool negative = sum.units < 0;
                  const Int spoiled = negate_if(negative, spoil(abs(sum.units)));
                  sum.units = select(below_zero ? negative : !negative, spoiled, sum.units);
                  return rounded(sum, places, {formats.d}, t.operands);
                }};
}

/// All terms cut and summed. For sums of one sign, results whose last two bits are 01 and 10 are
/// exchanged: results depend only on the sum's value, and are monotone only on the other side of
/// zero.
inline Algorithm exchanged_on_one_side(int places, bool below_zero) {
  return Custom{"exchanged on one side", [=](const DotFormats& formats, const DotOperands& in) {
                  const Terms t = terms_of(formats, in, places);
                  std::vector<FixedPoint> all = t.products;
                  all.push_back(t.c);
                  const FixedPoint sum = cut_and_sum(all, places);
                  const Int d = rounded(sum, places, {formats.d}, t.operands);
                  const Int last = bits(d, 0, 2);
                  const Int exchanged = 4 * floor_shift_right(d, 2) +
                                        select(last == 1, 2, select(last == 2, 1, last));
                  const Bool of_side = below_zero ? sum.units < 0 : sum.units > 0;
                  return select(of_side && unpack(*formats.d, d).is_finite(), exchanged, d);
                }};
}

/// One product and c, cut and summed. If the product is zero, its own exponent is below the limit,
/// and c is not zero, 2^-3 of the largest power of two is added.
inline Algorithm exponent_of_zero_counts(int places, int limit) {
  return Custom{
      "exponent of zero counts", [=](const DotFormats& formats, const DotOperands& in) {
        const Term product = exact_product(*formats.a, unpack_normalized(*formats.a, in.a.at(0)),
                                           *formats.b, unpack_normalized(*formats.b, in.b.at(0)));
        std::vector<Term> all{product, as_term(*formats.c, unpack_normalized(*formats.c, in.c))};
        all = leave_zeros_out(all, Int(least_exponent(all)));
        std::vector<FixedPoint> fixed;
        for (const Term& t : all) {
          fixed.push_back({align(t, t.exponent, places, Rounding::toward_zero), t.exponent});
        }
        FixedPoint sum = cut_and_sum(fixed, places);
        const Bool more = product.is_zero() && product.exponent < limit && !all[1].is_zero();
        sum.units = sum.units + select(more, power_of_two(static_cast<unsigned>(places - 3)), 0);
        return rounded(sum, places, {formats.d}, unpack(formats, in));
      }};
}

/// A product and c in units of 2^(their largest exponent - places), rounded to odd. With enough
/// places, of any number, this is a fused multiply-add.
inline Algorithm sum_rounded_to_odd(int places) {
  return Custom{"a sum rounded to odd", [=](const DotFormats& formats, const DotOperands& in) {
                  const Term product =
                      exact_product(*formats.a, unpack_normalized(*formats.a, in.a[0]), *formats.b,
                                    unpack_normalized(*formats.b, in.b[0]));
                  const Term c = as_term(*formats.c, unpack_normalized(*formats.c, in.c));
                  std::vector<Term> terms{product, c};
                  terms = leave_zeros_out(terms, Int(least_exponent(terms)));
                  const Int largest = largest_exponent(terms);
                  std::vector<Int> units;
                  for (const Term& t : terms) {
                    units.push_back(align(t, largest, places, Rounding::to_odd));
                    mark("term " + std::to_string(units.size()), units.back(), largest, -places);
                  }
                  const Int sum = total(units);
                  mark("sum", sum, largest, -places, MarkRole::sum);
                  return rounded({sum, largest}, places, {formats.d}, unpack(formats, in));
                }};
}

}  // namespace mmaspec::new_algorithms
