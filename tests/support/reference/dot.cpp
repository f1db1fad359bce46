#include "tests/support/reference/dot.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "tests/support/reference/vector_units.h"

namespace mmaspec::reference {
namespace {

/// (-1)^negative * digits * 2^unit, with `exponent` for finding the largest one.
template <typename I>
struct Term {
  bool negative = false;
  I digits = 0;
  int unit = 0;
  int exponent = 0;
};

/// The factors of a product.
struct Factors {
  Value a;
  Value b;
  Value sa;
  Value sb;
};

const Value kOne{Kind::number, false, 1, 0, 0};

/// NaN, infinities of either sign, or neither.
struct Specials {
  bool nan = false;
  bool plus = false;
  bool minus = false;

  void add_infinity(bool negative) { (negative ? minus : plus) = true; }
  void add(const Value& v) {
    if (v.kind == Kind::nan) nan = true;
    if (v.kind == Kind::infinity) add_infinity(v.negative);
  }
  void add(const Factors& f) {
    bool zero = false;
    bool infinite = false;
    for (const Value& v : {f.a, f.b, f.sa, f.sb}) {
      nan = nan || v.kind == Kind::nan;
      zero = zero || v.is_zero();
      infinite = infinite || v.kind == Kind::infinity;
    }
    if (!infinite) return;
    nan = nan || zero;
    add_infinity(f.a.negative != f.b.negative);
  }
  bool any() const { return nan || plus || minus; }
  std::uint64_t pattern(const Format& d) const {
    return nan || (plus && minus) ? d.nan() : d.infinity(minus);
  }
};

template <typename I>
class Run {
 public:
  explicit Run(const Design& design) : design_(design) {}

  Outcome all(const Operands& x) {
    outcome_ = {};
    switch (design_.algorithm) {
      case Algorithm::fused_dot_add:
      case Algorithm::round_down_dot_add:
      case Algorithm::exact_dot_add:
        chain(x);
        break;
      case Algorithm::group_dot_fused_sum:
        outcome_.d = grouped(x);
        break;
      case Algorithm::sequential_fma:
      case Algorithm::pair_dot_add:
      case Algorithm::bulk_normalized_dot_add:
      case Algorithm::ones_complement_dot_add:
      case Algorithm::floored_dot_add:
      case Algorithm::partial_product_dot_add:
      case Algorithm::rounded_product_dot_add:
      case Algorithm::f32_chain:
        outcome_.d = vector_unit_result(design_, x);
        break;
      case Algorithm::group_pairwise_sum:
        pairwise(x);
        break;
      case Algorithm::split_fp8:
        split(x);
        break;
      case Algorithm::integer_dot_add:
        integers(x);
        break;
    }
    return outcome_;
  }

 private:
  Factors factors(const Operands& x, int k) const {
    const auto i = static_cast<std::size_t>(k);
    Factors f{design_.a->value(x.a[i]), design_.b->value(x.b[i]), kOne, kOne};
    if (design_.scale != nullptr) {
      const auto block = static_cast<std::size_t>(k / design_.scale_block);
      f.sa = design_.scale->value(x.sa[block]);
      f.sb = design_.scale->value(x.sb[block]);
    }
    return f;
  }

  void chain(const Operands& x) {
    std::uint64_t d = x.c;
    for (int first = 0; first < design_.k; first += design_.block) {
      const Format& c = first == 0 ? *design_.c : *design_.d;
      std::vector<Factors> products;
      for (int k = first; k < first + design_.block; ++k) products.push_back(factors(x, k));
      switch (design_.algorithm) {
        case Algorithm::fused_dot_add:
          d = fused_step(products, c, d);
          break;
        case Algorithm::round_down_dot_add:
          d = round_down_step(products, c.value(d));
          break;
        default:
          // If a design that flushes its inputs is replaced by an exact sum, the sum flushes them
          // too.
          for (Factors& f : products) {
            f.a = flushed(*design_.a, f.a);
            f.b = flushed(*design_.b, f.b);
          }
          d = exact_step(products, flushed(c, c.value(d)));
          break;
      }
    }
    outcome_.d = d;
  }

  // ---- common parts ----

  /// Flushed inputs: subnormal numbers and zeros count as +0; for FMAs and pairs, subnormal numbers
  /// count as zeros of their sign.
  Value flushed(const Format& format, const Value& v) const {
    const bool small = v.is_number() && v.digits < std::uint64_t{1} << format.fraction_bits;
    if (design_.flush_inputs && small) return format.value(0);
    return design_.subnormals_are_zeros && small
               ? format.value(format.zero(v.negative && format.has_minus_zero()))
               : v;
  }

