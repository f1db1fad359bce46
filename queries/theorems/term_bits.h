#pragma once
/// Positions of the bits of a dot product's terms, from their formats.

#include "spec/algorithms/vector/bulk_normalized_dot_add.h"
#include "spec/parts/dot_add.h"

namespace mmaspec {

/// The exponent of the lowest bit of a format's numbers, and of products.
inline int lowest_bit(const Format& f) { return f.least_exponent() - f.fraction_bits; }
inline int lowest_product_bit(const DotFormats& f) { return lowest_bit(*f.a) + lowest_bit(*f.b); }

/// The largest number of fraction bits of a product of two normal numbers.
inline int product_bits(const DotFormats& f) { return f.a->fraction_bits + f.b->fraction_bits + 1; }

/// True if the guard bits reach from the largest product to the last bit of the smallest, so that
/// no product is jammed into a sticky bit.
inline bool jams_nothing(const BulkNormalizedDotAdd& design, const DotFormats& f) {
  const int span = f.a->largest_exponent() + f.b->largest_exponent() - lowest_product_bit(f);
  return f.d->fraction_bits + design.guard_bits >= span;
}

}  // namespace mmaspec
