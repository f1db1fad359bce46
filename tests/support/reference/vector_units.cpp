#include "tests/support/reference/vector_units.h"

#include <algorithm>
#include <stdexcept>

namespace mmaspec::reference {
namespace {

/// (-1)^negative * digits * 2^unit; `exponent`: of the format, or the sum of the factors'
/// exponents.
struct Number {
  bool negative = false;
  Wide digits = 0;
  int unit = 0;
  int exponent = 0;
};

Number number_of(const Value& v) { return {v.negative, Wide(v.digits), v.unit, v.exponent}; }

Number product_of(const Value& a, const Value& b) {
  return {a.negative != b.negative, Wide(a.digits) * b.digits, a.unit + b.unit,
          a.exponent + b.exponent};
}

Number product_of(const Value& x, const Value& sa, const Value& sb) {
  return {x.negative, Wide(Wide(x.digits) * sa.digits) * sb.digits, x.unit + sa.unit + sb.unit,
          x.exponent + sa.exponent + sb.exponent};
}

/// The number in units of 2^unit, rounded down to an integer or toward zero.
Wide in_units(const Number& x, int unit, bool down) {
  const Wide number = x.negative ? Wide(-x.digits) : x.digits;
  return x.unit >= unit ? shifted_up(number, x.unit - unit)
                        : shifted_down(number, unit - x.unit, down);
}

/// The effect of infinities and NaNs among products and summands on their sum.
struct Special {
  bool nan = false;
  bool plus = false;
  bool minus = false;

  void add(const Value& v) {
    nan = nan || v.kind == Kind::nan;
    if (v.kind == Kind::infinity) (v.negative ? minus : plus) = true;
  }
  void add(const Value& a, const Value& b) {
    nan = nan || a.kind == Kind::nan || b.kind == Kind::nan;
    if (a.kind != Kind::infinity && b.kind != Kind::infinity) return;
    nan = nan || a.is_zero() || b.is_zero();
    (a.negative != b.negative ? minus : plus) = true;
  }
  bool any() const { return nan || plus || minus; }
  std::uint64_t pattern(const Format& f) const {
    return nan || (plus && minus) ? f.nan() : f.infinity(minus);
  }
};

/// IEEE 754's sum of exact numbers, rounded once. Two zeros of one sign have this sign as their
/// sum.
std::uint64_t rounded_sum(const std::vector<Number>& terms, const Result& result) {
  int unit = 0;
  bool first = true;
  bool all_minus = true;
  bool some_minus = false;
  for (const Number& t : terms) {
    if (t.digits != 0) unit = first ? t.unit : std::min(unit, t.unit);
    if (t.digits != 0) first = false;
    all_minus = all_minus && t.negative;
    some_minus = some_minus || t.negative;
  }
  Wide sum = 0;
  for (const Number& t : terms) {
    if (t.digits != 0) sum += in_units(t, unit, true);
  }
  const bool zero_sign = result.round == Mode::rd ? some_minus : all_minus;
  return rounded(sum < 0, Wide(abs(sum)), unit, result, {zero_sign, true});
}

class Unit {
 public:
  Unit(const Design& design, const Operands& x) : design_(design), x_(x) {}

  std::uint64_t chain_of_fmas() const {
    const int count = design_.k;
    if (design_.scale != nullptr) return scaled_blocks();
    if (design_.chains == 1) return fmas(all_numbers(), x_.c, *design_.c);
    std::uint64_t dot = 0;
    for (int chain = 0; chain < design_.chains; ++chain) {
      std::vector<int> members;
      for (const int k : all_numbers()) {
        if (k % design_.chains == chain) members.push_back(k);
      }
      const std::uint64_t sum = fmas(members, 0, *design_.d);
      dot = chain == 0 ? sum : plus(*design_.d, dot, *design_.d, sum);
    }
    if (count == 0) throw std::invalid_argument("no products");
    return plus(*design_.c, x_.c, *design_.d, dot);
  }

