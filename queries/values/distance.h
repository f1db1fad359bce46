#pragma once
/// Distances and differences of two results on numbers, in exact rational arithmetic. They confirm
/// witnesses; queries/numbers/difference.h has the same in the language.

#include <optional>

#include "queries/numbers/difference.h"

namespace mmaspec {

/// The index of a number, as ordinal() of queries/numbers/difference.h.
Integer ordinal(const Format& format, const Integer& pattern);

/// True if the results differ in this sense.
bool differ(const Difference& difference, const Format& first, const Integer& d_first,
            const Format& second, const Integer& d_second);

/// The distance in ulp as queries/numbers/difference.h defines it; nullopt if it exceeds every
/// bound (one result is NaN, or, for two formats, one is infinite and the other is not the same
/// infinity).
std::optional<Integer> ulp_distance(const Format& first, const Integer& d_first,
                                    const Format& second, const Integer& d_second);

}  // namespace mmaspec
