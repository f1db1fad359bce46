// Absolute error bounds by induction over the steps of a design or plan.
#include "queries/errors/range_error.h"

#include <algorithm>

#include "queries/arguments/known_design.h"
#include "spec/plans/kernel_schemes.h"

namespace mmaspec {
namespace {

/// An intermediate result x of the exact value s.
struct Partial {
  Rational size = 0;   ///< |x| is at most this
  Rational error = 0;  ///< |x - s| is at most this
};

Partial operator+(const Partial& x, const Partial& y) {
  return {x.size + y.size, x.error + y.error};
}

/// The least n with x <= 2^n, x > 0.
int ceil_exponent(const Rational& x) {
  const int n = floor_log2(x);
  return rational_power_of_two(n) == x ? n : n + 1;
}

/// The largest exponent that a number of magnitude `size` at most counts in the format: of a
/// subnormal number the least one.
int counted_exponent(const Format& f, const Rational& size) {
  return size == 0 ? f.least_exponent() : std::max(floor_log2(size), f.least_exponent());
}

/// A rounding to nearest even of the format.
ResultFormat nearest(const Format& f) { return {&f, Rounding::nearest_even}; }

class Analysis {
 public:
  explicit Analysis(const OperandRange& range)
      : range_(range), in_order_(range.partial_sums), cap_(range.magnitudes) {}

  bool may_overflow() const { return may_overflow_; }

  /// The result that starts from the accumulator c. nullopt: a step without a known bound.
  std::optional<Partial> result(const Algorithm& algorithm, const DotFormats& f, const Partial& c) {
    if (const auto* plan = algorithm.as<Composed>()) return of_plan(*plan->composition, f, c);
    if (const auto* chain = known<Chained>(algorithm, f)) {
      return run({"", chain->step_formats, *chain->step}, f.k, c);
    }
    // Products of zeros are products in the range.
    if (const auto* padded = known<Padded>(algorithm, f)) {
      return result(*padded->whole, padded->whole_formats, c);
    }
    if (const auto* fused = known<FusedDotAdd>(algorithm, f)) return of_design(*fused, f, c);
    if (const auto* split = known<SplitFp8>(algorithm, f)) return of_design(*split, f, c);
    if (const auto* down = known<RoundDownDotAdd>(algorithm, f)) return of_design(*down, f, c);
    if (const auto* groups = known<GroupDotFusedSum>(algorithm, f)) {
      return of_design(*groups, f, c);
    }
    if (const auto* fma = known<SequentialFma>(algorithm, f)) return of_design(*fma, f, c);
    if (const auto* pairs = known<GroupPairwiseSum>(algorithm, f)) return of_design(*pairs, f, c);
    if (const auto* exact = known<ExactDotAdd>(algorithm, f)) return of_design(*exact, f, c);
    if (const auto* pairs = known<PairDotAdd>(algorithm, f)) return of_design(*pairs, f, c);
    if (const auto* bulk = known<BulkNormalizedDotAdd>(algorithm, f)) return of_design(*bulk, f, c);
    if (const auto* floored = known<FlooredDotAdd>(algorithm, f)) return of_design(*floored, f, c);
    if (const auto* ones = known<OnesComplementDotAdd>(algorithm, f)) {
      return of_design(*ones, f, c);
    }
    return std::nullopt;
  }

 private:
  // --- What single operations lose ---

  /// x rounded to the format. A magnitude of at most 2^n is 2^n itself, which the format holds, or
  /// lies in a binade whose unit in the last place is 2^(n - 1 - p) at most, p being the fraction
  /// bits that are kept. Below the least normal number the unit is that of the least binade.
  Partial rounded(Partial x, const ResultFormat& result) {
    const auto& [format, rounding, underflow, overflow, kept] = result;
    if (cap_) x.size = std::min(x.size, Rational(*cap_ + x.error));
    if (x.size == 0) return x;
    const int n = ceil_exponent(x.size);
    // The largest number of the format is at least this. No rounding passes it.
    if (n > format->largest_exponent()) may_overflow_ = true;
    const int binade = std::max(n - 1, format->least_exponent());
    Rational lost = rational_power_of_two(binade - result.fraction_bits());
    const bool to_nearest =
        rounding == Rounding::nearest_even || rounding == Rounding::nearest_away;
    if (to_nearest) lost /= 2;
    const bool shrinks = rounding == Rounding::toward_zero;
    // No rounding passes a power of two.
    const Rational size =
        shrinks ? x.size
                : std::min(Rational(x.size + lost),
                           rational_power_of_two(std::max(n, format->least_exponent())));
    // Flushed: less than the least normal number.
    if (underflow != Underflow::gradual) lost += rational_power_of_two(format->least_exponent());
    return {size, x.error + lost};
  }