  /// A chain in f32, and the last number converted to d's format.
  static std::uint64_t f32_chain(const Design& design, const Operands& x) {
    Design inner = design;
    inner.d = &format("f32");
    inner.result = nearest(*inner.d);
    const Unit unit(inner, x);
    const std::uint64_t last =
        design.scale == nullptr ? unit.chain_of_fmas() : unit.blocks_scaled_in_two_steps();
    if (design.d == inner.d) return last;
    const Value v = inner.d->value(last);
    Special special;
    special.add(v);
    if (special.any()) return special.pattern(*design.d);
    return rounded(v.negative, Wide(v.digits), v.unit, design.result, {v.negative, true});
  }

  std::uint64_t pairs() const {
    std::uint64_t d = x_.c;
    for (int k = 0; k < design_.k; k += 2) {
      const Format& c = k == 0 ? *design_.c : *design_.d;
      const std::uint64_t pair =
          design_.fused ? products_sum({k, k + 1})
                        : plus(*design_.d, products_sum({k}), *design_.d, products_sum({k + 1}));
      d = plus(c, d, *design_.d, pair);
    }
    return d;
  }

  /// One block after another, by `step(first, c's format, c)`.
  template <typename Step>
  std::uint64_t blocks(const Step& step) const {
    std::uint64_t d = x_.c;
    for (int first = 0; first < design_.k; first += design_.block) {
      d = step(first, first == 0 ? *design_.c : *design_.d, d);
    }
    return d;
  }

  std::uint64_t bulk(int first, const Format& c_format, std::uint64_t c) const {
    const Format& d = *design_.d;
    Special special;
    std::vector<Number> products;
    for (int k = first; k < first + design_.block; ++k) {
      const Value left = number_or_value(*design_.a, x_.a[static_cast<std::size_t>(k)]);
      const Value right = number_or_value(*design_.b, x_.b[static_cast<std::size_t>(k)]);
      Number p = product_of(left, right);
      special.add(left, right);
      if (design_.scale != nullptr) {
        const auto block = static_cast<std::size_t>(k / design_.scale_block);
        for (const std::uint64_t pattern : {x_.sa[block], x_.sb[block]}) {
          const Value s = design_.scale->value(pattern);
          special.nan =
              special.nan || s.kind == Kind::nan ||
              (s.is_zero() && (left.kind == Kind::infinity || right.kind == Kind::infinity));
          p = {p.negative, Wide(p.digits * s.digits), p.unit + s.unit, p.exponent + s.exponent};
        }
      }
      products.push_back(p);
    }
    const std::uint64_t dot = special.any() ? special.pattern(d) : normalized(products);
    const Value v = c_format.value(c);
    const bool small = v.is_number() && v.digits < std::uint64_t{1} << c_format.fraction_bits;
    const bool flushed = design_.flush_c && small;
    const bool negative = v.negative && c_format.has_minus_zero();
    return plus(c_format, flushed ? c_format.zero(negative) : c, d, dot);
  }

