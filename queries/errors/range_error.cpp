// Absolute error bounds by induction over the steps of a design or plan.
#include "queries/errors/range_error.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "queries/errors/partial.h"
#include "queries/theorems/exact_slices.h"
#include "queries/theorems/known_design.h"
#include "spec/plans/kernel_schemes.h"
#include "spec/plans/multiword.h"
#include "spec/plans/operand_schemes.h"
#include "spec/plans/ozaki.h"
#include "spec/plans/ozaki2.h"

namespace mmaspec {
namespace {

/// The largest exponent that a number of magnitude at most `size` counts with in the format; a
/// subnormal number counts with the least exponent.
int counted_exponent(const Format& f, const Rational& size) {
  return size == 0 ? f.least_exponent() : std::max(floor_log2(size), f.least_exponent());
}

/// Rounding to nearest even in the format.
ResultFormat nearest(const Format& f) { return {&f, Rounding::nearest_even}; }

class Analysis {
 public:
  explicit Analysis(OperandRange range)
      : range_(std::move(range)), in_order_(range_.partial_sums), cap_(range_.magnitudes) {}

  bool may_overflow() const { return may_overflow_; }

  Partial accumulator_of_range() const {
    return without_error(range_.c, range_.non_negative, range_.non_positive);
  }

  /// The result of a sum that starts from the accumulator c. nullopt: no bound is known.
  std::optional<Partial> result(const Algorithm& algorithm, const DotFormats& f, const Partial& c) {
    if (algorithm.as<Composed>() != nullptr) return of_plan(algorithm, f, c);
    if (const auto* chain = known<Chained>(algorithm, f)) {
      return run({"", chain->step_formats, *chain->step}, f.k, c);
    }
    // Products of zeros are in the range.
    if (const auto* padded = known<Padded>(algorithm, f)) {
      return result(*padded->whole, padded->whole_formats, c);
    }
    if (const auto* fma = algorithm.as<SequentialFma>(); fma != nullptr && f.scale != nullptr) {
      return of_scaled_chain(*fma, f, c);
    }
    if (const auto* chain = known<F32Chain>(algorithm, f)) return of_f32_chain(*chain, f, c);
    std::optional<Partial> found;
    (void)(try_design<FusedDotAdd>(algorithm, f, c, found) ||
           try_design<SplitFp8>(algorithm, f, c, found) ||
           try_design<RoundDownDotAdd>(algorithm, f, c, found) ||
           try_design<GroupDotFusedSum>(algorithm, f, c, found) ||
           try_design<SequentialFma>(algorithm, f, c, found) ||
           try_design<GroupPairwiseSum>(algorithm, f, c, found) ||
           try_design<ExactDotAdd>(algorithm, f, c, found) ||
           try_design<PairDotAdd>(algorithm, f, c, found) ||
           try_design<BulkNormalizedDotAdd>(algorithm, f, c, found) ||
           try_design<FlooredDotAdd>(algorithm, f, c, found) ||
           try_design<OnesComplementDotAdd>(algorithm, f, c, found) ||
           try_design<IntegerDotAdd>(algorithm, f, c, found));
    return found;
  }

  /// The inner node chained over k products.
  std::optional<Partial> run(const Inner& inner, int k, const Partial& c) {
    std::optional<Partial> d = c;
    for (int first = 0; first < k && d; first += inner.formats.k) {
      d = result(inner.algorithm, inner.formats, *d);
    }
    return d;
  }

 private:
  // --- Losses of single operations ---

  Partial rounded(const Partial& x, const ResultFormat& result) {
    return mmaspec::rounded(x, result, cap_, may_overflow_);
  }

  /// The same through an f32 of which d is the high part.
  Partial rounded(const Partial& x, const ResultFormat& result, bool through_f32) {
    if (!through_f32) return rounded(x, result);
    ResultFormat wide = result;
    wide.format = &formats::f32;
    ResultFormat high = result;
    high.rounding = Rounding::toward_zero;
    high.kept_fraction_bits = -1;
    return rounded(rounded(x, wide), high);
  }

  /// A product. If a factor is flushed the product is lost: the factor is less than its format's
  /// least normal number, or than 2^least.
  Partial product(const DotFormats& f, bool flushes) const {
    return product(flushes, f.a->least_exponent(), f.b->least_exponent());
  }
  Partial product(bool flushes, int least_a, int least_b) const {
    const Partial exact = without_error(range_.product, range_.non_negative, range_.non_positive);
    if (!flushes || !range_.subnormal_factors) return exact;
    const Rational scales = range_.scale_a * range_.scale_b;
    const Rational lost = scales * std::max(Rational(rational_power_of_two(least_a) * range_.b),
                                            Rational(range_.a * rational_power_of_two(least_b)));
    return moved(exact, std::min(lost, range_.product), Toward::zero);
  }

