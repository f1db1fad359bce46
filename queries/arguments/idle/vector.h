#pragma once
/// Parameters that no input shows (queries/arguments/idle/idle.h) of the algorithms of vector
/// units.

#include "spec/algorithms/algorithm.h"

namespace mmaspec {

/// The same results, for a well-formed design, with what no input shows said one way.
///
/// Bulk-normalized: guard bits beyond those that reach every product's last bit, or, of two
/// products, beyond those that rounding looks at; underflow where every sum is a multiple of a
/// number that is normal, or c is normal or zero and products are far above it; overflow where the
/// products are too small to carry c beyond the largest number. Of one product, another algorithm.
Algorithm without_idle(const BulkNormalizedDotAdd& design, const DotFormats& f);

/// Ones' complement: what a zero c counts, where products that are cut by it are none, or all come
/// to results that are flushed; overflow and underflow; and roundings that only the last bit of an
/// f32 shows, of which d is the high part.
OnesComplementDotAdd without_idle(const OnesComplementDotAdd& design, const DotFormats& f);

/// Floored: overflow.
FlooredDotAdd without_idle(const FlooredDotAdd& design, const DotFormats& f);

/// Products in parts: underflow where all that is tiny is a multiple of the least subnormal number;
/// overflow.
PartialProductDotAdd without_idle(const PartialProductDotAdd& design, const DotFormats& f);

/// Integers: sums that d always holds do not saturate; where no product is negative, how many are
/// added at a time makes no difference.
IntegerDotAdd without_idle(const IntegerDotAdd& design, const DotFormats& f);

}  // namespace mmaspec
