#pragma once
/// Positions of the bits of a dot product's terms, from their formats.

#include <algorithm>
#include <optional>

#include "spec/algorithms/vector/bulk_normalized_dot_add.h"
#include "spec/parts/dot_add.h"

namespace mmaspec {

/// The exponent of the lowest bit of a format's numbers, and of products.
inline int lowest_bit(const Format& f) { return f.least_exponent() - f.fraction_bits; }
inline int lowest_product_bit(const DotFormats& f) { return lowest_bit(*f.a) + lowest_bit(*f.b); }

/// The largest number of fraction bits of a product of two normal numbers.
inline int product_bits(const DotFormats& f) { return f.a->fraction_bits + f.b->fraction_bits + 1; }

/// Numbers that two formats hold.
struct CommonNumbers {
  CommonNumbers(const Format& x, const Format& y)
      : largest_exponent(std::min(x.largest_exponent(), y.largest_exponent())),
        lowest_bit(std::max(mmaspec::lowest_bit(x), mmaspec::lowest_bit(y))),
        fraction_bits(std::min(x.fraction_bits, y.fraction_bits)) {
    if (x.least_exponent() != y.least_exponent()) {
      of_subnormals = std::max(x.least_exponent(), y.least_exponent());
    }
  }

  int largest_exponent;
  int lowest_bit;
  int fraction_bits;
  std::optional<int> of_subnormals;  ///< the largest, if the formats give them different exponents
};

/// True if the guard bits reach from the largest product to the last bit of the smallest, so that
/// no product is jammed into a sticky bit. The products of one sum must share their scale factors,
/// whose significands then lengthen all products alike.
inline bool jams_nothing(const BulkNormalizedDotAdd& design, const DotFormats& f) {
  int span = f.a->largest_exponent() + f.b->largest_exponent() - lowest_product_bit(f);
  // Patterns of infinities and NaNs are numbers with one more exponent.
  for (const Format* factor : {f.a, f.b}) {
    if (design.numbers_alone && factor->specials == Specials::ieee) ++span;
  }
  if (f.scale != nullptr) {
    if (f.scale_block % design.block != 0) return false;
    span += 2 * f.scale->fraction_bits;
  }
  return f.d->fraction_bits + design.guard_bits >= span;
}

/// True if each product without its scale factors is a number of d's format: rounded to it, or a
/// sum of such numbers rounded below the least normal number, it does not change.
inline bool holds_unscaled_products(const ResultFormat& result, const DotFormats& f) {
  const auto& [format, rounding, underflow, overflow, kept] = result;
  return underflow == Underflow::gradual && product_bits(f) <= result.fraction_bits() &&
         lowest_product_bit(f) >= f.d->least_exponent() - result.fraction_bits() &&
         f.a->largest_exponent() + f.b->largest_exponent() + 1 <= f.d->largest_exponent();
}

}  // namespace mmaspec