  /// An accumulator whose subnormal numbers may count as zeros.
  static Partial accumulator(const Format& f, const Partial& c, bool flushes) {
    if (!flushes) return c;
    return moved(c, std::min(c.size, rational_power_of_two(f.least_exponent())), Toward::zero);
  }

  /// The largest exponents with which a product's factors and their scale factors count.
  std::vector<int> factors_exponents(const DotFormats& f) const {
    std::vector<int> all{counted_exponent(*f.a, range_.a), counted_exponent(*f.b, range_.b)};
    if (f.scale != nullptr) {
      all.push_back(counted_exponent(*f.scale, range_.scale_a));
      all.push_back(counted_exponent(*f.scale, range_.scale_b));
    }
    return all;
  }

  /// The largest exponent with which a product counts, not normalized.
  int product_exponent(const DotFormats& f) const {
    const std::vector<int> all = factors_exponents(f);
    return std::accumulate(all.begin(), all.end(), 0);
  }

  /// The largest exponent with which a product of a zero counts, if zeros count: one factor is
  /// zero, and the others may be.
  int exponent_of_zero_products(const DotFormats& f, int zero_exponent) const {
    std::vector<int> all = factors_exponents(f);
    for (int& e : all) e = std::max(e, zero_exponent);
    return std::accumulate(all.begin(), all.end(), 0) + zero_exponent -
           *std::min_element(all.begin(), all.end());
  }

  /// An n such that every product is a multiple of 2^n; nullopt with scale factors.
  static std::optional<int> product_unit(const DotFormats& f) {
    if (f.scale != nullptr) return std::nullopt;
    return f.a->least_exponent() - f.a->fraction_bits + f.b->least_exponent() - f.b->fraction_bits;
  }

  // --- Designs ---

  /// The largest exponents of a fused step's products, and of c, which may be zero.
  struct LargestExponents {
    int products;
    std::optional<int> c;  ///< nullopt: c does not count
  };
  LargestExponents largest_exponents(const DotFormats& f, const FusedDotAdd& design,
                                     const Format& c_format, const Partial& c) const {
    LargestExponents e{
        !design.normalized_products ? product_exponent(f)
        : range_.product == 0       ? f.d->least_exponent()
                                    : floor_log2(range_.product),
        c.size > 0 ? std::optional(counted_exponent(c_format, c.size)) : std::nullopt};
    if (design.zero_terms == ZeroTerms::operands_count) {
      e.products = std::max(e.products, exponent_of_zero_products(f, design.zero_exponent));
      e.c = std::max(e.c.value_or(design.zero_exponent), design.zero_exponent);
    }
    return e;
  }

