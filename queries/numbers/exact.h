#pragma once
/// The exact result, which algorithms are compared with: in the language and on numbers.

#include <optional>
#include <vector>

#include "concrete/dot/model.h"
#include "spec/formats/round.h"
#include "spec/formats/text.h"

namespace mmaspec {

/// c + sum a[k] * b[k] rounded once into d's format, in the current graph; operands must be finite.
/// Overflow as IEEE 754 has it: the rounding decides between infinity and the largest number.
Int exact_rounded(const DotFormats& formats, const DotOperands& operands, Rounding rounding);

/// The operands' exact terms as integers of one unit, in the current graph; operands must be
/// finite. As wide as the formats' ranges make them: for questions about the exact result itself.
struct ExactTerms {
  std::vector<Int> terms;  ///< the products, then c
  int unit;                ///< their value is that many powers of two
};
ExactTerms exact_terms(const DotFormats& formats, const DotOperands& operands);
/// A finite pattern in the same unit, which must be at most the format's least.
Int in_unit(const Format& format, Int pattern, int unit);

/// The products and c, as exact numbers; nullopt if an operand is not finite.
std::optional<std::vector<Rational>> exact_terms(const DotFormats& formats,
                                                 const DotValues& values);
/// Their sum.
std::optional<Rational> exact_dot(const DotFormats& formats, const DotValues& values);

/// |d - exact| in ulp of the largest term, the unit in the last place of a number of d's format
/// with that term's exponent (at least d's least); nullopt where an operand or d is not finite.
std::optional<Rational> error_in_ulp(const DotFormats& formats, const DotValues& values,
                                     const Integer& d);

/// The numbers of the format next to x, at most and at least x; equal if the format holds x.
/// Beyond the largest: infinity, NaN where the format has none. Throws std::logic_error where it
/// has neither, and for integers, which are not rounded.
struct Neighbours {
  Integer below;
  Integer above;
};
Neighbours neighbours(const Format& format, const Rational& x);
/// The pattern of the largest finite number that is at most x >= 0.
Integer largest_at_most(const Format& format, const Rational& x);
/// The nearest, ties to the even significand; infinity (or NaN, or std::logic_error, as above) from
/// half a unit beyond the largest on.
Integer nearest_even(const Format& format, const Rational& x);

/// Pattern of -x, which is no NaN; of integers modulo 2^storage_bits.
Int negated(const Format& format, Int pattern);
Integer negated(const Format& format, const Integer& pattern);

/// Value equality of results: any two NaNs are equal, and both zeros.
bool same_value(const Format& format, const Integer& x, const Integer& y);

}  // namespace mmaspec
