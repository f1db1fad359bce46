#pragma once
/// Upper and lower bounds of the magnitudes that a design adds, and what its results then cannot
/// show.

#include <optional>

#include "spec/algorithms/algorithm.h"
#include "spec/formats/text.h"

namespace mmaspec {

/// The least n with x <= 2^n, for x >= 1. A sum of x terms exceeds their largest exponent by at
/// most n.
int ceil_log2(int x);

/// The largest finite number of the format.
Rational largest_number(const Format& f);

/// An n such that the magnitude of every sum of `count` products, scaled or not, is below 2^n if no
/// product is infinite. `overflow`: products from 2^overflow on are infinite.
int products_below(const DotFormats& f, int count, std::optional<int> overflow = {});

/// True if no finite c overflows when products are added to it. This holds if, next to a c near the
/// largest number, all products of a step are less than a quarter of c's last bit; if rounding is
/// inward, to odd, or to nearest among numbers at least as dense as c's; and if cutting does not
/// make any term larger. (A c that is smaller by one bit leaves more room.)
bool stays_within(const ResultFormat& result, int at_once, const DotFormats& f,
                  std::optional<int> product_overflow = {});

/// True if no intermediate sum is rounded beyond d's largest number. It covers `steps` steps with a
/// block of products each. Only terms may raise the largest exponent above that of 1. The sum
/// starts from c if c takes part, else from zero.
bool stays_small(const FusedDotAdd& design, const DotFormats& f, int block, int steps,
                 bool c_takes_part);

/// True if rounding a product to a result never changes it.
bool products_are_exact(const ResultFormat& result, const DotFormats& f);

/// The same for every sum of at most `count` products.
bool sums_are_exact(const ResultFormat& result, int count, const DotFormats& f);

/// True if every product, and every c if it takes part, is a multiple of a power of two that is
/// normal in d's format. All sums of them are then such multiples too, also after cutting and
/// rounding, so no sum is a nonzero subnormal.
bool never_subnormal(const DotFormats& f, bool c_takes_part);

/// The same if subnormals among a, b and c are flushed, so that c is normal or zero. A c below half
/// of the products' unit is the only term that makes the sum not a multiple of that unit, and it
/// changes a smaller sum by at most half. A larger c is a multiple of a normal number. The same
/// holds for sums without c and for results that are the c of the next step.
bool never_subnormal_of_normal(const DotFormats& f, int product_unit);

/// The result's parameters with redundant ones set to canonical values.
ResultFormat plain(ResultFormat result, bool no_subnormals, bool no_overflow);

/// For rounding toward one side: results of the other sign are rounded toward zero. If rounding
/// toward zero cannot overflow, every overflow is infinite.
ResultFormat one_sided(ResultFormat result, int at_once, const DotFormats& f);

}  // namespace mmaspec