  /// One fused sum of `count` products and c, whose format is `c_format`.
  std::optional<Partial> fused_step(const DotFormats& f, const FusedDotAdd& design, int count,
                                    const Format& c_format, const Partial& c) {
    const auto& [places, floor, zero_terms, zero_exponent, block, result, align_rounding, c_joins,
                 normalized_products, flush_inputs, product_overflow, minus_zero, normalized_c] =
        design;
    if (product_overflow && range_.product >= rational_power_of_two(*product_overflow)) {
      return std::nullopt;
    }
    const auto exponents = largest_exponents(f, design, c_format, c);
    const Toward direction = direction_of(align_rounding);
    // Less than a unit is cut from each term, and nothing from one whose exponent is the largest,
    // if its significand fits. Products are multiples of their unit, and so is what is cut.
    const bool products_fit =
        places >= f.a->fraction_bits + f.b->fraction_bits + (normalized_products ? 1 : 0) &&
        (f.scale == nullptr || f.scale->fraction_bits == 0);
    const bool c_fits = places >= c_format.fraction_bits;
    const auto unit_at = [F = places](int exponent) { return rational_power_of_two(exponent - F); };
    const auto of_product = [&](int exponent) {
      const Rational unit = unit_at(exponent);
      const auto multiple = product_unit(f);
      return !multiple ? unit
                       : std::max(Rational(0), Rational(unit - rational_power_of_two(*multiple)));
    };
    const Partial products = count * product(f, flush_inputs);
    const Partial before = accumulator(c_format, c, flush_inputs);
    const bool has_c = c.size > 0;
    if (c_joins == AccumulatorJoins::late) {
      const int top = std::max(exponents.products, floor.value_or(exponents.products));
      Rational cuts = (products_fit ? count - 1 : count) * of_product(exponents.products);
      if (floor) cuts = std::max(cuts, Rational(count * of_product(*floor)));
      Partial dot = moved(products, cuts, direction, of_product(top));
      // The sum is cut again if c's exponent is larger, and c is cut if it is not.
      if (exponents.c) dot = moved(dot, unit_at(*exponents.c), direction);
      Partial late = before;
      if (has_c) {
        const int above_c = c_fits ? top : std::max(top, *exponents.c);
        late = moved(late, most_cut(c, unit_at(above_c), direction), direction);
      }
      return rounded(dot + late, result);
    }
    const int largest = std::max(exponents.products, exponents.c.value_or(exponents.products));
    const auto lost = [&](int exponent, int terms) {
      const Rational of_c = most_cut(c, unit_at(exponent), direction);
      const int of_products = std::min(count, terms);
      // If one term is not cut, it is a product or c, whichever gives the larger bound.
      Rational most = of_products * of_product(exponent) + (terms - of_products) * of_c;
      if (has_c && terms == count) {
        most = std::max(most, Rational((count - 1) * of_product(exponent) + of_c));
      }
      return most;
    };
    const int terms = count + (has_c ? 1 : 0);
    Rational cuts = lost(largest, products_fit && c_fits ? terms - 1 : terms);
    // All terms are below the floor.
    if (floor) cuts = std::max(cuts, lost(*floor, terms));
    const int top = std::max(largest, floor.value_or(largest));
    const Rational each = std::max(of_product(top), most_cut(c, unit_at(top), direction));
    return rounded(moved(products + before, cuts, direction, each), result);
  }

  std::optional<Partial> of_design(const FusedDotAdd& design, const DotFormats& f,
                                   const Partial& c) {
    return blocks(f, design.block, c, [&](const Format& c_format, const Partial& before) {
      return fused_step(f, design, design.block, c_format, before);
    });
  }

  /// One step of CDNA3: products are cut toward zero below their group's largest exponent; the
  /// groups' sums are cut below the largest of these; that sum and c are cut below the larger of
  /// their exponents. Their sum is normalized, cut and rounded.
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
    const Toward of_sums = direction_of(sum_rounding);
    Partial sum = moved(block * product(f, false), (fits ? block - groups : block) * of_product,
                        Toward::zero, of_product);
    const Rational of_all = rational_power_of_two(largest - sum_bits);
    sum = moved(sum, (groups - 1) * unit + of_all, of_sums, std::max(unit, of_all));
    // If its significand fits, c is cut only if a product has a larger exponent.
    Partial late = c;
    if (c.size > 0) {
      const int above_c = c_bits >= c_format.fraction_bits ? products : largest;
      const auto cut_at = [&](int bits, Toward direction) {
        return most_cut(c, rational_power_of_two(above_c - bits), direction);
      };
      const Toward of_c = direction_of(c_rounding);
      late = moved(c, cut_at(c_bits, of_c), of_c);
      // Or it is lost beyond its reach.
      if (c_reach) late = either_of(late, moved(c, cut_at(*c_reach, Toward::zero), Toward::zero));
    }
    sum = sum + late;
    if (normalized_bits && sum.size > 0) {
      const int leading = std::max(ceil_exponent(sum.size) - 1, f.d->least_exponent());
      sum = moved(sum, rational_power_of_two(leading - *normalized_bits), of_sums);
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
    const Partial all = f.k * product(f, false) + c;
    const Rational unit = rational_power_of_two(largest - places);
    return rounded(moved(all, terms * unit, Toward::zero, unit), result);
  }

  /// During its lifetime, rounded numbers approximate sums of at most this magnitude.
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

  /// During its lifetime, sums start elsewhere than at c and the first product: they are
  /// differences of two sums that start there.
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

  /// Applies `step` from one block to the next; the first takes c in its own format. The rounded
  /// numbers of a step approximate the exact sum of all products so far.
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