  /// Products that are rounded below the sum of their factors' exponents, then aligned.
  std::uint64_t rounded_products(int first, const Format& c_format, std::uint64_t c) const {
    const auto value = [&](const Format& f, std::uint64_t pattern) {
      const Value v = f.value(pattern);
      const bool small = v.is_number() && v.digits < std::uint64_t{1} << f.fraction_bits;
      return design_.flush_inputs && small ? f.value(0) : v;
    };
    Special special;
    std::vector<Number> terms;
    for (int k = first; k < first + design_.block; ++k) {
      const auto i = static_cast<std::size_t>(k);
      const Value left = value(*design_.a, x_.a[i]);
      const Value right = value(*design_.b, x_.b[i]);
      special.add(left, right);
      Number p = product_of(left, right);
      if (design_.scale != nullptr) {
        const auto block = static_cast<std::size_t>(k / design_.scale_block);
        for (const std::uint64_t pattern : {x_.sa[block], x_.sb[block]}) {
          const Value s = design_.scale->value(pattern);
          const bool infinite = left.kind == Kind::infinity || right.kind == Kind::infinity;
          special.nan = special.nan || s.kind == Kind::nan || (s.is_zero() && infinite);
          p = {p.negative, Wide(p.digits * s.digits), p.unit + s.unit, p.exponent + s.exponent};
        }
      }
      const int unit = p.exponent - design_.product_bits;
      if (p.unit < unit) {
        p.digits = rounded_units(p, unit, design_.product_round);
        p.unit = unit;
      }
      terms.push_back(p);
    }
    const Value last = value(c_format, c);
    special.add(last);
    if (special.any()) return special.pattern(*design_.d);
    terms.push_back(number_of(last));
    std::optional<int> e;
    for (const Number& t : terms) {
      if (t.digits != 0) e = std::max(e.value_or(t.exponent), t.exponent);
    }
    if (!e) return 0;
    int unit = *e - design_.fraction_bits;
    Wide sum = 0;
    for (const Number& t : terms) {
      if (t.digits != 0) sum += in_units(t, unit, false);
    }
    const bool negative = sum < 0;
    Wide size = abs(sum);
    if (design_.kept_of_sum && *design_.kept_of_sum < design_.fraction_bits) {
      const int cut = design_.fraction_bits - *design_.kept_of_sum;
      size = shifted_down(size, cut, true);
      unit += cut;
    }
    return rounded(negative, size, unit, design_.result, {negative, true});
  }

  /// RDNA3: terms on one grid; those of the opposite sign are ones' complements.
  std::uint64_t complements(int first, const Format& c_format, std::uint64_t c) const {
    Special special;
    const Value c_value = as_f32(c_format, c_format.value(c));
    std::vector<Number> terms;
    std::optional<int> grid;
    for (int k = first; k < first + design_.block; ++k) {
      const Value left = as_f32(*design_.a, a(k));
      const Value right = as_f32(*design_.b, b(k));
      special.add(left, right);
      terms.push_back(product_of(left, right));
      const int g = terms.back().exponent - design_.product_bits;
      if (terms.back().digits != 0) grid = std::max(grid.value_or(g), g);
    }
    special.add(c_value);
    if (special.any()) return special.pattern(*design_.d);
    terms.push_back(number_of(c_value));
    const bool all_zero =
        std::all_of(terms.begin(), terms.end(), [](const Number& t) { return t.digits == 0; });
    if (all_zero) return 0;
    if (!c_value.is_zero() || design_.zero_c_counts) {
      const int g = c_value.exponent - design_.c_bits;
      grid = std::max(grid.value_or(g), g);
    }
    Wide sum = 0;
    for (Number t : terms) {
      const bool opposes = t.negative != c_value.negative;
      t.negative = false;
      const Wide m = in_units(t, *grid, true);
      sum += opposes ? Wide(-m - 1) : m;
    }
    return packed((sum < 0) != c_value.negative, abs(sum), *grid);
  }

  /// RDNA4: groups are rounded down, then added with c on one grid.
  std::uint64_t floors(const std::vector<int>& order, int first, const Format& c_format,
                       std::uint64_t c) const {
    Special special;
    const Value c_value = c_format.value(c);
    special.add(c_value);
    struct Group {
      Wide sum = 0;
      std::optional<int> grid;
    };
    std::vector<Group> groups;
    int grid = c_value.exponent - design_.c_bits;
    for (int start = first; start < first + design_.block; start += design_.group) {
      std::vector<Number> products;
      Group group;
      for (int i = start; i < start + design_.group; ++i) {
        const int k = order[static_cast<std::size_t>(i)];
        special.add(a(k), b(k));
        products.push_back(product_of(a(k), b(k)));
        const int g = products.back().exponent - design_.product_bits;
        if (products.back().digits != 0) group.grid = std::max(group.grid.value_or(g), g);
      }
      if (group.grid) {
        for (const Number& p : products) {
          if (p.digits != 0) group.sum += in_units(p, *group.grid, true);
        }
        grid = std::max(grid, *group.grid);
      }
      groups.push_back(group);
    }
    if (special.any()) return special.pattern(*design_.d);
    Wide sum = 0;
    for (const Group& g : groups) {
      if (g.grid) sum += shifted_down(g.sum, grid - *g.grid, true);
    }
    const Number last = number_of(c_value);
    const bool keeps_a_bit = in_units(last, grid, false) != 0;
    if (keeps_a_bit || grid <= c_format.least_exponent()) sum += in_units(last, grid, true);
    return packed(sum < 0, abs(sum), grid);
  }

