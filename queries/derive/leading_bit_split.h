#pragma once
/// Case split by the leading bit of a number, so that normalization is a shift by a constant.

#include <vector>

#include "spec/lang/int.h"

namespace mmaspec {

/// factor * x + constant.
struct LinearFunction {
  Integer factor;
  Integer constant;
  Int operator()(Int x) const { return x * factor + constant; }
};

/// Splits the whole range into ascending ranges. In each of them every function of a variable keeps
/// its sign and its length in bits, or, for long numbers, one of a few lengths. Factors must be at
/// least 0.
std::vector<Range> ranges_of_one_length(const Range& whole,
                                        const std::vector<LinearFunction>& functions);

/// Two sums, each a linear function of one variable. `rise` is the difference of their units'
/// exponents, second minus first.
struct TwoSums {
  Range variable;
  LinearFunction first;
  LinearFunction second;
  int rise = 0;
};

/// The negation symmetry: values of the variable whose two sums, negated and exchanged, are the two
/// sums of another value outside this range. Empty (low > high) if there are none.
Range negation_symmetry(const TwoSums& sums);

}  // namespace mmaspec