  /// The same by way of f32, of which d is the high part.
  Partial rounded(const Partial& x, const ResultFormat& result, bool through_f32) {
    if (!through_f32) return rounded(x, result);
    ResultFormat wide = result;
    wide.format = &formats::f32;
    ResultFormat high = result;
    high.rounding = Rounding::toward_zero;
    high.kept_fraction_bits = -1;
    return rounded(rounded(x, wide), high);
  }

  /// `terms` numbers cut by `unit` at most. `shrinks`: toward zero.
  static Partial cut(const Partial& x, int terms, const Rational& unit, bool shrinks) {
    const Rational lost = terms * unit;
    return {shrinks ? x.size : Rational(x.size + lost), x.error + lost};
  }

  /// What a cut to multiples of `unit` changes x by at most. `shrinks`: toward zero, where x loses
  /// no more than itself.
  static Rational most_lost(const Partial& x, const Rational& unit, bool shrinks) {
    return x.size == 0 ? Rational(0) : shrinks ? std::min(unit, x.size) : unit;
  }

  /// A product; one of a factor that is flushed is lost, if it is less than its format's least
  /// normal number, or than 2^least.
  Partial product(const DotFormats& f, bool flushes) const {
    return product(flushes, f.a->least_exponent(), f.b->least_exponent());
  }
  Partial product(bool flushes, int least_a, int least_b) const {
    if (!flushes || !range_.subnormal_factors) return {range_.product, 0};
    const Rational scales = range_.scale_a * range_.scale_b;
    const Rational lost = scales * std::max(Rational(rational_power_of_two(least_a) * range_.b),
                                            Rational(range_.a * rational_power_of_two(least_b)));
    return {range_.product, std::min(lost, range_.product)};
  }
  static Partial times(int count, const Partial& x) { return {count * x.size, count * x.error}; }

  /// An accumulator whose subnormal numbers may count as zeros.
  static Partial accumulator(const Format& f, Partial c, bool flushes) {
    if (flushes) c.error += std::min(c.size, rational_power_of_two(f.least_exponent()));
    return c;
  }

  /// The largest exponent that a product counts, not normalised.
  int product_exponent(const DotFormats& f) const {
    int e = counted_exponent(*f.a, range_.a) + counted_exponent(*f.b, range_.b);
    if (f.scale != nullptr) {
      e += counted_exponent(*f.scale, range_.scale_a) + counted_exponent(*f.scale, range_.scale_b);
    }
    return e;
  }

  /// The largest exponent that a product of a zero counts, where zeros do.
  int exponent_of_zero_products(const DotFormats& f, int zero_exponent) const {
    return zero_exponent + std::max({zero_exponent, counted_exponent(*f.a, range_.a),
                                     counted_exponent(*f.b, range_.b)});
  }

  /// Every product is a multiple of 2^this; nullopt with scale factors.
  static std::optional<int> product_unit(const DotFormats& f) {
    if (f.scale != nullptr) return std::nullopt;
    return f.a->least_exponent() - f.a->fraction_bits + f.b->least_exponent() - f.b->fraction_bits;
  }

  // --- The designs ---

