#include "queries/errors/partial_product_error.h"

#include <algorithm>

namespace mmaspec {
namespace {

constexpr int kWrapped = 27;  // a sum of -1 units counts as -2^27 units

/// |d| <= factor * |sum|; nullopt: this is not known.
std::optional<Rational> growth_of_rounding(const ResultFormat& result) {
  if (result.rounding == Rounding::toward_zero) return Rational(1);
  const bool to_nearest =
      result.rounding == Rounding::nearest_even || result.rounding == Rounding::nearest_away;
  if (!to_nearest || result.underflow != Underflow::flush_tiny) return std::nullopt;
  return 1 + rational_power_of_two(-result.fraction_bits() - 1);
}

/// Bounds of the accumulator, in multiples of the largest term L.
class Accumulator {
 public:
  Accumulator(const PartialProductDotAdd& design, const DotFormats& formats)
      : design_(design),
        groups_(design.block / design.group),
        // A zero operand counts an exponent of one below its format's least, and every group at
        // least one below d's least exponent, which is below that of L.
        zeros_count_(formats.a->least_exponent() + formats.b->least_exponent() - 2 >
                     formats.d->least_exponent() - 1) {}

  bool zeros_count() const { return zeros_count_; }

  /// The magnitude of the sum of a step in which all products are zeros. Their exponent may exceed
  /// that of L: each rounding of c doubles its magnitude at most.
  std::optional<Rational> step_of_zeros(const Rational& c) const {
    if (design_.minus_one_wraps) return std::nullopt;
    return (design_.fraction_bits < design_.aligned_bits ? 4 : 2) * c;
  }

  /// The magnitude of the sum of a step that starts from a magnitude of at most c. If zeros count,
  /// some product is not zero: its exponent, at most that of L, exceeds that of zeros.
  std::optional<Rational> step(const Rational& c) const {
    const bool rounds_twice = design_.fraction_bits < design_.aligned_bits;
    const Rational products =
        design_.block * (1 + rational_power_of_two(-(design_.a_bits + design_.b_bits - 2) - 1));
    // Of one term, in multiples of 2^e_max.
    const Rational lost =
        rational_power_of_two(-design_.aligned_bits - 1) +
        (rounds_twice ? rational_power_of_two(-design_.fraction_bits - 1) : Rational(0));
    const Rational all_lost = (groups_ + 1) * lost;
    const Rational sum = products + c + all_lost * std::max(Rational(1), c);
    if (!design_.minus_one_wraps) return sum;
    // 2^e_max is at most L, or at most |c|, which is then at most what cancels it and one unit.
    const Rational rest = 1 - rational_power_of_two(-design_.fraction_bits) - all_lost;
    if (rest <= 0) return std::nullopt;
    const Rational largest = std::max(Rational(1), Rational(products / rest));
    return std::max(sum,
                    Rational(rational_power_of_two(kWrapped - design_.fraction_bits) * largest));
  }

 private:
  const PartialProductDotAdd& design_;
  int groups_;
  bool zeros_count_;
};

}  // namespace

std::optional<Rational> partial_product_error(const PartialProductDotAdd& design,
                                              const DotFormats& formats) {
  const auto growth = growth_of_rounding(design.result);
  if (!growth) return std::nullopt;
  const Accumulator accumulator(design, formats);
  // The steps of a chain may differ in whether all their products are zeros.
  Rational c = 1;
  for (int i = 0; i < design.phases * (formats.k / design.block); ++i) {
    auto sum = accumulator.step(c);
    if (sum && accumulator.zeros_count()) {
      const auto of_zeros = accumulator.step_of_zeros(c);
      sum = of_zeros ? std::optional(std::max(*sum, *of_zeros)) : std::nullopt;
    }
    if (!sum) return std::nullopt;
    c = *growth * *sum;
  }
  // L is less than 2^(fraction bits + 1) ulp.
  return (c + formats.k + 1) * rational_power_of_two(formats.d->fraction_bits + 1);
}

}  // namespace mmaspec