  int counted(const Value& v) const {
    return design_.zeros_count && v.digits == 0 ? design_.zero_exponent : v.exponent;
  }

  Term<I> product(const Factors& f) const {
    return {f.a.negative != f.b.negative,
            I(f.a.digits) * I(f.b.digits) * I(f.sa.digits) * I(f.sb.digits),
            f.a.unit + f.b.unit + f.sa.unit + f.sb.unit,
            counted(f.a) + counted(f.b) + counted(f.sa) + counted(f.sb)};
  }
  Term<I> accumulator(const Value& c) const {
    return {c.negative, I(c.digits), c.unit, counted(c)};
  }
  static int leading(const Term<I>& t) { return t.unit + length(t.digits) - 1; }

  /// The largest exponent that counts; none if none counts.
  std::optional<int> largest(const std::vector<Term<I>>& terms) const {
    std::optional<int> e;
    for (const Term<I>& t : terms) {
      if (is_zero(t.digits) && !design_.zeros_count) continue;
      e = e ? std::max(*e, t.exponent) : t.exponent;
    }
    return e;
  }

  /// The term in units of 2^unit, cut toward zero or down.
  static I in_units(const Term<I>& t, int unit, bool down) {
    const I number = t.negative ? I(-t.digits) : t.digits;
    if (is_zero(number)) return number;
    return t.unit >= unit ? shifted_up(number, t.unit - unit)
                          : shifted_down(number, unit - t.unit, down);
  }

  std::uint64_t round(const I& sum, int unit, ZeroSigns signs) const {
    return rounded(is_negative(sum), magnitude(sum), unit, design_.result, signs);
  }

  /// Counts products of 2^exponent and more as infinities, if there are no other special values.
  static void overflow(const std::vector<Term<I>>& products, int exponent, Specials& specials) {
    if (specials.any()) return;
    for (const Term<I>& p : products) {
      if (!is_zero(p.digits) && leading(p) >= exponent) specials.add_infinity(p.negative);
    }
  }

  // ---- fused dot-add ----

  I fused_sum(const std::vector<Term<I>>& terms, int e_max) {
    I sum = 0;
    const int unit = e_max - design_.fraction_bits;
    for (const Term<I>& t : terms) sum = sum + in_units(t, unit, design_.align_down);
    if (!is_zero(sum)) {
      outcome_.digits_above_point =
          std::max(outcome_.digits_above_point, length(sum) - design_.fraction_bits);
    }
    return sum;
  }

  std::optional<int> with_floor(std::optional<int> e) const {
    if (!design_.floor) return e;
    return e ? std::max(*e, *design_.floor) : *design_.floor;
  }

  std::uint64_t fused_step(std::vector<Factors> all, const Format& c_format, std::uint64_t c) {
    Specials specials;
    std::vector<Term<I>> products;
    const Value c_value = flushed(c_format, c_format.value(c));
    for (Factors& f : all) {
      f.a = flushed(*design_.a, f.a);
      f.b = flushed(*design_.b, f.b);
      specials.add(f);
    }
    specials.add(c_value);
    if (specials.any()) {
      outcome_.all_finite = false;
      return specials.pattern(*design_.d);
    }
    for (const Factors& f : all) {
      Term<I> p = product(f);
      if (design_.normalize_products && !is_zero(p.digits)) p.exponent = leading(p);
      products.push_back(p);
    }
    Term<I> last = accumulator(c_value);
    // c of another format than d's is first converted, if the design does so.
    const bool converted = design_.normalize_c && &c_format != design_.d;
    if (converted && !is_zero(last.digits)) last.exponent = leading(last);

    const std::uint64_t d = finite_fused(products, last);
    if (design_.product_overflow) overflow(products, *design_.product_overflow, specials);
    return specials.any() ? specials.pattern(*design_.d) : d;
  }