  /// Tenstorrent: every phase over all blocks.
  std::uint64_t partial_products() const {
    std::uint64_t d = x_.c;
    const Format* c_format = design_.c;
    for (int phase = design_.first_phase; phase < design_.first_phase + design_.phases; ++phase) {
      for (int first = 0; first < design_.k; first += design_.block) {
        d = phase_step(phase, first, *c_format, d);
        c_format = design_.d;
      }
    }
    return d;
  }

  std::vector<int> in_turns() const {
    std::vector<int> order;
    for (int k = 0; k < design_.k; ++k) order.push_back(k);
    if (!design_.halves_alternate) return order;
    // Block 2i is the i-th of the lower half, 2i + 1 that of the upper half.
    for (int k = 0; k < design_.k; ++k) {
      const int block = k / design_.block;
      order[static_cast<std::size_t>(k)] =
          block % 2 * (design_.k / 2) + block / 2 * design_.block + k % design_.block;
    }
    return order;
  }

 private:
  /// An operand of a bulk sum, of which every pattern may be a number.
  Value number_or_value(const Format& f, std::uint64_t pattern) const {
    const Value v = f.value(pattern);
    if (!design_.numbers_alone || v.is_number()) return v;
    const Number n = normal_number(f, pattern);
    return {Kind::number, n.negative, low_bits(n.digits), n.exponent, n.unit};
  }

  /// A pattern whose exponent field is not zero as a number, whatever else it means. Digits 0: it
  /// has none.
  static Number normal_number(const Format& f, std::uint64_t pattern) {
    const std::uint64_t fields = (pattern & (f.sign_mask() - 1)) >> f.unused_low;
    const int field = static_cast<int>(fields >> f.fraction_bits);
    const bool negative = (pattern & f.sign_mask()) != 0;
    if (field == 0) return {negative, 0, 0, f.least_exponent() - 1};
    const std::uint64_t leading = std::uint64_t{1} << f.fraction_bits;
    const int exponent = field - f.bias;
    return {negative, Wide(leading + fields % leading), exponent - f.fraction_bits, exponent};
  }

  /// The digits of places count * n + 1 to count * (n + 1) behind the first place that a number of
  /// the format has, as a number of its own.
  static Number digits_of(const Format& f, std::uint64_t pattern, int count, int n) {
    Number x = normal_number(f, pattern);
    const int lowest = x.exponent + 1 - count * (n + 1);
    x.digits = in_units({false, x.digits, x.unit, 0}, lowest, true) % (Wide(1) << count);
    x.unit = lowest;
    x.exponent -= count * n;
    return x;
  }

  /// The magnitude in units of 2^unit, which is more than the number's unit.
  static Wide rounded_units(const Number& x, int unit, Mode mode) {
    const Wide below = shifted_down(x.digits, unit - x.unit, true);
    const Wide rest = x.digits - shifted_up(below, unit - x.unit);
    const Wide half = Wide(1) << (unit - x.unit - 1);
    bool up = false;
    switch (mode) {
      case Mode::rz:
        break;
      case Mode::rne:
        up = rest > half || (rest == half && below % 2 != 0);
        break;
      case Mode::rd:
        up = x.negative && rest != 0;
        break;
      case Mode::ru:
        up = !x.negative && rest != 0;
        break;
      case Mode::rna:
        up = rest >= half;
        break;
      case Mode::rto:
        up = rest != 0 && below % 2 == 0;
        break;
    }
    return up ? Wide(below + 1) : below;
  }

