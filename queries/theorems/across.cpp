#include "queries/theorems/across.h"

#include <algorithm>

#include "queries/theorems/added_sums.h"
#include "queries/theorems/known_design.h"
#include "queries/theorems/redundant/idle.h"
#include "queries/theorems/term_bits.h"

namespace mmaspec {
namespace {

/// What a design of this type depends on in an operand, if it has exactly these members. All
/// members are numbers counted from exponents and from units of values, never from a format's bits.
enum class LooksAt { unknown, exponents, values };

LooksAt looks_at(const FusedDotAdd& design) {
  [[maybe_unused]] const auto& [fraction_bits, exponent_floor, zero_terms, zero_exponent, block,
                                result, align_rounding, c_joins, normalized_products, flush_inputs,
                                product_overflow, minus_zero, normalized_c] = design;
  return LooksAt::exponents;
}

LooksAt looks_at(const SplitFp8& design) {
  const auto& [half, chained_halves] = design;
  return looks_at(half);
}

LooksAt looks_at(const RoundDownDotAdd& design) {
  [[maybe_unused]] const auto& [block, groups, product_fraction_bits, sum_fraction_bits,
                                sum_rounding, c_fraction_bits, c_rounding, c_reach,
                                product_overflow, zero_terms, zero_exponent, result,
                                normalized_bits, overflow_joins] = design;
  return LooksAt::exponents;
}

LooksAt looks_at(const BulkNormalizedDotAdd& design) {
  [[maybe_unused]] const auto& [block, guard_bits, dot, result, flush_c, numbers_alone] = design;
  return LooksAt::exponents;
}

LooksAt looks_at(const SequentialFma& design) {
  [[maybe_unused]] const auto& [result, flush_inputs, reversed, chains] = design;
  // A flushed number is subnormal in its format.
  return flush_inputs ? LooksAt::exponents : LooksAt::values;
}

/// The part of a significand that a phase multiplies is counted from its leading bit.
LooksAt looks_at(const PartialProductDotAdd& design) {
  [[maybe_unused]] const auto& [block, group, first_phase, phases, a_bits, b_bits, aligned_bits,
                                fraction_bits, minus_one_wraps, result] = design;
  return LooksAt::exponents;
}

/// Products are rounded below the sum of their factors' exponents.
LooksAt looks_at(const RoundedProductDotAdd& design) {
  [[maybe_unused]] const auto& [block, product_bits, product_rounding, fraction_bits, sum_bits,
                                flush_inputs, result] = design;
  return LooksAt::exponents;
}

/// Products of values and scale factors are added; the conversion is of their sum.
LooksAt looks_at(const F32Chain& design) {
  [[maybe_unused]] const auto& [round] = design;
  return LooksAt::values;
}

LooksAt looks_at(const IntegerDotAdd& design) {
  [[maybe_unused]] const auto& [overflow, group] = design;
  return LooksAt::values;
}

LooksAt looks_at(const FixedPointDotAdd& design) {
  [[maybe_unused]] const auto& [product_rounding, overflow, group] = design;
  return LooksAt::values;
}

LooksAt looks_at(const GroupPairwiseSum& design) {
  [[maybe_unused]] const auto& [group, flush_inputs, step, minus_zero_products] = design;
  return flush_inputs ? LooksAt::exponents : LooksAt::values;
}

LooksAt looks_at(const PairDotAdd& design) {
  [[maybe_unused]] const auto& [fused, flush_inputs, step] = design;
  return flush_inputs ? LooksAt::exponents : LooksAt::values;
}

LooksAt looks_at(const ExactDotAdd& design) {
  [[maybe_unused]] const auto& [block, result] = design;
  return LooksAt::values;
}

template <typename D>
LooksAt looks_at(const D&) {
  return LooksAt::unknown;
}

/// The formats of the operands whose exponents the design depends on.
template <typename D>
DotFormats looked_at(const D&, const DotFormats& formats) {
  return formats;
}

DotFormats looked_at(const SplitFp8&, const DotFormats& formats) { return half_formats(formats); }

template <typename D>
LooksAt looks_at_if_known(const D& design, const DotFormats& formats) {
  // Scale factors multiply exact products, or sums of them.
  if constexpr (requires { is_well_formed_with_scales(design, formats); }) {
    if (is_well_formed_with_scales(design, formats)) return looks_at(design);
  }
  if constexpr (requires { is_well_formed(design, formats); }) {
    return is_well_formed(design, formats) ? looks_at(design) : LooksAt::unknown;
  } else {
    return LooksAt::unknown;
  }
}

bool have_equal_exponents(const Format& x, const Format& y) {
  return x.has_zero && y.has_zero && x.least_exponent() == y.least_exponent();
}

/// The parameters that determine what is cut from a sum.
struct Cut {
  int fraction_bits;
  std::optional<int> floor = {};
  std::optional<int> of_zeros = {};    ///< the exponent that a zero operand counts as, if zeros
                                       ///< count
  std::optional<int> other_unit = {};  ///< a unit of which all terms added to products are
                                       ///< multiples
};

/// True if a sum loses the same bits in both formats. The sum consists of products and of terms
/// that are multiples of cut.other_unit and have the same exponent in both formats. A product with
/// different exponents has a factor that is subnormal in one format, so its exponent is at most
/// `raised`. A largest exponent above `raised` is that of another term or the floor, which is the
/// same in both. With a largest exponent of at most `raised`, nothing is cut from a multiple of the
/// terms' unit.
bool cuts_the_same(const Cut& cut, const DotFormats& x, const DotFormats& y) {
  for (const Format* f : {x.a, x.b, y.a, y.b}) {
    if (!f->has_zero) return false;
  }
  const CommonNumbers a(*x.a, *y.a);
  const CommonNumbers b(*x.b, *y.b);
  const int products = a.lowest_bit + b.lowest_bit;
  const int unit = std::min(products, cut.other_unit.value_or(products));
  const auto decides_nothing = [&](int of_subnormals, int other) {
    const int raised = of_subnormals + std::max(other, cut.of_zeros.value_or(other));
    return (cut.floor && *cut.floor >= raised) || raised - cut.fraction_bits <= unit;
  };
  return (!a.of_subnormals || decides_nothing(*a.of_subnormals, b.largest_exponent)) &&
         (!b.of_subnormals || decides_nothing(*b.of_subnormals, a.largest_exponent));
}

bool cuts_the_same(const FusedDotAdd& design, const DotFormats& x, const DotFormats& y) {
  [[maybe_unused]] const auto& [fraction_bits, exponent_floor, zero_terms, zero_exponent, block,
                                result, align_rounding, c_joins, normalized_products, flush_inputs,
                                product_overflow, minus_zero, normalized_c] = design;
  Cut cut{fraction_bits, exponent_floor};
  if (zero_terms == ZeroTerms::operands_count) cut.of_zeros = zero_exponent;
  cut.other_unit = std::min({lowest_bit(*x.c), lowest_bit(*y.c), lowest_bit(*x.d)});
  return !normalized_products && !flush_inputs && !product_overflow &&
         c_joins == AccumulatorJoins::early && cuts_the_same(cut, x, y);
}

bool cuts_the_same(const SplitFp8& design, const DotFormats& x, const DotFormats& y) {
  [[maybe_unused]] const auto& [half, chained_halves] = design;  // c is added after both halves
  [[maybe_unused]] const auto& [fraction_bits, exponent_floor, zero_terms, zero_exponent, block,
                                result, align_rounding, c_joins, normalized_products, flush_inputs,
                                product_overflow, minus_zero, normalized_c] = half;
  return zero_terms == ZeroTerms::left_out && !normalized_products && !flush_inputs &&
         !product_overflow && c_joins == AccumulatorJoins::early &&
         cuts_the_same(Cut{fraction_bits, exponent_floor}, x, y);
}

bool cuts_the_same(const BulkNormalizedDotAdd& design, const DotFormats& x, const DotFormats& y) {
  // The pseudo-code uses the position of a subnormal sum's units; other sums are numbers to it,
  // too.
  [[maybe_unused]] const auto& [block, guard_bits, dot, result, flush_c, numbers_alone] = design;
  const int lowest = std::max(lowest_product_bit(x), lowest_product_bit(y));
  return (dot == BulkResult::to_odd || lowest >= x.d->least_exponent()) &&
         cuts_the_same(Cut{x.d->fraction_bits + guard_bits}, x, y);
}

template <typename D>
bool cuts_the_same(const D&, const DotFormats&, const DotFormats&) {
  return false;
}

/// Whether the design treats equal values of c in both formats alike.
template <typename D>
bool sees_c_alike(const D&, const DotFormats& x, const DotFormats& y) {
  return *x.c == *y.c;
}

/// A c of a format other than d's is normalized. A c of d's format is normal if all common numbers
/// are normal in both formats.
bool sees_c_alike(const FusedDotAdd& design, const DotFormats& x, const DotFormats& y) {
  if (*x.c == *y.c) return true;
  [[maybe_unused]] const auto& [fraction_bits, exponent_floor, zero_terms, zero_exponent, block,
                                result, align_rounding, c_joins, normalized_products, flush_inputs,
                                product_overflow, minus_zero, normalized_c] = design;
  return block == x.k && !flush_inputs && x.c->has_zero && y.c->has_zero &&
         CommonNumbers(*x.c, *y.c).lowest_bit >= x.d->least_exponent();
}

/// Sums that saturate, with products that are never negative. The first sum that saturates is the
/// largest number, and later sums stay there, for every group size.
bool only_grow(const Instruction& first, const Instruction& second) {
  const DotFormats& x = first.formats;
  const DotFormats& y = second.formats;
  const auto saturates = [](const Instruction& i) {
    const auto* sum = known<IntegerDotAdd>(i.algorithm, i.formats);
    if (sum == nullptr) return false;
    [[maybe_unused]] const auto& [overflow, group] = *sum;
    return overflow == IntegerOverflow::saturate && *i.formats.c == *i.formats.d;
  };
  return saturates(first) && saturates(second) && *x.d == *y.d && x.k == y.k &&
         !(x.a->has_sign && y.a->has_sign) && !(x.b->has_sign && y.b->has_sign);
}

/// A chain of scaled blocks is one design of the whole K: each block's sum is added to the last
/// result, and nothing else depends on c. nullopt: the instruction is something else.
std::optional<Instruction> as_whole(const Instruction& instruction) {
  const auto* chain = known<Chained>(instruction.algorithm, instruction.formats);
  if (chain == nullptr) return std::nullopt;
  const auto& [step, step_formats] = *chain;
  if (known_with_scales<SequentialFma>(*step, step_formats) == nullptr) return std::nullopt;
  Instruction whole = instruction;
  whole.algorithm = *step;
  return whole;
}

/// The common values that two formats hold make every product exact, if this holds: few enough bits
/// for the step's format, and exponents within it.
bool holds_common_products(const ResultFormat& step, const DotFormats& x, const DotFormats& y) {
  const CommonNumbers a(*x.a, *y.a);
  const CommonNumbers b(*x.b, *y.b);
  const int bits = a.fraction_bits + b.fraction_bits + 1;
  const int kept = step.fraction_bits();
  return step.underflow == Underflow::gradual && bits <= kept &&
         a.lowest_bit + b.lowest_bit >= x.d->least_exponent() - kept &&
         a.largest_exponent + b.largest_exponent + 1 <= x.d->largest_exponent();
}

/// A design that adds each pair's rounded sum to c.
struct RoundedPairs {
  ResultFormat step;
  bool flush_inputs;
  bool rounds_products;  ///< before they are added
};

std::optional<RoundedPairs> rounded_pairs(const Instruction& i) {
  if (const auto* pairs = known<PairDotAdd>(i.algorithm, i.formats)) {
    const auto& [fused, flush_inputs, step] = *pairs;
    return RoundedPairs{step, flush_inputs, !fused};
  }
  const auto* sum = known<GroupPairwiseSum>(i.algorithm, i.formats);
  if (sum == nullptr) return std::nullopt;
  const auto& [group, flush_inputs, step, minus_zero_products] = *sum;  // signs of zeros may differ
  if (group != 2) return std::nullopt;
  return RoundedPairs{step, flush_inputs, true};
}

/// Designs with the same rounding of the same pairs. Without flushing, exact products make rounding
/// them redundant. With flushing, the formats must be the same, and no result may be subnormal: the
/// designs differ in whether they flush results before the next step.
bool are_rounded_pairs(const Instruction& first, const Instruction& second) {
  const DotFormats& x = first.formats;
  const DotFormats& y = second.formats;
  const auto one = rounded_pairs(first);
  const auto two = rounded_pairs(second);
  if (!one || !two || !(one->step == two->step) || one->flush_inputs != two->flush_inputs ||
      x.k != y.k || x.k % 2 != 0 || !(*x.c == *y.c) || !(*x.d == *y.d)) {
    return false;
  }
  if (!one->flush_inputs && holds_common_products(one->step, x, y)) return true;
  const auto is_ieee = [](const Format* f) { return f->specials == Specials::ieee; };
  return x == y && one->rounds_products && two->rounds_products && is_ieee(x.a) && is_ieee(x.b) &&
         is_ieee(x.c) && is_ieee(x.d) &&
         (!one->flush_inputs || one->step.underflow != Underflow::gradual);
}

/// Sums of all products of a block that lose no bit, rounded and added alike.
bool are_exact_bulk_sums(const Instruction& first, const Instruction& second) {
  const DotFormats& x = first.formats;
  const DotFormats& y = second.formats;
  const auto exact = [](const Instruction& i) -> const BulkNormalizedDotAdd* {
    const auto* bulk = known<BulkNormalizedDotAdd>(i.algorithm, i.formats);
    if (bulk == nullptr) bulk = known_with_scales<BulkNormalizedDotAdd>(i.algorithm, i.formats);
    return bulk != nullptr && jams_nothing(*bulk, i.formats) ? bulk : nullptr;
  };
  const auto* one = exact(first);
  const auto* two = exact(second);
  if (one == nullptr || two == nullptr) return false;
  // Guard bits have no effect then, nor does the meaning of patterns that are not finite.
  const auto& [block, guard_bits, dot, result, flush_c, numbers_alone] = *one;
  return dot == BulkResult::to_odd && two->dot == dot && two->block == block &&
         two->result == result && two->flush_c == flush_c && x.k == y.k && *x.c == *y.c &&
         *x.d == *y.d;
}

/// Scale factors of the same format are equal numbers with equal exponents.
bool have_equal_scales(const DotFormats& x, const DotFormats& y) {
  if (x.scale == nullptr || y.scale == nullptr) return x.scale == y.scale;
  return *x.scale == *y.scale && x.scale_block == y.scale_block;
}

/// Whether the design, with the formats of a, b and c of either instruction, computes the same for
/// equal numbers.
bool computes_the_same(const Algorithm& algorithm, const DotFormats& x, const DotFormats& y) {
  if (x.k != y.k || !(*x.d == *y.d) || !have_equal_scales(x, y)) return false;
  return std::visit(
      [&](const auto& design) {
        const LooksAt what = looks_at_if_known(design, x);
        if (what == LooksAt::unknown || what != looks_at_if_known(design, y) ||
            !sees_c_alike(design, x, y)) {
          return false;
        }
        const DotFormats in_x = looked_at(design, x);
        const DotFormats in_y = looked_at(design, y);
        return what == LooksAt::values ||
               (have_equal_exponents(*in_x.a, *in_y.a) && have_equal_exponents(*in_x.b, *in_y.b)) ||
               (x.scale == nullptr && cuts_the_same(design, in_x, in_y));
      },
      algorithm.design());
}

/// For each operand: the format whose numbers the other format contains, otherwise the first one's.
/// It contains all common numbers.
DotFormats narrower(const DotFormats& x, const DotFormats& y) {
  const auto of = [](const Format* f, const Format* g) {
    const bool holds_all = f->largest_exponent() >= g->largest_exponent() &&
                           f->fraction_bits >= g->fraction_bits && lowest_bit(*f) <= lowest_bit(*g);
    return holds_all ? g : f;
  };
  DotFormats narrow = x;
  narrow.a = of(x.a, y.a);
  narrow.b = of(x.b, y.b);
  narrow.c = of(x.c, y.c);
  return narrow;
}

}  // namespace

std::optional<Argument> equal_on_common_values(const Instruction& first,
                                               const Instruction& second) {
  const DotFormats& x = first.formats;
  const DotFormats& y = second.formats;
  const auto proved = [](std::string because) {
    return Argument{TrustedTheorem::common_values, std::move(because)};
  };
  if (only_grow(first, second)) {
    return proved("sums of products that are never negative saturate alike, in groups of any size");
  }
  if (are_exact_bulk_sums(first, second) && have_equal_scales(x, y)) {
    return proved("both add exact sums of products to c, and round alike");
  }
  if (are_rounded_pairs(first, second)) {
    return proved("both add the rounded sum of two products to c, and round alike");
  }
  if (add_the_same_sums(first, second)) {
    return Argument{TrustedTheorem::added_sums,
                    "both add the same sums of exact products to c, and round alike"};
  }
  const std::optional<Instruction> first_whole = as_whole(first);
  const std::optional<Instruction> second_whole = as_whole(second);
  if (first_whole || second_whole) {  // neither is a chain again
    return equal_on_common_values(first_whole.value_or(first), second_whole.value_or(second));
  }
  const bool same = first.algorithm == second.algorithm;
  const std::string alike = "they compute the same with the same numbers";
  if (same && x == y) return proved("they are one design");
  if (same && computes_the_same(first.algorithm, x, y)) return proved(alike);

  const Algorithm one = without_idle_parameters(first.algorithm, x);
  const std::string idle = "the parameters in which they differ have no effect for these formats";
  if (one == without_idle_parameters(second.algorithm, y)) {
    if (x == y) return proved(idle);
    if (computes_the_same(one, x, y)) return proved(alike + (same ? "" : ", and " + idle));
  }
  // Compare them as designs of formats without further numbers, where more parameters are
  // redundant.
  const DotFormats narrow = narrower(x, y);
  const bool equal = computes_the_same(first.algorithm, x, narrow) &&
                     computes_the_same(second.algorithm, y, narrow) &&
                     without_idle_parameters(first.algorithm, narrow) ==
                         without_idle_parameters(second.algorithm, narrow);
  return argument_if(equal, TrustedTheorem::common_values, alike + ", and " + idle);
}

}  // namespace mmaspec