  std::uint64_t finite_fused(std::vector<Term<I>> terms, const Term<I>& c) {
    bool all_zero = is_zero(c.digits);
    bool some_minus = c.negative;
    for (const Term<I>& t : terms) {
      all_zero = all_zero && is_zero(t.digits);
      some_minus = some_minus || t.negative;
    }
    if (design_.c_late) {
      const std::optional<int> e = with_floor(largest(terms));
      std::vector<Term<I>> two{c};
      std::optional<int> e_all = with_floor(largest(two));
      if (e) {
        const I sum = fused_sum(terms, *e);
        two.push_back({is_negative(sum), magnitude(sum), *e - design_.fraction_bits, *e});
        e_all = e_all ? std::max(*e_all, *e) : *e;
      }
      terms = two;
      if (e_all) return pack_fused(fused_sum(terms, *e_all), *e_all, all_zero && some_minus);
    } else {
      terms.push_back(c);
      const std::optional<int> e = with_floor(largest(terms));
      if (e) return pack_fused(fused_sum(terms, *e), *e, all_zero && some_minus);
    }
    return design_.d->zero(design_.minus_zero && some_minus);
  }

  std::uint64_t pack_fused(const I& sum, int e_max, bool minus_zeros) const {
    if (design_.minus_zero && minus_zeros) return design_.d->zero(true);
    return round(sum, e_max - design_.fraction_bits, {false, false});
  }

  // ---- round-down dot-add ----

  struct Aligned {
    I units = 0;
    std::optional<int> exponent;  ///< none: no term counts
  };

  std::uint64_t round_down_step(const std::vector<Factors>& all, const Value& c) {
    Specials specials;
    for (const Factors& f : all) specials.add(f);
    specials.add(c);
    if (specials.nan || (specials.any() && !design_.overflow_joins)) {
      return specials.pattern(*design_.d);
    }
    std::vector<Term<I>> products;
    for (const Factors& f : all) {
      // An infinite factor has no product, and is already counted.
      const bool infinite = f.a.kind == Kind::infinity || f.b.kind == Kind::infinity;
      products.push_back(infinite ? Term<I>{} : product(f));
    }
    Specials overflowed;
    overflow(products, *design_.product_overflow, overflowed);
    specials.plus = specials.plus || overflowed.plus;
    specials.minus = specials.minus || overflowed.minus;
    if (specials.any()) return specials.pattern(*design_.d);

    const int bits = design_.product_bits;
    std::vector<Aligned> sums;
    std::optional<int> e_dot;
    for (int g = 0; g < design_.groups; ++g) {
      std::vector<Term<I>> members;
      for (std::size_t k = 0; k < products.size(); ++k) {
        if (static_cast<int>(k) % design_.groups == g) members.push_back(products[k]);
      }
      Aligned sum;
      sum.exponent = largest(members);
      if (!sum.exponent) continue;
      for (const Term<I>& t : members) {
        sum.units = sum.units + in_units(t, *sum.exponent - bits, false);
      }
      e_dot = e_dot ? std::max(*e_dot, *sum.exponent) : *sum.exponent;
      sums.push_back(sum);
    }
    const auto as_term = [](const I& units, int unit) {
      return Term<I>{is_negative(units), magnitude(units), unit, 0};
    };
    I dot = 0;
    for (const Aligned& s : sums) {
      dot = dot + in_units(as_term(s.units, *s.exponent - bits), *e_dot - bits, design_.sum_down);
    }
    const Term<I> last = accumulator(c);
    std::optional<int> e = largest({last});
    if (e_dot) e = e ? std::max(*e, *e_dot) : *e_dot;
    if (!e) return design_.d->zero(false);
    const int unit = *e - std::max(design_.sum_bits, design_.c_bits);
    I sum = 0;
    if (e_dot) {
      const I kept = in_units(as_term(dot, *e_dot - bits), *e - design_.sum_bits, design_.sum_down);
      sum = sum + in_units(as_term(kept, *e - design_.sum_bits), unit, true);
    }
    if (!design_.c_reach || last.exponent >= *e - *design_.c_reach) {
      const I kept = in_units(last, *e - design_.c_bits, design_.c_down);
      sum = sum + in_units(as_term(kept, *e - design_.c_bits), unit, true);
    }
    return round(normalized_cut(sum, unit), unit, {false, true});
  }

  /// The multiple of the last kept place of the normalized sum, in the same units.
  I normalized_cut(const I& sum, int unit) const {
    if (!design_.normalized_bits || is_zero(sum)) return sum;
    const int leading = std::max(unit + length(magnitude(sum)) - 1, design_.d->least_exponent());
    const int last = leading - *design_.normalized_bits;
    if (last <= unit) return sum;
    const I places = in_units({is_negative(sum), magnitude(sum), unit, 0}, last, design_.sum_down);
    return shifted_up(places, last - unit);
  }

