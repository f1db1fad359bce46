#include "tests/support/numeric_reference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace mmaspec::numeric {
namespace {

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

int floor_log2(const Rational& x) {
  int e = static_cast<int>(msb(numerator(x))) - static_cast<int>(msb(denominator(x)));
  while (two_to(e) > x) --e;
  while (two_to(e + 1) <= x) ++e;
  return e;
}

Place::Part part_of(const Rational& rest, const Rational& gap) {
  if (rest == 0) return Place::exactly;
  const Rational twice = 2 * rest;
  return twice < gap ? Place::below_half : twice == gap ? Place::half : Place::above_half;
}

/// The index of the largest number, counted from zero.
Integer last_index(std::string_view name, int exponent_bits, int fraction_bits) {
  const Integer per_binade = Integer(1) << fraction_bits;
  const Integer all = per_binade << exponent_bits;
  if (name == "e4m3" || name == "ue4m3") return all - 2;
  if (is_one_of(name, {"e4m3fnuz", "e5m2fnuz", "e3m2", "e2m3", "e2m1"})) return all - 1;
  return all - per_binade - 1;
}

}  // namespace

const Layout& layout(std::string_view name) {
  static const std::array<Layout, 15> layouts = {{{"f64", 11, 52, 1023, true, 0},
                                                  {"f32", 8, 23, 127, true, 0},
                                                  {"tf32", 8, 10, 127, true, 13},
                                                  {"xf32", 8, 10, 127, true, 13},
                                                  {"f16", 5, 10, 15, true, 0},
                                                  {"bf16", 8, 7, 127, true, 0},
                                                  {"e4m3", 4, 3, 7, true, 0},
                                                  {"e5m2", 5, 2, 15, true, 0},
                                                  {"e4m3fnuz", 4, 3, 8, true, 0},
                                                  {"e5m2fnuz", 5, 2, 16, true, 0},
                                                  {"e3m2", 3, 2, 3, true, 0},
                                                  {"e2m3", 2, 3, 1, true, 0},
                                                  {"e2m1", 2, 1, 1, true, 0},
                                                  {"ue8m0", 8, 0, 127, false, 0},
                                                  {"ue4m3", 4, 3, 7, false, 0}}};
  for (const Layout& l : layouts) {
    if (l.name == name) return l;
  }
  throw std::logic_error("no layout of " + std::string(name));
}

Meaning meaning(std::string_view name, std::uint64_t pattern) {
  const Layout& l = layout(name);
  std::uint64_t p = pattern >> l.ignored_low_bits;
  if (name == "ue4m3") p &= 0x7f;
  const bool negative = l.is_signed && (p >> (l.exponent_bits + l.fraction_bits)) % 2 == 1;
  const auto per_binade = std::uint64_t{1} << l.fraction_bits;
  const auto fraction = static_cast<std::int64_t>(p % per_binade);
  const int field = static_cast<int>(p / per_binade % (std::uint64_t{1} << l.exponent_bits));
  const auto special = [&](Kind kind) { return Meaning{kind, negative, 0, 0, 0}; };

  if (is_one_of(name, {"f64", "f32", "tf32", "xf32", "f16", "bf16", "e5m2"})) {
    if (field == (1 << l.exponent_bits) - 1) {
      return special(fraction == 0 ? Kind::infinity : Kind::nan);
    }
  } else if (is_one_of(name, {"e4m3", "ue4m3"})) {
    if (p == 0x7f || p == 0xff) return special(Kind::nan);
  } else if (is_one_of(name, {"e4m3fnuz", "e5m2fnuz"})) {
    if (p == 0x80) return special(Kind::nan);
  } else if (name == "ue8m0") {
    if (p == 0xff) return special(Kind::nan);
    return {Kind::number, false, std::ldexp(1.0, static_cast<int>(p) - 127),
            static_cast<int>(p) - 127, 1};
  }
  const int exponent = field == 0 ? 1 - l.bias : field - l.bias;
  const std::int64_t digits =
      field == 0 ? fraction : fraction + (std::int64_t{1} << l.fraction_bits);
  return {Kind::number, negative,
          std::ldexp(static_cast<double>(digits), exponent - l.fraction_bits), exponent, digits};
}

Rational exact(double x) { return Rational(x); }

Rational two_to(int exponent) {
  const Integer power = Integer(1) << std::abs(exponent);
  return exponent >= 0 ? Rational(power) : Rational(1, power);
}

Rational value(std::string_view name, std::uint64_t pattern) {
  const Meaning m = meaning(name, pattern);
  if (m.kind != Kind::number) throw std::logic_error("no number");
  const Rational magnitude = exact(m.magnitude);
  return m.negative ? Rational(-magnitude) : magnitude;
}

Place place_of(std::string_view name, const Rational& magnitude, int kept) {
  const Layout& l = layout(name);
  const int fraction_bits = kept < 0 ? l.fraction_bits : kept;
  if (magnitude == 0) return {0, Place::exactly};
  const int least = 1 - l.bias;
  const int e = std::max(floor_log2(magnitude), least);
  const Rational scaled = magnitude * two_to(fraction_bits - e);
  const Integer n = numerator(scaled) / denominator(scaled);
  return {n + (Integer(e - least) << fraction_bits), part_of(scaled - Rational(n), 1)};
}