  /// `count` products and c, whose format is `c_format`, in one fused sum.
  std::optional<Partial> fused_step(const DotFormats& f, const FusedDotAdd& design, int count,
                                    const Format& c_format, const Partial& c) {
    const auto& [places, floor, zero_terms, zero_exponent, block, result, align_rounding, c_joins,
                 normalized_products, flush_inputs, product_overflow, minus_zero, normalized_c] =
        design;
    if (c_joins != AccumulatorJoins::early) return std::nullopt;
    if (product_overflow && range_.product >= rational_power_of_two(*product_overflow)) {
      return std::nullopt;
    }
    const bool has_c = c.size > 0;
    int largest = normalized_products
                      ? (range_.product == 0 ? f.d->least_exponent() : floor_log2(range_.product))
                      : product_exponent(f);
    if (has_c) largest = std::max(largest, counted_exponent(c_format, c.size));
    if (zero_terms == ZeroTerms::operands_count) {
      if (f.scale != nullptr) return std::nullopt;
      largest = std::max({largest, zero_exponent, exponent_of_zero_products(f, zero_exponent)});
    }
    // Less than a unit is cut from each term, and nothing from one whose exponent is the largest,
    // if its significand fits. Products are multiples of their unit, and so is what is cut.
    const bool fits =
        places >= f.a->fraction_bits + f.b->fraction_bits + (normalized_products ? 1 : 0) &&
        places >= c_format.fraction_bits && (f.scale == nullptr || f.scale->fraction_bits == 0);
    const bool shrinks = align_rounding == Rounding::toward_zero;
    const auto lost = [&, F = places](int exponent, int terms) {
      const Rational unit = rational_power_of_two(exponent - F);
      const Rational of_c = most_lost(c, unit, shrinks);
      Rational of_product = unit;
      if (const auto multiple = product_unit(f)) {
        of_product = std::max(Rational(0), Rational(unit - rational_power_of_two(*multiple)));
      }
      const int products = std::min(count, terms);
      // With one term whole it is a product or c: whichever leaves more.
      Rational most = products * of_product + (terms - products) * of_c;
      if (has_c && terms == count) {
        most = std::max(most, Rational((count - 1) * of_product + of_c));
      }
      return most;
    };
    const int terms = count + (has_c ? 1 : 0);
    Rational cuts = lost(largest, fits ? terms - 1 : terms);
    // All terms lie below the floor.
    if (floor) cuts = std::max(cuts, lost(*floor, terms));
    const Partial all =
        times(count, product(f, flush_inputs)) + accumulator(c_format, c, flush_inputs);
    return rounded({shrinks ? all.size : Rational(all.size + cuts), all.error + cuts}, result);
  }

  std::optional<Partial> of_design(const FusedDotAdd& design, const DotFormats& f,
                                   const Partial& c) {
    return blocks(f, design.block, c, [&](const Format& c_format, const Partial& before) {
      return fused_step(f, design, design.block, c_format, before);
    });
  }

  /// One step of CDNA3: products cut toward zero below their group's largest exponent, the groups'
  /// sums below the largest of these, that sum and c below the larger of their exponents; their sum
  /// is normalised and cut, and rounded.
  std::optional<Partial> round_down_step(const DotFormats& f, const RoundDownDotAdd& design,
                                         const Format& c_format, const Partial& c) {
    const auto& [block, groups, product_bits, sum_bits, sum_rounding, c_bits, c_rounding, c_reach,
                 product_overflow, zero_terms, zero, result, normalized_bits, overflow_joins] =
        design;
    if (range_.product >= rational_power_of_two(product_overflow)) return std::nullopt;
    const bool zeros_count = zero_terms == ZeroTerms::operands_count;
    int products = product_exponent(f);
    if (zeros_count) products = std::max(products, exponent_of_zero_products(f, zero));
    int largest = products;
    if (c.size > 0) largest = std::max(largest, counted_exponent(c_format, c.size));
    if (zeros_count) largest = std::max(largest, zero);
    const Rational unit = rational_power_of_two(products - product_bits);
    const Rational of_product =
        std::max(Rational(0), Rational(unit - rational_power_of_two(*product_unit(f))));
    const bool fits = product_bits >= f.a->fraction_bits + f.b->fraction_bits;
    Rational cuts = (fits ? block - groups : block) * of_product + (groups - 1) * unit;
    cuts += rational_power_of_two(largest - sum_bits);
    // If its significand fits, c is cut only where a product has a larger exponent.
    if (c.size > 0) {
      const int above_c = c_bits >= c_format.fraction_bits ? products : largest;
      const int bits = std::min(c_bits, c_reach.value_or(c_bits));
      cuts +=
          most_lost(c, rational_power_of_two(above_c - bits), c_rounding == Rounding::toward_zero);
    }
    Partial sum = times(block, product(f, false)) + c;
    sum = {sum.size + cuts, sum.error + cuts};
    if (normalized_bits && sum.size > 0) {
      const int leading = std::max(ceil_exponent(sum.size) - 1, f.d->least_exponent());
      sum = cut(sum, 1, rational_power_of_two(leading - *normalized_bits), false);
    }
    return rounded(sum, result);
  }