  /// In units of 2^unit, to nearest; of two, up, or away from zero.
  static Wide nearest_units(const Number& x, int unit, bool away) {
    Number twice = x;
    ++twice.unit;
    if (away) twice.negative = false;
    const Wide halves = in_units(twice, unit, true) + 1;
    const Wide rounded = shifted_down(halves, 1, true);
    return away && x.negative ? Wide(-rounded) : rounded;
  }

  std::uint64_t phase_step(int phase, int first, const Format& c_format, std::uint64_t c) const {
    const int none = design_.d->least_exponent() - 1;
    const Number c_number = normal_number(c_format, c);
    std::vector<Number> terms;
    int e_max = c_number.digits == 0 ? none : std::max(none, c_number.exponent);
    for (int start = first; start < first + design_.block; start += design_.group) {
      std::vector<Number> products;
      int e_group = none;
      for (int k = start; k < start + design_.group; ++k) {
        const auto i = static_cast<std::size_t>(k);
        const Number left = digits_of(*design_.a, x_.a[i], design_.a_bits, phase % 2);
        const Number right = digits_of(*design_.b, x_.b[i], design_.b_bits, phase / 2);
        Number p{left.negative != right.negative, left.digits * right.digits,
                 left.unit + right.unit, left.exponent + right.exponent};
        const bool a_is_zero = normal_number(*design_.a, x_.a[i]).digits == 0;
        const bool b_is_zero = normal_number(*design_.b, x_.b[i]).digits == 0;
        if (a_is_zero || b_is_zero) {
          p.exponent = design_.a->least_exponent() + design_.b->least_exponent() - 2 -
                       design_.a_bits * (phase % 2) - design_.b_bits * (phase / 2);
        }
        e_group = std::max(e_group, p.exponent);
        products.push_back(p);
      }
      const int unit = e_group - (design_.a_bits - 1) - (design_.b_bits - 1);
      Wide sum = 0;
      if (e_group > none) {
        for (const Number& p : products) sum += nearest_units(p, unit, true);
      }
      terms.push_back({sum < 0, Wide(abs(sum)), unit, e_group});
      e_max = std::max(e_max, e_group);
    }
    terms.push_back(c_number);
    const int unit = e_max - design_.fraction_bits;
    Wide sum = 0;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      const bool away = i + 1 == terms.size();
      const int fine = e_max - design_.aligned_bits;
      const Wide once = nearest_units(terms[i], fine, away);
      sum += nearest_units({once < 0, Wide(abs(once)), fine, 0}, unit, away);
    }
    const Wide wraps = design_.minus_one_wraps && sum == -1 ? Wide(1) << 27 : Wide(abs(sum));
    const std::uint64_t d = rounded(sum < 0, wraps, unit, design_.result, {false, false});
    // The next step takes a NaN for a number: it has the sign of what overflowed.
    return sum < 0 && d == design_.d->nan() ? d | design_.d->sign_mask() : d;
  }

  /// An operand; subnormal numbers are zeros if the design says so.
  Value operand(const Format& f, std::uint64_t pattern) const {
    Value v = f.value(pattern);
    if (design_.subnormals_are_zeros && f.is_subnormal(pattern)) {
      v.digits = 0;
      v.negative = v.negative && f.has_minus_zero();
    }
    return v;
  }
  Value a(int k) const { return operand(*design_.a, x_.a[static_cast<std::size_t>(k)]); }
  Value b(int k) const { return operand(*design_.b, x_.b[static_cast<std::size_t>(k)]); }

  std::vector<int> all_numbers() const {
    std::vector<int> all;
    for (int k = 0; k < design_.k; ++k) {
      const int group = k / design_.reversed;
      all.push_back(group * design_.reversed + design_.reversed - 1 - k % design_.reversed);
    }
    return all;
  }

