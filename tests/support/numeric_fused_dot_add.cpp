#include "tests/support/numeric_fused_dot_add.h"

#include <algorithm>

namespace mmaspec::numeric {
namespace {

std::uint64_t bits_of(const Integer& pattern) { return pattern.convert_to<std::uint64_t>(); }

/// (-1)^negative * digits * 2^unit, with the nominal exponent `exponent`.
struct Summand {
  bool negative;
  Integer digits;
  int unit;
  int exponent;
};

class Step {
 public:
  Step(const PlainFusedDotAdd& design, const DotFormats& formats)
      : design_(design), formats_(formats) {}

  Meaning operand(const Format& format, const Integer& pattern) const {
    Meaning m = meaning(format.name, bits_of(pattern));
    const std::int64_t hidden = std::int64_t{1} << layout(format.name).fraction_bits;
    if (design_.flush_inputs && m.kind == Kind::number && m.digits < hidden) {
      return {Kind::number, false, 0, m.exponent, 0};
    }
    return m;
  }

  int counted(const Meaning& m) const {
    return design_.zeros_count && m.digits == 0 ? -126 : m.exponent;
  }

  Summand product(const Meaning& a, const Meaning& b, const std::vector<Meaning>& scales) const {
    Summand s{a.negative != b.negative, Integer(a.digits) * b.digits,
              a.exponent + b.exponent - layout(formats_.a->name).fraction_bits -
                  layout(formats_.b->name).fraction_bits,
              counted(a) + counted(b)};
    for (const Meaning& scale : scales) {
      s.digits *= scale.digits;
      s.unit += scale.exponent - layout(formats_.scale->name).fraction_bits;
      s.exponent += counted(scale);
    }
    if (design_.normalized_products && s.digits != 0) {
      s.exponent = s.unit + static_cast<int>(msb(s.digits));
    }
    return s;
  }

  Summand accumulator(const Meaning& c, const Format& format) const {
    Summand s{c.negative, c.digits, c.exponent - layout(format.name).fraction_bits, counted(c)};
    // An f16 accumulator of an f32 result is first converted to f32, if it is converted.
    if (design_.normalized_c && !(format == *formats_.d) && c.digits != 0) {
      s.exponent = s.unit + static_cast<int>(msb(s.digits));
    }
    return s;
  }

  /// The largest exponent; none if there is nothing to add.
  std::optional<int> largest(const std::vector<Summand>& summands) const {
    std::optional<int> e = design_.floor;
    for (const Summand& s : summands) {
      if (s.digits == 0 && !design_.zeros_count) continue;
      e = e ? std::max(*e, s.exponent) : s.exponent;
    }
    return e;
  }

  /// The sum in units of 2^(e - F), each summand cut to that unit.
  Integer sum(const std::vector<Summand>& summands, int e) const {
    Integer total = 0;
    for (const Summand& s : summands) {
      const int shift = s.unit - (e - design_.fraction_bits);
      Integer cut;
      if (shift >= 0) {
        cut = s.digits << shift;
      } else {
        cut = s.digits >> -shift;
        if (design_.align_down && s.negative && (cut << -shift) != s.digits) ++cut;
      }
      total += s.negative ? Integer(-cut) : cut;
    }
    return total;
  }

  Integer finite(std::vector<Summand> summands) const {
    std::optional<int> e;
    Integer units;
    if (design_.c_late) {
      const Summand c = summands.back();
      summands.pop_back();
      e = largest(summands);
      std::vector<Summand> last = {c};
      std::optional<int> e_all = largest(last);
      if (e) {
        units = sum(summands, *e);
        last.push_back({units < 0, abs(units), *e - design_.fraction_bits, *e});
        e_all = e_all ? std::max(*e_all, *e) : *e;
      }
      if (!e_all) return 0;
      e = e_all;
      units = sum(last, *e);
    } else {
      e = largest(summands);
      if (!e) return 0;
      units = sum(summands, *e);
    }
    const Rational magnitude = Rational(abs(units)) * two_to(*e - design_.fraction_bits);
    const ResultFormat& r = design_.result;
    return rounded(place_of(r.format->name, magnitude, r.kept_fraction_bits),
                   {units < 0, false, false}, r);
  }

 private:
  const PlainFusedDotAdd& design_;
  const DotFormats& formats_;
};

/// NaN, an infinity of either sign, or neither.
class Specials {
 public:
  void add(bool negative) { (negative ? minus_ : plus_) = true; }
  void add_nan() { nan_ = true; }
  std::optional<Integer> pattern(std::string_view name) const {
    const Layout& l = layout(name);
    const Integer sign = Integer(1) << (l.exponent_bits + l.fraction_bits);
    const Integer infinity = sign - (Integer(1) << l.fraction_bits);
    if (nan_ || (plus_ && minus_)) return sign - 1;
    if (plus_) return infinity;
    if (minus_) return infinity + sign;
    return {};
  }