  // ---- exact sums ----

  /// Their sum and its unit.
  static I exact_sum(const std::vector<Term<I>>& terms, int& unit) {
    std::optional<int> least;
    for (const Term<I>& t : terms) {
      if (!is_zero(t.digits)) least = least ? std::min(*least, t.unit) : t.unit;
    }
    unit = least.value_or(0);
    I sum = 0;
    for (const Term<I>& t : terms) sum = sum + in_units(t, unit, true);
    return sum;
  }

  std::uint64_t exact_step(const std::vector<Factors>& all, const Value& c) {
    Specials specials;
    for (const Factors& f : all) specials.add(f);
    specials.add(c);
    if (specials.any()) return specials.pattern(*design_.d);
    std::vector<Term<I>> terms{accumulator(c)};
    for (const Factors& f : all) terms.push_back(product(f));
    int unit = 0;
    const I sum = exact_sum(terms, unit);
    return round(sum, unit, {false, true});
  }

  std::uint64_t grouped(const Operands& x) {
    Specials specials;
    const Value c = design_.c->value(x.c);
    specials.add(c);
    for (int k = 0; k < design_.k; ++k) specials.add(factors(x, k));
    if (specials.any()) return specials.pattern(*design_.d);
    std::vector<Term<I>> terms{accumulator(c)};
    std::optional<int> of_cancelled;
    for (int first = 0; first < design_.k; first += design_.group) {
      std::vector<Term<I>> members;
      bool all_zero = true;
      for (int k = first; k < first + design_.group; ++k) {
        members.push_back(product(factors(x, k)));
        all_zero = all_zero && is_zero(members.back().digits);
      }
      int unit = 0;
      const I sum = exact_sum(members, unit);
      const Factors f = factors(x, first);
      terms.push_back({is_negative(sum), magnitude(sum), unit, counted(f.sa) + counted(f.sb)});
      if (is_zero(sum) && !all_zero) {
        of_cancelled =
            of_cancelled ? std::max(*of_cancelled, terms.back().exponent) : terms.back().exponent;
      }
    }
    std::optional<int> e = largest(terms);
    if (design_.cancelled_groups_count && of_cancelled) {
      e = e ? std::max(*e, *of_cancelled) : *of_cancelled;
    }
    e = with_floor(e);
    if (!e) return design_.d->zero(false);
    const int unit = *e - design_.fraction_bits;
    I sum = 0;
    for (const Term<I>& t : terms) sum = sum + in_units(t, unit, false);
    return round(sum, unit, {false, false});
  }

  // ---- IEEE 754 steps ----

  /// x + y rounded once, with IEEE 754's signs of zeros.
  std::uint64_t sum_of(const Term<I>& x, const Term<I>& y, const Result& result) const {
    int unit = 0;
    const I sum = exact_sum({x, y}, unit);
    const bool minus =
        result.round == Mode::rd ? x.negative || y.negative : x.negative && y.negative;
    return rounded(is_negative(sum), magnitude(sum), unit, result, {minus, true});
  }

  std::uint64_t add(const Value& x, const Value& y, const Result& result) const {
    Specials specials;
    specials.add(x);
    specials.add(y);
    if (specials.any()) return specials.pattern(*result.format);
    return sum_of(accumulator(x), accumulator(y), result);
  }

  void pairwise(const Operands& x) {
    const Format& d = *design_.d;
    std::vector<std::uint64_t> products;
    for (int k = 0; k < design_.k; ++k) {
      Factors f = factors(x, k);
      f.a = flushed(*design_.a, f.a);
      f.b = flushed(*design_.b, f.b);
      Specials specials;
      specials.add(f);
      if (specials.any()) {
        products.push_back(specials.pattern(d));
        continue;
      }
      const Term<I> p = product(f);
      // Each is an fma with +0.
      const bool minus =
          p.negative && (design_.minus_zero_products || design_.result.round == Mode::rd);
      products.push_back(rounded(p.negative, p.digits, p.unit, design_.result, {minus, true}));
    }
    Value c = flushed(*design_.c, design_.c->value(x.c));
    for (int first = 0; first < design_.k; first += design_.group) {
      std::vector<std::uint64_t> level(products.begin() + first,
                                       products.begin() + first + design_.group);
      while (level.size() > 1) {
        std::vector<std::uint64_t> next;
        for (std::size_t i = 0; i < level.size(); i += 2) {
          next.push_back(add(d.value(level[i]), d.value(level[i + 1]), design_.result));
        }
        level = next;
      }
      outcome_.d = add(c, d.value(level[0]), design_.result);
      c = d.value(outcome_.d);
    }
  }

