// Sorts operands of a dot-add into bins.
#include "spec/parts/coverage.h"

#include <stdexcept>

#include "spec/parts/exact_sum.h"

namespace mmaspec {
namespace {

/// A bin that holds the operands if the condition is true and those of all earlier bins are false.
struct Bin {
  std::string name;
  Bool holds;
};

CoverPoint cover_point(const std::string& name, const std::string& meaning,
                       const std::vector<Bin>& all) {
  std::vector<Bin> bins;
  for (const Bin& b : all) {
    if (!b.holds.same_as(Bool(false))) bins.push_back(b);
  }
  CoverPoint point{name, meaning, {}, Int(Integer(bins.size() - 1))};
  for (const Bin& b : bins) point.bins.push_back(b.name);
  for (std::size_t i = bins.size() - 1; i-- > 0;) {
    point.bin = select(bins[i].holds, Int(Integer(i)), point.bin);
  }
  return point;
}

/// Bins of a distance: 0, and ranges up to each of the ascending limits; the last one has no limit.
void add_ranges(std::vector<Bin>& bins, Int distance, const std::vector<int>& limits) {
  int from = 0;
  for (const int limit : limits) {
    if (limit < from) continue;
    const std::string text =
        from == limit ? std::to_string(from) : std::to_string(from) + ".." + std::to_string(limit);
    bins.push_back({text, distance <= Integer(limit)});
    from = limit + 1;
  }
  bins.push_back({std::to_string(from) + " or more", true});
}

/// The classes of some numbers of one or more formats, the least usual class first.
std::vector<Bin> classes(const std::vector<std::pair<const Format*, Unpacked>>& numbers) {
  std::vector<Bool> nan;
  std::vector<Bool> infinite;
  std::vector<Bool> subnormal;
  std::vector<Bool> zero;
  for (const auto& [format, x] : numbers) {
    const Bool has_hidden_bit =
        x.significand >= power_of_two(static_cast<unsigned>(format->fraction_bits));
    nan.push_back(x.is_nan);
    infinite.push_back(x.is_infinite);
    zero.push_back(x.is_finite() && x.is_zero());
    subnormal.push_back(x.is_finite() && !has_hidden_bit && !x.is_zero());
  }
  return {{"nan", any_of(nan)},
          {"infinity", any_of(infinite)},
          {"subnormal", any_of(subnormal)},
          {"zero", any_of(zero)},
          {"normal", true}};
}

}  // namespace

std::vector<CoverPoint> cover_points(const DotFormats& formats, const DotOperands& operands,
                                     Int d) {
  if (formats.d->is_integer()) {
    throw std::invalid_argument("cover points are defined for floating-point formats only");
  }
  const UnpackedOperands x = unpack(formats, operands);
  std::vector<std::pair<const Format*, Unpacked>> factors;
  Bool is_finite = x.c.is_finite();
  for (std::size_t k = 0; k < x.a.size(); ++k) {
    factors.emplace_back(formats.a, x.a[k]);
    factors.emplace_back(formats.b, x.b[k]);
    is_finite = is_finite && x.a[k].is_finite() && x.b[k].is_finite();
  }
  for (const auto* scales : {&x.scale_a, &x.scale_b}) {
    for (const Unpacked& s : *scales) is_finite = is_finite && s.is_finite();
  }
  std::vector<CoverPoint> points;
  points.push_back(
      cover_point("operands", "the least usual class among a and b", classes(factors)));
  points.push_back(cover_point("c", "the class of c", classes({{formats.c, x.c}})));

  const std::vector<Term> terms = exact_terms(formats, x);
  // Of nonzero terms.
  Integer lowest = 0;
  Integer highest = 0;
  for (const Term& t : terms) {
    lowest = std::min(lowest, Integer(t.exponent.range().low - t.fraction_bits - 1));
    highest = std::max(highest, Integer(t.exponent.range().high + 2));
  }
  std::vector<Int> exponents_up{Int(lowest)};
  std::vector<Int> exponents_down{Int(highest)};
  std::vector<Int> leading{Int(lowest)};
  std::vector<Bool> positive;
  std::vector<Bool> negative;
  Int count = 0;
  for (const Term& t : terms) {
    exponents_up.push_back(select(t.is_zero(), Int(lowest), t.exponent));
    exponents_down.push_back(select(t.is_zero(), Int(highest), t.exponent));
    leading.push_back(select(t.is_zero(), Int(lowest),
                             t.exponent - t.fraction_bits + bit_length(t.significand) - 1));
    positive.push_back(!t.is_zero() && !t.sign);
    negative.push_back(!t.is_zero() && t.sign);
    count = count + select(t.is_zero(), 0, 1);
  }
  points.push_back(cover_point("signs", "the signs of nonzero terms",
                               {{"not finite", !is_finite},
                                {"no terms", count == 0},
                                {"both", any_of(positive) && any_of(negative)},
                                {"one", true}}));

  const int precision = formats.d->precision();
  std::vector<Bin> alignment{{"not finite", !is_finite}, {"fewer than two terms", count < 2}};
  add_ranges(alignment, max(exponents_up) - min(exponents_down),
             {0, 3, precision - 1, precision + 1, 2 * precision});
  points.push_back(cover_point(
      "alignment", "the largest exponent of nonzero terms minus the smallest", alignment));

  const ExactSum sum = exact_sum(formats, terms);
  const Int length = bit_length(sum.magnitude);
  std::vector<Bin> cancellation{
      {"not finite", !is_finite}, {"no terms", count == 0}, {"complete", sum.magnitude == 0}};
  add_ranges(cancellation, max(max(leading) - (length - 1 + sum.least), 0), {0, 3, precision});
  points.push_back(cover_point("cancellation",
                               "leading bits that the exact sum loses against its largest term",
                               cancellation));

  const Format& d_format = *formats.d;
  const auto fraction = static_cast<unsigned>(d_format.fraction_bits);
  const Integer largest =
      (d_format.largest_finite() % power_of_two(fraction)) + power_of_two(fraction);
  const auto half_unit =
      static_cast<unsigned>(d_format.largest_exponent() - d_format.fraction_bits - 1 - sum.least);
  const Integer limit = (2 * largest + 1) * power_of_two(half_unit);
  const Int cut = max(length - Integer(precision),
                      Integer(d_format.least_exponent() - d_format.fraction_bits - sum.least));
  const Int rest = sum.magnitude - shift_left(floor_shift_right(sum.magnitude, cut), cut);
  const Int unit = shift_left(1, cut);
  points.push_back(cover_point("rounding", "the exact sum between two neighbours of d's format",
                               {{"not finite", !is_finite},
                                {"overflow", sum.magnitude >= limit},
                                {"exact", rest == 0},
                                {"below half", rest + rest < unit},
                                {"tie", rest + rest == unit},
                                {"above half", true}}));
  points.push_back(cover_point("d", "the class of the specified result",
                               classes({{&d_format, unpack(d_format, d)}})));
  return points;
}

}  // namespace mmaspec