  std::optional<Partial> of_design(const RoundDownDotAdd& design, const DotFormats& f,
                                   const Partial& c) {
    return blocks(f, design.block, c, [&](const Format& c_format, const Partial& before) {
      return round_down_step(f, design, c_format, before);
    });
  }

  /// Exact sums of groups, whose exponents are those of their scale factors, and c: each is cut
  /// toward zero below the largest exponent.
  std::optional<Partial> of_design(const GroupDotFusedSum& design, const DotFormats& f,
                                   const Partial& c) {
    const auto& [group, places, zero_terms, zero, result, floor, cancelled_groups_count] = design;
    int largest =
        counted_exponent(*f.scale, range_.scale_a) + counted_exponent(*f.scale, range_.scale_b);
    if (zero_terms == ZeroTerms::operands_count) {
      largest = std::max({largest, zero,
                          zero + std::max({zero, counted_exponent(*f.scale, range_.scale_a),
                                           counted_exponent(*f.scale, range_.scale_b)})});
    }
    if (c.size > 0) largest = std::max(largest, counted_exponent(*f.c, c.size));
    if (floor) largest = std::max(largest, *floor);
    const int terms = f.k / group + (c.size > 0 ? 1 : 0);
    const Capped capped(*this, in_order_);
    const Partial all = times(f.k, product(f, false)) + c;
    return rounded(cut(all, terms, rational_power_of_two(largest - places), true), result);
  }

  /// While it lives, what is rounded approximates sums of at most so much.
  class Capped {
   public:
    Capped(Analysis& analysis, std::optional<Rational> cap)
        : cap_(analysis.cap_), outer_(analysis.cap_) {
      if (cap && (!cap_ || *cap < *cap_)) cap_ = std::move(cap);
    }
    ~Capped() { cap_ = outer_; }
    Capped(const Capped&) = delete;
    Capped& operator=(const Capped&) = delete;

   private:
    std::optional<Rational>& cap_;
    std::optional<Rational> outer_;
  };

  /// While it lives, sums begin elsewhere than at c and the first product: they are the difference
  /// of two that begin there.
  class Between {
   public:
    explicit Between(Analysis& analysis) : in_order_(analysis.in_order_), outer_(in_order_) {
      if (in_order_) *in_order_ *= 2;
    }
    ~Between() { in_order_ = outer_; }
    Between(const Between&) = delete;
    Between& operator=(const Between&) = delete;

   private:
    std::optional<Rational>& in_order_;
    std::optional<Rational> outer_;
  };

  /// `step`, from one block to the next; the first takes c in its own format. What a step rounds
  /// approximates the exact sum of all products so far.
  template <typename Step>
  std::optional<Partial> blocks(const DotFormats& f, int block, const Partial& c,
                                const Step& step) {
    const Capped capped(*this, in_order_);
    std::optional<Partial> d = c;
    for (int first = 0; first < f.k && d; first += block) {
      d = step(first == 0 ? *f.c : *f.d, *d);
    }
    return d;
  }

  std::optional<Partial> of_design(const SplitFp8& design, const DotFormats& f, const Partial& c) {
    const auto& [fused, chained_halves] = design;
    const DotFormats half = half_formats(f);
    const auto low = fused_step(half, fused, half.k, *half.c, {});
    if (!low) return std::nullopt;
    if (!chained_halves) {
      return rounded(rounded(*low + *low, nearest(*f.d)) + c, nearest(*f.d));
    }
    const auto both = fused_step(half, fused, half.k, *half.c, *low);
    return both ? std::optional(rounded(*both + c, nearest(*f.d))) : std::nullopt;
  }

  std::optional<Partial> of_design(const SequentialFma& design, const DotFormats& f,
                                   const Partial& c) {
    const auto& [result, flush_inputs, reversed, chains] = design;
    const Partial term = product(f, flush_inputs);
    const auto chain = [&, flush = flush_inputs, &to = result](Partial d, const Format& first,
                                                               int count) {
      for (int k = 0; k < count; ++k) {
        d = rounded(accumulator(k == 0 ? first : *f.d, d, flush) + term, to);
      }
      return d;
    };
    if (chains == 1) {
      const Capped capped(*this, reversed == 1 ? in_order_ : std::nullopt);
      return chain(c, *f.c, f.k);
    }
    const Partial one = chain({}, *f.d, f.k / chains);
    const Partial operand = accumulator(*f.d, one, flush_inputs);
    Partial dot = one;
    for (int i = 1; i < chains; ++i) {
      dot = rounded(accumulator(*f.d, dot, flush_inputs) + operand, result);
    }
    return rounded(accumulator(*f.c, c, flush_inputs) + accumulator(*f.d, dot, flush_inputs),
                   result);
  }