  /// A chain in f32, converted. With scale factors the product of a block's sum and a's is rounded,
  /// too.
  std::optional<Partial> of_f32_chain(const F32Chain& converted, const DotFormats& f,
                                      const Partial& c) {
    const auto& [round] = converted;
    const auto [chain, inner] = unconverted(f);
    const auto d =
        f.scale == nullptr ? of_design(chain, inner, c) : of_scaled_chain(chain, inner, c, true);
    if (!d || *f.d == formats::f32) return d;
    return rounded(*d, ResultFormat{f.d, round});
  }

  /// Each block is a chain of unscaled products from +0; its sum times the scale factors is rounded
  /// and added to the last result; `one_by_one`: after each scale factor. Covers only designs whose
  /// scale factors have no sign.
  std::optional<Partial> of_scaled_chain(const SequentialFma& design, const DotFormats& f,
                                         const Partial& c, bool one_by_one = false) {
    const auto& [result, flush_inputs, reversed, chains] = design;
    const int block = f.scale_block;
    if (!(*result.format == *f.d) || reversed != 1 || chains != 1 || block < 1 ||
        f.k % block != 0 || f.scale->has_sign) {
      return std::nullopt;
    }
    // Bounds for sums of the whole do not apply to unscaled sums.
    const auto freely = [&, &to = result](const Partial& x) {
      return mmaspec::rounded(x, to, std::nullopt, may_overflow_);
    };
    Partial term = without_error(range_.a * range_.b, range_.non_negative, range_.non_positive);
    if (flush_inputs && range_.subnormal_factors) {
      const Rational lost = std::max(rational_power_of_two(f.a->least_exponent()) * range_.b,
                                     range_.a * rational_power_of_two(f.b->least_exponent()));
      term = moved(term, std::min(lost, term.size), Toward::zero);
    }
    Partial sum;
    for (int k = 0; k < block; ++k) sum = freely(accumulator(*f.d, sum, flush_inputs) + term);
    Partial part = accumulator(*f.d, sum, flush_inputs);
    part = one_by_one ? scaled(freely(scaled(part, range_.scale_a)), range_.scale_b)
                      : scaled(part, range_.scale_a * range_.scale_b);
    // It approximates the sum of the block's scaled products.
    part.size = std::min(part.size, Rational(block * range_.product + part.error()));
    part = freely(part);
    return blocks(f, block, c,
                  [&, flush = flush_inputs, &to = result](
                      const Format& c_format, const Partial& before) -> std::optional<Partial> {
                    return rounded(
                        accumulator(c_format, before, flush) + accumulator(*f.d, part, flush), to);
                  });
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
                    return rounded(n * product(f, false) + before, to);
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

  /// Products are jammed below their largest exponent, each by at most a unit; their sum is rounded
  /// and added to c.
  std::optional<Partial> of_design(const BulkNormalizedDotAdd& design, const DotFormats& f,
                                   const Partial& c) {
    const auto& [block, guard_bits, dot, result, flush_c, numbers_alone] = design;
    const int bits = f.d->fraction_bits + guard_bits;
    const Rational unit = rational_power_of_two(product_exponent(f) - bits);
    ResultFormat of_products = result;
    if (dot == BulkResult::pseudo_code) {
      // The bits of a subnormal sum do not represent its value. Sums are multiples of the products'
      // unit, and if that is not subnormal no sum is.
      if (*product_unit(f) < f.d->least_exponent()) return std::nullopt;
      of_products = {f.d, Rounding::toward_zero};
    }
    const Partial sum =
        rounded(moved(block * product(f, false), block * unit, Toward::either, unit), of_products);
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
          return rounded(moved(n * product(f, false) + before, cuts * unit, Toward::either, unit),
                         to, wide);
        });
  }