  /// Each block of products that shares scale factors starts from +0; its scaled sum is added to c.
  std::uint64_t scaled_blocks() const {
    std::uint64_t d = x_.c;
    for (int block = 0; block < design_.scales(); ++block) {
      std::vector<int> members;
      for (int i = 0; i < design_.scale_block; ++i)
        members.push_back(block * design_.scale_block + i);
      const auto n = static_cast<std::size_t>(block);
      const Value sum = operand(*design_.d, fmas(members, 0, *design_.d));
      const Value sa = design_.scale->value(x_.sa[n]);
      const Value sb = design_.scale->value(x_.sb[n]);
      Special special;
      special.add(sum, sa);
      if (sb.kind == Kind::nan || (special.any() && sb.is_zero())) special.nan = true;
      const std::uint64_t part = special.any()
                                     ? special.pattern(*design_.d)
                                     : rounded_sum({product_of(sum, sa, sb)}, design_.result);
      d = plus(block == 0 ? *design_.c : *design_.d, d, *design_.d, part);
    }
    return d;
  }

  /// The same, but each block's sum is multiplied by one scale factor after the other.
  std::uint64_t blocks_scaled_in_two_steps() const {
    std::uint64_t d = x_.c;
    for (int block = 0; block < design_.scales(); ++block) {
      std::uint64_t part = 0;
      for (int k = block * design_.scale_block; k < (block + 1) * design_.scale_block; ++k) {
        part = fmas({k}, part, *design_.d);
      }
      const auto n = static_cast<std::size_t>(block);
      for (const std::uint64_t pattern : {x_.sa[n], x_.sb[n]}) {
        const Value sum = design_.d->value(part);
        const Value factor = design_.scale->value(pattern);
        Special special;
        special.add(sum, factor);
        part = special.any() ? special.pattern(*design_.d)
                             : rounded_sum({product_of(sum, factor)}, design_.result);
      }
      d = plus(block == 0 ? *design_.c : *design_.d, d, *design_.d, part);
    }
    return d;
  }

  std::uint64_t fmas(const std::vector<int>& numbers, std::uint64_t d, const Format& start) const {
    const Format* format = &start;
    for (const int k : numbers) {
      const Value c = operand(*format, d);
      Special special;
      special.add(a(k), b(k));
      special.add(c);
      d = special.any() ? special.pattern(*design_.d)
                        : rounded_sum({product_of(a(k), b(k)), number_of(c)}, design_.result);
      format = design_.d;
    }
    return d;
  }

  /// The exact sum of products, rounded once.
  std::uint64_t products_sum(const std::vector<int>& numbers) const {
    Special special;
    std::vector<Number> terms;
    for (const int k : numbers) {
      special.add(a(k), b(k));
      terms.push_back(product_of(a(k), b(k)));
    }
    if (special.any()) return special.pattern(*design_.d);
    const Result& r = design_.result;
    if (terms.size() > 1) return rounded_sum(terms, r);
    const Number& p = terms[0];
    return rounded(p.negative, p.digits, p.unit, r, {p.negative, true});
  }
  std::uint64_t plus(const Format& fx, std::uint64_t x, const Format& fy, std::uint64_t y) const {
    const Value vx = operand(fx, x);
    const Value vy = operand(fy, y);
    Special special;
    special.add(vx);
    special.add(vy);
    if (special.any()) return special.pattern(*design_.d);
    return rounded_sum({number_of(vx), number_of(vy)}, design_.result);
  }

  /// A subnormal number of a format with f32's exponents, or with wider ones, counts as zero.
  static Value as_f32(const Format& f, Value v) {
    const bool below = f.least_exponent() <= -126;
    if (below && v.is_number() && v.digits < std::uint64_t{1} << f.fraction_bits) {
      v.digits = 0;
      v.negative = v.negative && f.has_minus_zero();
    }
    return v;
  }

