#pragma once
/// Redundant parameters (queries/theorems/redundant/idle.h) of the algorithms of vector units.

#include "spec/algorithms/algorithm.h"

namespace mmaspec {

/// The guard bits of a bulk-normalized design whose guard bits reach the last bit of every product.
constexpr int kReachesAll = 64;

/// An equal design, for a well-formed one, with every redundant parameter set to a canonical value:
///
/// Bulk-normalized:
/// - Guard bits below the last bit of every product, or, for two products, below all bits that
///   rounding depends on.
/// - Underflow, if every sum is a multiple of a normal number, or if c is normal or zero and the
///   products are far above it.
/// - Overflow, if the products are too small to move c beyond the largest number.
/// - With one product, or if a result holds every sum of a block, it becomes another algorithm.
Algorithm without_idle(const BulkNormalizedDotAdd& design, const DotFormats& f);

/// Ones' complement: the exponent that a zero c counts as, if it cuts no products or if all such
/// results are flushed; overflow and underflow; and rounding modes that differ only in the last bit
/// of an f32 of which d is the high part.
OnesComplementDotAdd without_idle(const OnesComplementDotAdd& design, const DotFormats& f);

/// Floored: overflow.
FlooredDotAdd without_idle(const FlooredDotAdd& design, const DotFormats& f);

/// Products in parts: underflow where all that is tiny is a multiple of the least subnormal number;
/// overflow.
PartialProductDotAdd without_idle(const PartialProductDotAdd& design, const DotFormats& f);

/// Integers: saturation, if d always holds the sum; the number of products that are added at a
/// time, if no product is negative.
IntegerDotAdd without_idle(const IntegerDotAdd& design, const DotFormats& f);

/// Fixed point: the rounding of products, if none loses a bit; saturation, if d always holds the
/// sum.
FixedPointDotAdd without_idle(const FixedPointDotAdd& design, const DotFormats& f);

}  // namespace mmaspec