Grid::Grid(std::string_view name) {
  const Layout& l = layout(name);
  for (std::uint64_t p = 0; p < std::uint64_t{1} << (l.exponent_bits + l.fraction_bits); ++p) {
    const Meaning m = meaning(name, p << l.ignored_low_bits);
    if (m.kind == Kind::number) magnitudes_.push_back(exact(m.magnitude));
  }
  const std::size_t n = magnitudes_.size();
  magnitudes_.push_back(2 * magnitudes_[n - 1] - magnitudes_[n - 2]);
}

Place Grid::place(const Rational& magnitude) const {
  const auto above = std::upper_bound(magnitudes_.begin(), magnitudes_.end(), magnitude);
  const auto index = static_cast<std::size_t>(above - magnitudes_.begin()) - 1;
  // Beyond the end of the list the place says only this.
  if (above == magnitudes_.end()) return {index, Place::exactly};
  return {index, part_of(magnitude - magnitudes_[index], *above - magnitudes_[index])};
}

Integer rounded(const Place& place, const Signs& signs, const ResultFormat& result) {
  const std::string_view name = result.format->name;
  const Layout& l = layout(name);
  const int kept = result.kept_fraction_bits < 0 ? l.fraction_bits : result.kept_fraction_bits;
  Integer index = place.index;
  switch (result.rounding) {
    case Rounding::toward_zero:
      break;
    case Rounding::nearest_even:
      // With one digit there is no even number; section 4.3.1 then takes the larger one.
      if (place.part == Place::above_half ||
          (place.part == Place::half && (kept == 0 ? index != 0 : index % 2 == 1))) {
        ++index;
      }
      break;
    case Rounding::nearest_away:
      if (place.part >= Place::half) ++index;
      break;
    case Rounding::down:
    case Rounding::up:
      if (place.part != Place::exactly && signs.sign == (result.rounding == Rounding::down)) {
        ++index;
      }
      break;
    case Rounding::to_odd:
      if (place.part != Place::exactly && index % 2 == 0) ++index;
      break;
  }
  if (result.underflow == Underflow::flush && index < Integer(1) << kept) index = 0;
  const int unused = l.fraction_bits - kept;
  Integer pattern = index << unused;
  const Integer largest = last_index(name, l.exponent_bits, l.fraction_bits);
  if (pattern > largest) {
    const bool away = result.rounding == Rounding::nearest_even ||
                      result.rounding == Rounding::nearest_away ||
                      (result.rounding == Rounding::down && signs.sign) ||
                      (result.rounding == Rounding::up && !signs.sign);
    // FP6 and FP4 have no patterns beyond their largest number.
    const bool to_largest = is_one_of(name, {"e3m2", "e2m3", "e2m1"}) ||
                            result.overflow == Overflow::saturate ||
                            (result.overflow == Overflow::directed && !away);
    if (!to_largest && is_one_of(name, {"e4m3fnuz", "e5m2fnuz"})) return 0x80;  // the only NaN
    pattern = to_largest ? Integer((largest >> unused) << unused) : Integer(largest + 1);
  }
  const bool was_zero = place.index == 0 && place.part == Place::exactly;
  bool sign = signs.sign;
  if (was_zero || (pattern == 0 && !signs.tiny_keeps_sign)) sign = signs.zero;
  if (!l.is_signed) sign = false;
  if (pattern == 0 && is_one_of(name, {"e4m3fnuz", "e5m2fnuz"})) sign = false;
  if (sign) pattern += Integer(1) << (l.exponent_bits + l.fraction_bits);
  return pattern << l.ignored_low_bits;
}

Integer round_to(const ResultFormat& result, const Rational& x) {
  const std::string_view name = result.format->name;
  const Rational least = two_to(1 - layout(name).bias);
  if (result.underflow == Underflow::flush_tiny && abs(x) < least) {
    // With unbounded exponents it is rounded like its double, which is not subnormal. Numbers below
    // half the least normal number reach at most that half.
    ResultFormat gradual = result;
    gradual.underflow = Underflow::gradual;
    const Integer doubled = abs(x) < least / 2 ? Integer(0) : round_to(gradual, 2 * x);
    const Meaning m = meaning(name, doubled.convert_to<std::uint64_t>());
    const bool stays = m.kind == Kind::number && exact(m.magnitude) >= 2 * least;
    return stays ? round_to(gradual, x < 0 ? Rational(-least) : least)
                 : rounded({0, Place::exactly}, {x < 0, x < 0, true}, gradual);
  }
  const Place place = place_of(result.format->name, abs(x), result.kept_fraction_bits);
  return rounded(place, {x < 0, false, true}, result);
}

const std::vector<Rounding>& all_roundings() {
  static const std::vector<Rounding> all = {Rounding::toward_zero, Rounding::nearest_even,
                                            Rounding::down, Rounding::up, Rounding::nearest_away};
  return all;
}

}  // namespace mmaspec::numeric
