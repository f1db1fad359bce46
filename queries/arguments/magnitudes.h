#pragma once
/// How large what a design adds becomes, at most, and how small; and what its results do not show
/// then.

#include <optional>

#include "spec/algorithms/algorithm.h"
#include "spec/formats/text.h"

namespace mmaspec {

/// The least n with x <= 2^n, x >= 1: what a sum of x terms adds to their largest exponent.
int ceil_log2(int x);

/// The largest finite number.
Rational largest_number(const Format& f);

/// A sum of so many products, scaled or not, is less than two to this power, if none is infinite.
/// `overflow`: those from 2^this on are.
int products_below(const DotFormats& f, int count, std::optional<int> overflow = {});

/// No finite c overflows where products are added to it. Beside a c that is near the largest number
/// all products of a step are less than a quarter of its last bit; rounding is inward, to odd, or
/// to the nearest of numbers that are no fewer than c's. So nothing becomes larger than the
/// largest, if what is cut makes no term larger. (A c that is smaller by a bit leaves more.)
bool stays_within(const ResultFormat& result, int at_once, const DotFormats& f,
                  std::optional<int> product_overflow = {});

/// No sum on the way is rounded beyond d's largest number: of so many steps of a block of products,
/// where nothing but terms raises the largest exponent above that of 1, from c (which takes part)
/// or from zero.
bool stays_small(const FusedDotAdd& design, const DotFormats& f, int block, int steps,
                 bool c_takes_part);

/// Rounding a product to a result changes none.
bool products_are_exact(const ResultFormat& result, const DotFormats& f);

/// Every product, and every c, is a multiple of 2^unit: so is every sum of them, whatever is cut of
/// it, and whatever it is rounded to. None is then a number between zero and the least normal one.
bool never_subnormal(const DotFormats& f, bool c_takes_part);

/// Subnormals among a, b and c are flushed, so that c is normal or zero. Where it is less than half
/// of the products' unit, it alone makes a sum that is no multiple of that unit, and then no more
/// than half of one smaller than they are; a larger one is a multiple of some normal number. So are
/// sums that c has no part in, and all that results of earlier steps make as the next ones' c.
bool never_subnormal_of_normal(const DotFormats& f, int product_unit);

/// The result with what no input shows left out.
ResultFormat plain(ResultFormat result, bool no_subnormals, bool no_overflow);

/// Rounding to one side, what overflows on the other would be made larger by rounding to zero:
/// where that does not overflow, all that does is infinite.
ResultFormat one_sided(ResultFormat result, int at_once, const DotFormats& f);

}  // namespace mmaspec
