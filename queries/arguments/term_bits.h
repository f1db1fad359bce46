#pragma once
/// Where the bits of a dot product's terms lie, by their formats.

#include "spec/algorithms/vector/bulk_normalized_dot_add.h"
#include "spec/parts/dot_add.h"

namespace mmaspec {

/// The exponents of the lowest bits of a format's numbers, and of products'.
inline int lowest_bit(const Format& f) { return f.least_exponent() - f.fraction_bits; }
inline int lowest_product_bit(const DotFormats& f) { return lowest_bit(*f.a) + lowest_bit(*f.b); }

/// A product of two normal numbers has no more fraction bits.
inline int product_bits(const DotFormats& f) { return f.a->fraction_bits + f.b->fraction_bits + 1; }

/// Whether the guard bits reach from the largest product to the last bit of the least, so that no
/// product is jammed, whatever the largest one is.
inline bool jams_nothing(const BulkNormalizedDotAdd& design, const DotFormats& f) {
  const int span = f.a->largest_exponent() + f.b->largest_exponent() - lowest_product_bit(f);
  return f.d->fraction_bits + design.guard_bits >= span;
}

}  // namespace mmaspec
