#pragma once
/// The exact result with which algorithms are compared, and its neighbours in a format, on numbers.
/// queries/numbers/exact.h has the exact result in the language.

#include <optional>
#include <vector>

#include "concrete/dot/model.h"
#include "spec/formats/text.h"

namespace mmaspec {

/// The products and c, as exact numbers; nullopt if an operand is not finite.
std::optional<std::vector<Rational>> exact_terms(const DotFormats& formats,
                                                 const DotValues& values);
/// Their sum.
std::optional<Rational> exact_dot(const DotFormats& formats, const DotValues& values);

/// |d - exact| in ulp of the largest term: the unit in the last place of a number of d's format
/// with that term's exponent (at least d's least). nullopt if an operand or d is not finite.
std::optional<Rational> error_in_ulp(const DotFormats& formats, const DotValues& values,
                                     const Integer& d);

/// The largest number of the format that is at most x, and the smallest that is at least x; equal
/// if the format holds x. Beyond the largest number the neighbour is infinity, or NaN if the format
/// does not have infinities. Throws std::logic_error if it has neither, and for integer formats.
struct Neighbours {
  Integer below;
  Integer above;
};
Neighbours neighbours(const Format& format, const Rational& x);
/// The pattern of the largest finite number that is at most x >= 0.
Integer largest_at_most(const Format& format, const Rational& x);
/// The nearest number, ties to the even significand. From half a unit beyond the largest number on:
/// infinity (or NaN, or std::logic_error, as above).
Integer nearest_even(const Format& format, const Rational& x);

/// The pattern of -x, where x is not a NaN; for integers modulo 2^storage_bits.
Integer negated(const Format& format, const Integer& pattern);

/// Equality of results as values: all NaNs are equal, and both zeros are.
bool same_value(const Format& format, const Integer& x, const Integer& y);

}  // namespace mmaspec