  std::uint64_t packed(bool negative, const Wide& size, int unit) const {
    if (!design_.through_f32) return rounded(negative, size, unit, design_.result, {false, false});
    Result wide = design_.result;
    wide.format = &format("f32");
    if (wide.kept_bits == design_.d->fraction_bits) wide.kept_bits = wide.format->fraction_bits;
    return rounded(negative, size, unit, wide, {false, false}) >> 16;
  }

  std::uint64_t normalized(const std::vector<Number>& products) const {
    const Format& d = *design_.d;
    std::optional<int> e_max;
    for (const Number& p : products) {
      if (p.digits != 0) e_max = std::max(e_max.value_or(p.exponent), p.exponent);
    }
    if (!e_max) return 0;
    const int unit = *e_max - d.fraction_bits - design_.guard_bits;
    Wide sum = 0;
    for (Number p : products) {
      const bool negative = p.negative;
      p.negative = false;
      Wide m = in_units(p, unit, true);
      const bool exact =
          p.digits == 0 || (p.unit >= unit || shifted_up(m, unit - p.unit) == p.digits);
      if (!exact && m % 2 == 0) m += 1;
      sum += negative ? Wide(-m) : m;
    }
    if (sum == 0) return 0;
    if (!design_.pseudo_code) {
      return rounded(sum < 0, Wide(abs(sum)), unit, design_.result, {false, true});
    }
    return by_pseudo_code(sum < 0, abs(sum), unit);
  }

  /// The manual's pseudo-code: resExp is the encoded exponent, accAbs the sum's magnitude.
  std::uint64_t by_pseudo_code(bool acc_sign, const Wide& acc_abs, int unit) const {
    const Format& d = *design_.d;
    const int q = d.fraction_bits + 1;
    const int res_exp = unit + length(acc_abs) - 1 + d.bias;
    const std::uint64_t sign = acc_sign ? d.sign_mask() : 0;
    if (res_exp >= 1) {
      Result cut = nearest(d);
      cut.round = Mode::rz;
      return rounded(acc_sign, acc_abs, unit, cut, {false, true});
    }
    if (res_exp < -(q - 1)) return sign | 1;
    const Wide denormalized = shifted_down(acc_abs, q - 1 + res_exp, true);
    const Wide mask = shifted_down(Wide((std::uint64_t{1} << (q - 1)) - 1), q - 1 + res_exp, true);
    const bool force = (acc_abs & mask) != 0;
    return sign | (low_bits(denormalized) & 0xffffffffU) | (force ? 1 : 0);
  }

  const Design& design_;
  const Operands& x_;
};

}  // namespace

std::uint64_t vector_unit_result(const Design& design, const Operands& operands) {
  const Unit unit(design, operands);
  switch (design.algorithm) {
    case Algorithm::sequential_fma:
      return unit.chain_of_fmas();
    case Algorithm::pair_dot_add:
      return unit.pairs();
    case Algorithm::bulk_normalized_dot_add:
      return unit.blocks(
          [&](int first, const Format& f, std::uint64_t c) { return unit.bulk(first, f, c); });
    case Algorithm::ones_complement_dot_add:
      return unit.blocks([&](int first, const Format& f, std::uint64_t c) {
        return unit.complements(first, f, c);
      });
    case Algorithm::floored_dot_add: {
      const std::vector<int> order = unit.in_turns();
      return unit.blocks([&](int first, const Format& f, std::uint64_t c) {
        return unit.floors(order, first, f, c);
      });
    }
    case Algorithm::partial_product_dot_add:
      return unit.partial_products();
    case Algorithm::rounded_product_dot_add:
      return unit.blocks([&](int first, const Format& f, std::uint64_t c) {
        return unit.rounded_products(first, f, c);
      });
    case Algorithm::f32_chain:
      return Unit::f32_chain(design, operands);
    default:
      throw std::logic_error("no dot product of a vector unit");
  }
}

}  // namespace mmaspec::reference