  std::optional<Partial> of_design(const GroupPairwiseSum& design, const DotFormats& f,
                                   const Partial& c) {
    const auto& [group, flush_inputs, step, product_minus_zero] = design;
    Partial sum = rounded(product(f, flush_inputs), step);
    for (int count = 1; count < group; count *= 2) sum = rounded(sum + sum, step);
    const Capped capped(*this, in_order_);
    Partial d = accumulator(*f.c, c, flush_inputs);
    for (int k = 0; k < f.k; k += group) d = rounded(d + sum, step);
    return d;
  }

  std::optional<Partial> of_design(const ExactDotAdd& design, const DotFormats& f,
                                   const Partial& c) {
    const auto& [block, result] = design;
    return blocks(f, block, c,
                  [&, n = block, &to = result](const Format&,
                                               const Partial& before) -> std::optional<Partial> {
                    return rounded(times(n, product(f, false)) + before, to);
                  });
  }

  std::optional<Partial> of_design(const PairDotAdd& design, const DotFormats& f,
                                   const Partial& c) {
    const auto& [fused, flush_inputs, step] = design;
    const Partial term = product(f, flush_inputs);
    const Partial operand = accumulator(*f.d, rounded(term, step), flush_inputs);
    const Partial pair =
        accumulator(*f.d, rounded(fused ? term + term : operand + operand, step), flush_inputs);
    return blocks(f, 2, c,
                  [&, flush = flush_inputs, &to = step](
                      const Format& c_format, const Partial& before) -> std::optional<Partial> {
                    return rounded(accumulator(c_format, before, flush) + pair, to);
                  });
  }

  /// Products jammed below their largest exponent, each by a unit at most; their sum is rounded,
  /// and added to c.
  std::optional<Partial> of_design(const BulkNormalizedDotAdd& design, const DotFormats& f,
                                   const Partial& c) {
    const auto& [block, guard_bits, dot, result, flush_c] = design;
    if (dot != BulkResult::to_odd) return std::nullopt;
    const Rational unit =
        rational_power_of_two(product_exponent(f) - f.d->fraction_bits - guard_bits);
    const Partial sum = rounded(cut(times(block, product(f, false)), block, unit, false), result);
    return blocks(f, block, c,
                  [&, flush = flush_c, &to = result](
                      const Format& c_format, const Partial& before) -> std::optional<Partial> {
                    return rounded(sum + accumulator(c_format, before, flush), to);
                  });
  }

  /// The unit of the grid of products and c.
  Rational grid(const DotFormats& f, int product_bits, const Format& c_format, const Partial& c,
                int c_bits) const {
    return rational_power_of_two(
        std::max(product_exponent(f) - product_bits, counted_exponent(c_format, c.size) - c_bits));
  }

  /// Each product is cut below its group's exponent, each group's sum and c to the grid.
  std::optional<Partial> of_design(const FlooredDotAdd& design, const DotFormats& f,
                                   const Partial& c) {
    const auto& [block, group, product_bits, c_bits, alternate, through_f32, result] = design;
    return blocks(
        f, block, c,
        [&, n = block, cuts = block + block / group + 1, of_products = product_bits, of_c = c_bits,
         wide = through_f32,
         &to = result](const Format& c_format, const Partial& before) -> std::optional<Partial> {
          const Rational unit = grid(f, of_products, c_format, before, of_c);
          return rounded(cut(times(n, product(f, false)) + before, cuts, unit, false), to, wide);
        });
  }

  /// A term of c's sign is cut by less than a unit, one of the other sign grows by one at most.
  /// Operands below 2^-126 count as zeros.
  std::optional<Partial> of_design(const OnesComplementDotAdd& design, const DotFormats& f,
                                   const Partial& c) {
    const auto& [block, product_bits, c_bits, zero_c_counts, through_f32, result] = design;
    constexpr int kLeast = -126;
    const Partial term = product(true, kLeast, kLeast);
    return blocks(
        f, block, c,
        [&, n = block, of_products = product_bits, of_c = c_bits, wide = through_f32, &to = result](
            const Format& c_format, const Partial& before) -> std::optional<Partial> {
          const Rational unit = grid(f, of_products, c_format, before, of_c);
          Partial all = times(n, term) + before;
          all.error += std::min(before.size, rational_power_of_two(kLeast));
          return rounded(cut(all, n + 1, unit, false), to, wide);
        });
  }