 private:
  bool nan_ = false;
  bool plus_ = false;
  bool minus_ = false;
};

Integer one_step(const PlainFusedDotAdd& design, const DotFormats& formats, const DotValues& values,
                 int first, const Integer& c_pattern, const Format& c_format) {
  const Step step(design, formats);
  std::vector<Summand> summands;
  Specials specials;
  for (int i = first; i < first + design.block; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Meaning a = step.operand(*formats.a, values.a[k]);
    const Meaning b = step.operand(*formats.b, values.b[k]);
    const auto zero = [](const Meaning& m) { return m.kind == Kind::number && m.digits == 0; };
    std::vector<Meaning> scales;
    if (formats.scale != nullptr) {
      const auto block = static_cast<std::size_t>(i / formats.scale_block);
      for (const Integer& s : {values.scale_a[block], values.scale_b[block]}) {
        scales.push_back(meaning(formats.scale->name, bits_of(s)));
        if (scales.back().kind == Kind::nan) specials.add_nan();
        if (zero(scales.back()) && (a.kind == Kind::infinity || b.kind == Kind::infinity)) {
          specials.add_nan();
        }
      }
    }
    if (a.kind == Kind::nan || b.kind == Kind::nan || (a.kind == Kind::infinity && zero(b)) ||
        (b.kind == Kind::infinity && zero(a))) {
      specials.add_nan();
    } else if (a.kind == Kind::infinity || b.kind == Kind::infinity) {
      specials.add(a.negative != b.negative);
    } else {
      summands.push_back(step.product(a, b, scales));
    }
  }
  const Meaning c = step.operand(c_format, c_pattern);
  if (c.kind == Kind::nan) specials.add_nan();
  if (c.kind == Kind::infinity) specials.add(c.negative);
  if (const auto special = specials.pattern(formats.d->name)) return *special;
  summands.push_back(step.accumulator(c, c_format));
  return step.finite(summands);
}

}  // namespace

Integer plain_fused_dot_add(const PlainFusedDotAdd& design, const DotFormats& formats,
                            const DotValues& values) {
  Integer d = values.c;
  for (int first = 0; first < formats.k; first += design.block) {
    d = one_step(design, formats, values, first, d, first == 0 ? *formats.c : *formats.d);
  }
  return d;
}

std::uint64_t DotInputs::element(const Format& format, int centre, int spread, int kind) {
  const Layout& l = layout(format.name);
  const int top = (1 << l.exponent_bits) - 1;
  const int used = l.exponent_bits + l.fraction_bits;
  const auto in_register = [&](std::uint64_t p) {
    // The bits that the hardware ignores are random too.
    return p << l.ignored_low_bits | random_.bits(l.ignored_low_bits);
  };
  if (kind == 0) return in_register(random_.bits(used + (l.is_signed ? 1 : 0)));
  const std::uint64_t sign = l.is_signed && random_.coin() ? std::uint64_t{1} << used : 0;
  const int choice = random_.below(16);
  if (choice == 0) return in_register(sign);                                  // zero
  if (choice == 1) return in_register(sign | random_.bits(l.fraction_bits));  // subnormal
  if (choice == 2 && random_.below(8) == 0)
    return in_register(random_.bits(used + 1));  // any
                                                 // pattern
  // The exponent field of all ones occurs only in the random patterns: one NaN determines the
  // result.
  const int field = std::clamp(centre + random_.between(-spread, spread), 0, top - 1);
  std::uint64_t fraction = random_.bits(l.fraction_bits);
  if (kind == 2) fraction = 0;
  if (kind == 3) fraction = (std::uint64_t{1} << l.fraction_bits) - 1;
  return in_register(sign | static_cast<std::uint64_t>(field) << l.fraction_bits | fraction);
}

DotValues DotInputs::next() {
  DotValues v;
  const int kind = random_.below(5);
  const auto centre = [&](const Format& format) {
    const int top = (1 << layout(format.name).exponent_bits) - 1;
    return random_.coin() ? random_.below(top + 1) : top / 2;
  };
  const int ca = centre(*formats_.a);
  const int cb = centre(*formats_.b);
  const int spread = random_.coin() ? 1 : random_.between(2, 14);
  for (int k = 0; k < formats_.k; ++k) {
    const bool cancels = k % 2 == 1 && random_.below(3) == 0;
    v.a.emplace_back(element(*formats_.a, ca, spread, kind));
    v.b.emplace_back(element(*formats_.b, cb, spread, kind));
    if (cancels) {  // the previous product, negated or nearly
      const auto i = static_cast<std::size_t>(k);
      v.a[i] = v.a[i - 1] ^ (Integer(1) << (formats_.a->storage_bits - 1));
      v.b[i] = v.b[i - 1] ^ (random_.coin() ? Integer(1) : Integer(0));
    }
  }
  const bool empty = random_.below(8) == 0;  // no nonzero product, and a tiny c
  for (std::size_t k = 0; empty && k < v.a.size(); ++k) (random_.coin() ? v.a : v.b)[k] = 0;
  const Layout& lc = layout(formats_.c->name);
  const int top = (1 << lc.exponent_bits) - 2;
  const int product = ca - layout(formats_.a->name).bias + cb - layout(formats_.b->name).bias;
  const int c_spread = random_.coin() ? 2 : 30;
  v.c = element(*formats_.c, std::clamp(empty ? 1 : product + lc.bias, 0, top), c_spread, kind);
  for (int i = 0; i < formats_.scales(); ++i) {
    // Most pairs of scale factors almost cancel each other.
    const std::uint64_t x = random_.coin() ? random_.bits(8) : 120 + random_.bits(4);
    const std::uint64_t y = random_.coin() ? 255 - x : 120 + random_.bits(4);
    v.scale_a.emplace_back(x);
    v.scale_b.emplace_back(y);
  }
  return v;
}

}  // namespace mmaspec::numeric
