#include "queries/theorems/added_sums.h"

#include <algorithm>

#include "queries/theorems/known_design.h"
#include "queries/theorems/magnitudes.h"
#include "queries/theorems/term_bits.h"

namespace mmaspec {
namespace {

/// Products of numbers that two pairs of formats hold.
struct CommonProducts {
  CommonProducts(const DotFormats& x, const DotFormats& y)
      : a(*x.a, *y.a),
        b(*x.b, *y.b),
        lowest_bit(a.lowest_bit + b.lowest_bit),
        fraction_bits(a.fraction_bits + b.fraction_bits + 1) {}

  /// The magnitude of a sum of `count` products is below 2^n.
  [[nodiscard]] int below(int count) const {
    return a.largest_exponent + b.largest_exponent + 2 + ceil_log2(count);
  }

  CommonNumbers a;
  CommonNumbers b;
  int lowest_bit;  ///< all products are multiples of its power of two
  int fraction_bits;
};

/// The largest exponent of a product in a design that decomposes operands in formats `f`. A number
/// that is subnormal there has the format's least exponent.
int largest_exponent(const DotFormats& f, const CommonProducts& products) {
  return std::max(products.a.largest_exponent, f.a->least_exponent()) +
         std::max(products.b.largest_exponent, f.b->least_exponent());
}

/// True if rounding a sum of `count` products, or any part of it, to a step's result never changes
/// it.
bool holds_sums(const ResultFormat& step, int count, const CommonProducts& products) {
  const auto& [format, rounding, underflow, overflow, kept] = step;
  const int precision = step.fraction_bits() + 1;
  const int least = format->least_exponent();
  const int lowest = underflow == Underflow::gradual ? least - step.fraction_bits() : least;
  const int bits = products.below(count) - products.lowest_bit;
  const bool few_bits =
      bits <= precision || (count == 1 && products.fraction_bits + 1 <= precision);
  return few_bits && products.lowest_bit >= lowest &&
         products.below(count) <= format->largest_exponent() + 1;
}

/// d = c, then for each group of products in turn: d = round(d + their sum).
struct AddedSums {
  int group;    ///< products in one sum, in the order of k
  bool rounds;  ///< the exact sum is rounded like the result before it is added
  ResultFormat step;

  friend bool operator==(const AddedSums&, const AddedSums&) = default;
};

std::optional<AddedSums> added(const SequentialFma& design, const DotFormats&,
                               const CommonProducts&) {
  const auto& [result, flush_inputs, reversed, chains] = design;
  if (flush_inputs || reversed != 1 || chains != 1) return std::nullopt;
  return AddedSums{1, false, result};
}

std::optional<AddedSums> added(const ExactDotAdd& design, const DotFormats&,
                               const CommonProducts&) {
  const auto& [block, result] = design;
  return AddedSums{block, false, result};
}

std::optional<AddedSums> added(const GroupPairwiseSum& design, const DotFormats&,
                               const CommonProducts& products) {
  // minus_zero_products is about the sign of a zero.
  const auto& [group, flush_inputs, step, minus_zero_products] = design;
  const int exact = group <= 2 ? 1 : group;  // the sum of two is rounded once
  if (flush_inputs || !holds_sums(step, exact, products)) return std::nullopt;
  return AddedSums{group, true, step};
}

std::optional<AddedSums> added(const PairDotAdd& design, const DotFormats&,
                               const CommonProducts& products) {
  const auto& [fused, flush_inputs, step] = design;
  if (flush_inputs || !(fused || holds_sums(step, 1, products))) return std::nullopt;
  return AddedSums{2, true, step};
}

std::optional<AddedSums> added(const BulkNormalizedDotAdd& design, const DotFormats& f,
                               const CommonProducts& products) {
  const auto& [block, guard_bits, dot, result, flush_c, numbers_alone] = design;
  const int kept = f.d->fraction_bits + guard_bits;  // below the largest exponent
  const bool exact = largest_exponent(f, products) - kept <= products.lowest_bit;
  if (dot != BulkResult::to_odd || flush_c || numbers_alone || !exact) return std::nullopt;
  return AddedSums{block, true, result};
}

/// Both halves are exact, and their sum is: c is added to it, rounded to nearest even.
std::optional<AddedSums> added(const SplitFp8& design, const DotFormats& f,
                               const CommonProducts& products) {
  // What an addition without an error rounds to has no effect. The halves add zeros to products.
  const auto& [half, chained_halves] = design;
  const auto& [fraction_bits, exponent_floor, zero_terms, zero_exponent, block, result,
               align_rounding, c_joins, normalized_products, flush_inputs, product_overflow,
               minus_zero, normalized_c] = half;
  if (zero_terms != ZeroTerms::left_out || c_joins != AccumulatorJoins::early ||
      normalized_products || flush_inputs || product_overflow) {
    return std::nullopt;
  }
  const DotFormats in = half_formats(f);
  // The second half's c is the first one's sum.
  int largest =
      std::max({largest_exponent(in, products), products.below(in.k) - 1, in.c->least_exponent()});
  if (exponent_floor) largest = std::max(largest, *exponent_floor);
  const ResultFormat nearest{f.d, Rounding::nearest_even};
  if (largest - fraction_bits > products.lowest_bit || !holds_sums(result, f.k, products) ||
      !holds_sums(nearest, f.k, products)) {
    return std::nullopt;
  }
  return AddedSums{f.k, false, nearest};
}

template <typename D>
std::optional<AddedSums> added_if_known(const Algorithm& algorithm, const DotFormats& f,
                                        const CommonProducts& products) {
  const D* design = known<D>(algorithm, f);
  return design != nullptr ? added(*design, f, products) : std::nullopt;
}

std::optional<AddedSums> added_sums(const Algorithm& algorithm, const DotFormats& f,
                                    const CommonProducts& products) {
  if (f.scale != nullptr) return std::nullopt;
  if (const auto* chain = known<Chained>(algorithm, f)) {
    const auto& [step, step_formats] = *chain;
    return added_sums(*step, step_formats, products);
  }
  std::optional<AddedSums> sums = added_if_known<SequentialFma>(algorithm, f, products);
  if (!sums) sums = added_if_known<ExactDotAdd>(algorithm, f, products);
  if (!sums) sums = added_if_known<GroupPairwiseSum>(algorithm, f, products);
  if (!sums) sums = added_if_known<PairDotAdd>(algorithm, f, products);
  if (!sums) sums = added_if_known<BulkNormalizedDotAdd>(algorithm, f, products);
  if (!sums) sums = added_if_known<SplitFp8>(algorithm, f, products);
  if (sums && holds_sums(sums->step, sums->group, products)) sums->rounds = false;
  return sums;
}

}  // namespace

bool add_the_same_sums(const Instruction& first, const Instruction& second) {
  const DotFormats& x = first.formats;
  const DotFormats& y = second.formats;
  for (const Format* f : {x.a, x.b, y.a, y.b, x.c, y.c, x.d, y.d}) {
    if (f->is_integer() || !f->has_zero) return false;
  }
  if (x.k != y.k || !(*x.c == *y.c) || !(*x.d == *y.d) || x.d->specials != Specials::ieee) {
    return false;
  }
  const CommonProducts products(x, y);
  const auto sums = added_sums(first.algorithm, x, products);
  return sums && sums == added_sums(second.algorithm, y, products);
}

}  // namespace mmaspec