  // --- Plans ---

  /// The inner one chained over k products.
  std::optional<Partial> run(const Inner& inner, int k, const Partial& c) {
    std::optional<Partial> d = c;
    for (int first = 0; first < k && d; first += inner.formats.k) {
      d = result(inner.algorithm, inner.formats, *d);
    }
    return d;
  }

  std::optional<Partial> of_scheme(const SplitK& scheme, const Inner& inner, const DotFormats& f,
                                   const Partial& c) {
    const auto& [parts, reduce, joins, order, part, lengths, partial] = scheme;
    const Between between(*this);
    Partial all;
    int additions = parts - 1;
    bool first = true;
    for (const int length : lengths_of_parts(scheme, f.k)) {
      const bool takes_c = first && joins == WholeAccumulator::first;
      const auto sum = run(inner, length, takes_c ? c : Partial{});
      if (!sum) return std::nullopt;
      all = all + (partial == nullptr ? *sum : rounded(*sum, nearest(*partial)));
      first = false;
    }
    if (joins == WholeAccumulator::last) {
      all = all + c;
      ++additions;
    }
    if (joins == WholeAccumulator::none && c.size > 0) return std::nullopt;  // c is not read
    // In any order no partial sum is larger than all magnitudes and roundings together.
    for (int i = 0; i < additions; ++i) all = rounded(all, nearest(*f.d));
    return all;
  }

  std::optional<Partial> of_scheme(const Promote& scheme, const Inner& inner, const DotFormats& f,
                                   const Partial& c) {
    const auto& [every, scales, fma] = scheme;
    if (scales) return std::nullopt;
    const auto part = [&, length = every] {
      const Between between(*this);
      return run(inner, length, {});
    }();
    if (!part) return std::nullopt;
    const Capped capped(*this, in_order_);
    Partial d = c;
    for (int first = 0; first < f.k; first += every) d = rounded(d + *part, nearest(*f.d));
    return d;
  }

  /// Factors of one: the same sum, rounded to f32 with c and then to the result's format.
  std::optional<Partial> of_scheme(const Epilogue& scheme, const Inner& inner, const DotFormats& f,
                                   const Partial& c) {
    const auto& [alpha, beta, out, bias, fma, saturate] = scheme;
    const Integer one = 0x3f800000;
    if (alpha != one || beta != one) return std::nullopt;
    const Between between(*this);  // without c
    const auto sum = run(inner, f.k, {});
    if (!sum) return std::nullopt;
    if (bias != Bias::after)
      return rounded(rounded(*sum + c, nearest(formats::f32)), nearest(*out));
    const Partial stored = rounded(*sum, nearest(*out));
    return rounded(rounded(stored + c, nearest(formats::f32)), nearest(*out));
  }

  template <typename S>
  bool try_scheme(const Composition& plan, const DotFormats& f, const Partial& c,
                  std::optional<Partial>& found) {
    const auto* scheme = dynamic_cast<const Scheme<S>*>(&plan);
    if (scheme == nullptr) return false;
    found = of_scheme(scheme->scheme(), scheme->inner(), f, c);
    return true;
  }

  std::optional<Partial> of_plan(const Composition& plan, const DotFormats& f, const Partial& c) {
    std::optional<Partial> found;
    (void)(try_scheme<SplitK>(plan, f, c, found) || try_scheme<Promote>(plan, f, c, found) ||
           try_scheme<Epilogue>(plan, f, c, found));
    return found;
  }

  const OperandRange& range_;
  std::optional<Rational> in_order_;  ///< of sums of consecutive terms, as they are added now
  std::optional<Rational> cap_;       ///< of the sums that rounded() sees now
  bool may_overflow_ = false;
};

}  // namespace

std::optional<Rational> error_in_range(const Instruction& instruction, const OperandRange& range) {
  Analysis analysis(range);
  const auto d = analysis.result(instruction.algorithm, instruction.formats, {range.c, 0});
  if (!d || analysis.may_overflow()) return std::nullopt;
  return d->error;
}

}  // namespace mmaspec