  /// A term of c's sign is cut by less than a unit; a term of the other sign grows by at most one.
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
          const Partial kept =
              moved(before, std::min(before.size, rational_power_of_two(kLeast)), Toward::zero);
          return rounded(moved(n * term + kept, (n + 1) * unit, Toward::either, unit), to, wide);
        });
  }

  /// Exact as long as d's format holds every sum.
  std::optional<Partial> of_design(const IntegerDotAdd&, const DotFormats& f, const Partial& c) {
    const Partial all = f.k * product(f, false) + c;
    const bool fits = all.size <= Rational(f.d->largest_integer()) &&
                      (all.non_negative || all.size <= Rational(-f.d->least_integer()));
    if (!fits) may_overflow_ = true;
    return all;
  }

  template <typename D>
  bool try_design(const Algorithm& algorithm, const DotFormats& f, const Partial& c,
                  std::optional<Partial>& found) {
    const D* design = known<D>(algorithm, f);
    if (design == nullptr) return false;
    found = of_design(*design, f, c);
    return true;
  }

  // --- Plans ---

  std::optional<Partial> of_scheme(const SplitK& scheme, const Inner& inner, const DotFormats& f,
                                   const Partial& c) {
    const auto& [parts, reduce, joins, order, part, lengths, partial, fan] = scheme;
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
    if (joins == WholeAccumulator::none && c.size > 0) return std::nullopt;  // c is not used
    // In every order, no partial sum exceeds the sum of all magnitudes and roundings.
    for (int i = 0; i < additions; ++i) all = rounded(all, nearest(*f.d));
    return all;
  }

  std::optional<Partial> of_scheme(const Promote& scheme, const Inner& inner, const DotFormats& f,
                                   const Partial& c) {
    const auto& [every, scales, fma] = scheme;
    const auto part = scales ? scaled_part(scheme, inner, f) : [&, length = every] {
      const Between between(*this);
      return run(inner, length, {});
    }();
    if (!part) return std::nullopt;
    const Capped capped(*this, in_order_);
    Partial d = c;
    for (int first = 0; first < f.k; first += every) d = rounded(d + *part, nearest(*f.d));
    return d;
  }

  /// A part's sum times its scale factors, which are multiplied first.
  std::optional<Partial> scaled_part(const Promote& scheme, const Inner& inner,
                                     const DotFormats& f) {
    // The unit's products are not scaled.
    Analysis plain({range_.a, range_.b, 0, 1, 1, range_.a * range_.b, range_.subnormal_factors});
    const auto sum = plain.run(inner, scheme.every, {});
    may_overflow_ = may_overflow_ || plain.may_overflow();
    if (!sum) return std::nullopt;
    bool overflows = false;
    const Rational exact_scale = range_.scale_a * range_.scale_b;
    const Partial scale =
        mmaspec::rounded(without_error(exact_scale), nearest(*f.d), {}, overflows);
    may_overflow_ = may_overflow_ || overflows;
    // The scale factors may be negative, and their product has a rounding error.
    Partial x = scaled(*sum, exact_scale);
    x.below = x.above = x.error();
    x = moved(x, sum->size * scale.error(), Toward::either);
    return scheme.fma ? x : mmaspec::rounded(x, nearest(*f.d), {}, may_overflow_);
  }

  /// With factors of one: the same sum, rounded to f32 with c and then to the result's format.
  std::optional<Partial> of_scheme(const Epilogue& scheme, const Inner& inner, const DotFormats& f,
                                   const Partial& c) {
    const auto& [alpha, beta, out, bias, fma, saturate] = scheme;
    const Integer one = 0x3f800000;
    const bool reads_c = beta % power_of_two(31) != 0;
    if (alpha != one || (beta != one && (reads_c || c.size > 0))) return std::nullopt;
    const Between between(*this);  // without c
    const auto sum = run(inner, f.k, {});
    if (!sum) return std::nullopt;
    if (bias != Bias::after)
      return rounded(rounded(*sum + c, nearest(formats::f32)), nearest(*out));
    const Partial stored = rounded(*sum, nearest(*out));
    return rounded(rounded(stored + c, nearest(formats::f32)), nearest(*out));
  }

  /// Converted operands, whose sum is a different one.
  std::optional<Partial> of_scheme(const Convert& scheme, const Inner& inner, const DotFormats& f,
                                   const Partial& c) {
    const auto& [from_a, from_b, round, saturate, scale_a, scale_b] = scheme;
    if (scale_a != Convert::kUnscaled || scale_b != Convert::kUnscaled) return std::nullopt;
    if (f.scale != nullptr || are_integers(inner.formats)) return std::nullopt;
    const auto converted = [&, round = round](const Rational& size, const Format& from,
                                              const Format& to) {
      return from == to ? without_error(size)
                        : mmaspec::rounded(without_error(size), {&to, round}, {}, may_overflow_);
    };
    const Partial a = converted(range_.a, *from_a, *inner.formats.a);
    const Partial b = converted(range_.b, *from_b, *inner.formats.b);
    OperandRange range{a.size, b.size, 0, 1, 1, a.size * b.size};
    range.non_negative = range_.non_negative;  // no conversion changes a sign
    range.non_positive = range_.non_positive;
    Analysis unit(range);
    const auto sum = unit.run(inner, f.k, c);
    if (!sum) return std::nullopt;
    may_overflow_ = may_overflow_ || unit.may_overflow();
    const Rational lost = a.error() * range_.b + a.size * b.error();
    return moved(*sum, f.k * lost, Toward::either, lost);
  }

  /// The same products in another order.
  std::optional<Partial> of_scheme(const Permute&, const Inner& inner, const DotFormats& f,
                                   const Partial& c) {
    return in_another_order(inner, f.k, c);
  }
  std::optional<Partial> of_scheme(const RestFirst& scheme, const Inner& inner, const DotFormats& f,
                                   const Partial& c) {
    const auto filled = rest_first_products(scheme, f.k, inner.formats.k).size();
    return in_another_order(inner, static_cast<int>(filled), c);
  }
  std::optional<Partial> in_another_order(const Inner& inner, int k, const Partial& c) {
    const std::optional<Rational> outer = std::exchange(in_order_, std::nullopt);
    auto sum = run(inner, k, c);
    in_order_ = outer;
    return sum;
  }

  // --- Words ---

  /// Upper bounds of the magnitudes of an operand's words, and of the remainder.
  struct WordBounds {
    std::vector<Rational> words;  ///< each as the unit gets it, scaled up
    Rational rest;
  };

  /// For operands of at most `size`. The remainder after each word is exact in f32.
  WordBounds words_of(const Words& scheme, const Format& word, const Rational& size) {
    WordBounds all;
    Rational left = size;
    for (int i = 0; i < scheme.words; ++i) {
      Partial w = mmaspec::rounded(without_error(left), nearest(word), {}, may_overflow_);
      if (!scheme.subnormals && left > 0) {
        const Rational least = rational_power_of_two(word.least_exponent());
        w.below = w.above = std::max(w.error(), Rational(least / 2));
        w.size = std::max(w.size, least);
      }
      all.words.push_back(w.size);
      all.rest = w.error() * rational_power_of_two(-scheme.scale * i);
      left = w.error() * rational_power_of_two(scheme.scale);
      if (left > 0 && ceil_exponent(left) > formats::f32.largest_exponent()) may_overflow_ = true;
    }
    return all;
  }

  /// The unit's sum of the words' products, as an approximation of the exact sum of all products
  /// a[k] * b[k] with |a[k]| <= a_size and |b[k]| <= b_size, each of which was moved by at most
  /// `moved_by` before it was split.
  std::optional<Partial> sum_of_words(const Words& scheme, const Inner& inner, int k,
                                      const Rational& a_size, const Rational& b_size,
                                      const Rational& moved_by, const Partial& c) {
    const WordBounds a = words_of(scheme, *inner.formats.a, a_size + moved_by);
    const WordBounds b = words_of(scheme, *inner.formats.a, b_size + moved_by);
    const auto down = [&](int weight) { return rational_power_of_two(-scheme.scale * weight); };
    // a * b = the words' products + a's rest * b + a's words * b's rest.
    const Rational rest_a = a.rest + moved_by;
    const Rational rest_b = b.rest + moved_by;
    Rational left_out = rest_a * b_size + (a_size + rest_a) * rest_b;
    struct Step {
      int weight;
      Analysis products;
    };
    std::vector<Step> steps;  // the largest weight first
    for (int weight = 2 * scheme.words - 2; weight >= 0; --weight) {
      for (int i = 0; i < scheme.words; ++i) {
        const int j = weight - i;
        if (j < 0 || j >= scheme.words) continue;
        const Rational& x = a.words[static_cast<std::size_t>(i)];
        const Rational& y = b.words[static_cast<std::size_t>(j)];
        if (weight > scheme.reach) {
          left_out += down(weight) * x * y;
        } else {
          steps.push_back({weight, Analysis({x, y, 0, 1, 1, x * y})});
        }
      }
    }
    if (scheme.sums == WordSums::one && !scheme.lowest_first) {
      std::stable_sort(steps.begin(), steps.end(),
                       [](const Step& x, const Step& y) { return x.weight < y.weight; });
    }
    // Products of several words in one accumulator: each step takes one of each.
    const auto in_one = [&](std::size_t from, std::size_t to, const Partial& start) {
      std::optional<Partial> d = start;
      for (int done = 0; done < k && d; done += inner.formats.k) {
        for (std::size_t s = from; s < to && d; ++s) {
          d = steps[s].products.result(inner.algorithm, inner.formats, *d);
        }
      }
      return d;
    };
    const Format& f = *inner.formats.d;
    std::optional<Partial> all;
    if (scheme.sums == WordSums::one) {
      all = in_one(0, steps.size(), c);
    } else {
      int above = 0;  // the weight of the sum so far
      for (std::size_t s = 0; s < steps.size();) {
        std::size_t end = s + 1;
        while (scheme.sums == WordSums::weight && end < steps.size() &&
               steps[end].weight == steps[s].weight) {
          ++end;
        }
        const bool is_highest = steps[s].weight == 0;
        std::optional<Partial> sum = is_highest ? c : Partial{};
        if (is_highest && scheme.outside) {
          for (int done = 0; done < k && sum; done += inner.formats.k) {
            const auto part = steps[s].products.result(inner.algorithm, inner.formats, {});
            sum = part
                      ? std::optional(mmaspec::rounded(*sum + *part, nearest(f), {}, may_overflow_))
                      : std::nullopt;
          }
        } else {
          sum = in_one(s, end, *sum);
        }
        if (!sum) return std::nullopt;
        if (all) {
          Partial lower = *all;
          const int up = scheme.scale * (above - steps[s].weight);
          if (up > 0) {
            // Exact, or subnormal.
            lower =
                moved(scaled(lower, rational_power_of_two(-up)),
                      rational_power_of_two(f.least_exponent() - f.fraction_bits), Toward::either);
          }
          sum = mmaspec::rounded(*sum + lower, nearest(f), {}, may_overflow_);
        }
        all = sum;
        above = steps[s].weight;
        s = end;
      }
    }
    for (const Step& s : steps) may_overflow_ = may_overflow_ || s.products.may_overflow();
    if (!all) return std::nullopt;
    return moved(*all, k * left_out, Toward::either, left_out);
  }

  std::optional<Partial> of_words(const Words& scheme, const Inner& inner, const DotFormats& f,
                                  const Partial& c) {
    if (scheme.theta == 0) return sum_of_words(scheme, inner, f.k, range_.a, range_.b, 0, c);
    const Format& f32 = formats::f32;
    const Rational theta = decode(f32, scheme.theta).value();
    // The exponents of scaling factors are clamped to this.
    const Rational least_scale = rational_power_of_two(-126);
    // For a scaled operand, and for the factor that scales its sum back, which is less than twice
    // the largest operand divided by theta. (If all operands are zero, so is the sum.)
    const auto most_scaled = [&](const Rational& x) {
      return std::max(theta, Rational(x * least_scale));
    };
    const auto back = [&](const Rational& x) {
      return std::max(Rational(2 * x / theta), least_scale);
    };
    // A product with a power of two is exact, or subnormal.
    const Rational tiny = rational_power_of_two(f32.least_exponent() - f32.fraction_bits - 1);
    auto sum =
        sum_of_words(scheme, inner, f.k, most_scaled(range_.a), most_scaled(range_.b), tiny, {});
    if (!sum) return std::nullopt;
    for (const Rational& by : {back(range_.a), back(range_.b)}) {
      sum = moved(scaled(*sum, by), tiny, Toward::either);
      if (sum->size > 0 && ceil_exponent(sum->size) > f32.largest_exponent()) may_overflow_ = true;
    }
    return rounded(*sum + c, nearest(f32));
  }

  template <typename S>
  requires std::is_base_of_v<Words, S> std::optional<Partial> of_scheme(const S& scheme,
                                                                        const Inner& inner,
                                                                        const DotFormats& f,
                                                                        const Partial& c) {
    return of_words(scheme, inner, f, c);
  }

  template <typename S>
  bool try_scheme(const Composition& plan, const DotFormats& f, const Partial& c,
                  std::optional<Partial>& found) {
    const auto* scheme = dynamic_cast<const Scheme<S>*>(&plan);
    if (scheme == nullptr) return false;
    found = of_scheme(scheme->scheme(), scheme->inner(), f, c);
    return true;
  }

  template <typename... S>
  std::optional<Partial> of_schemes(const Composition& plan, const DotFormats& f,
                                    const Partial& c) {
    std::optional<Partial> found;
    (void)(try_scheme<S>(plan, f, c, found) || ...);
    return found;
  }

  // --- Slices and residues ---

  /// Rows cut to `kept` bits below their largest exponents: those exponents, and what a product
  /// loses.
  struct CutRows {
    int exponent;  ///< of both rows together: products are less than 2^exponent
    Rational lost;
  };
  CutRows cut_rows(const Format& f, int kept) const {
    const int a = counted_exponent(f, range_.a) + 1;
    const int b = counted_exponent(f, range_.b) + 1;
    const Rational cut_a = std::min(range_.a, rational_power_of_two(a - kept));
    const Rational cut_b = std::min(range_.b, rational_power_of_two(b - kept));
    return {a + b, cut_a * range_.b + range_.a * cut_b};
  }
  static Rational largest_of_bits(int bits) {
    return Rational(power_of_two(static_cast<unsigned>(bits)) - 1);
  }

  /// The unit's sums of slices' products, added from the lowest weight on. `are_exact`: whether the
  /// unit's sums are exact.
  std::optional<Partial> of_slices(const Ozaki1& scheme, const Inner& inner, bool are_exact,
                                   const DotFormats& f, const Partial& c) {
    const auto& [slices, asked_bits, reach, of] = scheme;
    const int each = bits_of_slices(scheme, inner, f.k);
    const CutRows rows = cut_rows(*of, slices * each);
    const Rational largest = largest_of_bits(each);
    Analysis unit({largest, largest, 0, 1, 1, largest * largest});
    const auto part = are_exact ? std::optional(without_error(f.k * largest * largest))
                                : unit.run(inner, f.k, {});
    if (!part) return std::nullopt;
    may_overflow_ = may_overflow_ || unit.may_overflow();
    Rational lost = rows.lost;
    Partial all;
    for (int weight = 2 * (slices - 1); weight >= 0; --weight) {
      const Rational unit_of_weight = rational_power_of_two(rows.exponent - (weight + 2) * each);
      for (int i = 0; i < slices; ++i) {
        if (weight - i < 0 || weight - i >= slices) continue;
        if (weight > reach) {
          lost += largest * largest * unit_of_weight;
          continue;
        }
        const Partial stored =
            mmaspec::rounded(scaled(*part, unit_of_weight), nearest(*of), {}, may_overflow_);
        all = mmaspec::rounded(all + stored, nearest(*of), {}, may_overflow_);
      }
    }
    return rounded(moved(all, f.k * lost, Toward::either, lost) + c, nearest(*of));
  }

  /// The exact sum of the integers, rounded once, plus c.
  std::optional<Partial> of_residues(const Ozaki2& scheme, const DotFormats& f, const Partial& c) {
    const auto& [moduli, asked_bits, of] = scheme;
    const int kept = bits_of_integers(scheme, f.k);
    const CutRows rows = cut_rows(*of, kept);
    const Rational largest = largest_of_bits(kept);
    const Partial sum = mmaspec::rounded(
        without_error(f.k * largest * largest * rational_power_of_two(rows.exponent - 2 * kept)),
        nearest(*of), {}, may_overflow_);
    return rounded(moved(sum, f.k * rows.lost, Toward::either, rows.lost) + c, nearest(*of));
  }

  std::optional<Partial> of_plan(const Algorithm& algorithm, const DotFormats& f,
                                 const Partial& c) {
    const auto are_exact = [&] {
      const Instruction plan{"", "", "", f, algorithm, {}};
      return equal_as_exact_sums(plan, plan).has_value();
    };
    if (const auto* plan = scheme_of<Ozaki1>(algorithm)) {
      return of_slices(plan->scheme(), plan->inner(), are_exact(), f, c);
    }
    if (const auto* plan = scheme_of<Ozaki2>(algorithm)) {
      return are_exact() ? of_residues(plan->scheme(), f, c) : std::nullopt;
    }
    const Composition& plan = *algorithm.as<Composed>()->composition;
    return of_schemes<SplitK, Promote, Epilogue, Convert, Permute, RestFirst, Multiword, Markidis,
                      Ootomo, Tf32x3, Bf16x3, Bf16x6, Bf16x9>(plan, f, c);
  }

  OperandRange range_;
  std::optional<Rational> in_order_;  ///< bound of sums of consecutive terms in the current order
  std::optional<Rational> cap_;       ///< bound of the sums that rounded() currently approximates
  bool may_overflow_ = false;
};

}  // namespace

std::optional<ErrorInterval> error_in_range(const Instruction& instruction,
                                            const OperandRange& range) {
  Analysis analysis(range);
  const auto d =
      analysis.result(instruction.algorithm, instruction.formats, analysis.accumulator_of_range());
  if (!d || analysis.may_overflow()) return std::nullopt;
  return ErrorInterval{d->below, d->above, d->squares};
}

}  // namespace mmaspec