  /// Sums of `group` products and c. Each sum is saturated to d, or the last one is cut to d's
  /// bits.
  void integers(const Operands& x) {
    const auto number = [](const Format& f, std::uint64_t pattern) {
      return Wide(place(f, pattern));
    };
    const Format& d = *design_.d;
    const Wide most = Wide(d.largest_pattern());
    const Wide least = d.is_signed ? Wide(-most - 1) : Wide(0);
    Wide sum = number(*design_.c, x.c);
    for (int k = 0; k < design_.k; ++k) {
      const auto i = static_cast<std::size_t>(k);
      sum += number(*design_.a, x.a[i]) * number(*design_.b, x.b[i]);
      if (!design_.saturates || (k + 1) % design_.group != 0) continue;
      if (sum > most) sum = most;
      if (sum < least) sum = least;
    }
    const Wide patterns = Wide(1) << d.storage;
    Wide pattern = sum % patterns;
    if (pattern < 0) pattern += patterns;
    outcome_.d = low_bits(pattern);
  }

  /// The operand as Hopper's mma.sync converts it, to f16, in which all numbers of narrow formats
  /// are normal: a number that was subnormal has its own exponent (an H100's results;
  /// docs/notes/fp8-mma-sync-on-hopper.md).
  static Value in_f16(const Format& format, Value v) {
    const bool holds = format.fraction_bits <= 3 && format.largest_exponent() <= 15 &&
                       format.least_exponent() - format.fraction_bits >= -14;
    if (!holds || !v.is_number()) return v;
    if (v.digits == 0) v.exponent = -14;
    while (v.digits != 0 && v.digits < std::uint64_t{1} << format.fraction_bits) {
      v.digits *= 2;
      --v.unit;
      --v.exponent;
    }
    return v;
  }

  void split(const Operands& x) {
    const Format& d = *design_.d;
    const Result nearest_d = nearest(d);
    std::vector<Factors> low;
    std::vector<Factors> high;
    for (int k = 0; k < design_.k; ++k) {
      Factors f = factors(x, k);
      f.a = in_f16(*design_.a, f.a);
      f.b = in_f16(*design_.b, f.b);
      (k % 4 < 2 ? low : high).push_back(f);
    }
    const std::uint64_t first = fused_step(low, d, 0);
    const std::uint64_t sum = design_.halves_added
                                  ? add(d.value(first), d.value(fused_step(high, d, 0)), nearest_d)
                                  : fused_step(high, d, first);
    outcome_.d = add(d.value(sum), design_.c->value(x.c), nearest_d);
  }

  const Design& design_;
  Outcome outcome_;
};

template <typename T>
std::vector<T> part(const std::vector<T>& all, int first, int count) {
  return {all.begin() + first, all.begin() + first + count};
}

}  // namespace

Outcome evaluate(const Design& design, const Operands& operands) {
  try {
    return Run<Narrow>(design).all(operands);
  } catch (const TooWide&) {
    return Run<Wide>(design).all(operands);
  }
}

Outcome evaluate_at(const Design& design, int k, const Operands& operands) {
  if (k == design.k) return evaluate(design, operands);
  if (k < design.k) {
    Operands padded = operands;
    padded.a.resize(static_cast<std::size_t>(design.k), 0);
    padded.b.resize(static_cast<std::size_t>(design.k), 0);
    return evaluate(design, padded);
  }
  Outcome all;
  std::uint64_t c = operands.c;
  for (int first = 0; first < k; first += design.k) {
    Operands step{part(operands.a, first, design.k), part(operands.b, first, design.k), c, {}, {}};
    if (design.scale != nullptr) {
      step.sa = part(operands.sa, first / design.scale_block, design.scales());
      step.sb = part(operands.sb, first / design.scale_block, design.scales());
    }
    const Outcome one = evaluate(design, step);
    c = all.d = one.d;
    all.digits_above_point = std::max(all.digits_above_point, one.digits_above_point);
    all.all_finite = all.all_finite && one.all_finite;
  }
  return all;
}

}  // namespace mmaspec::reference
