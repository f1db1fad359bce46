#pragma once
/// Cases in which a number has one length in bits, so that its normalisation is a shift by a
/// constant.

#include <vector>

#include "spec/lang/int.h"

namespace mmaspec {

/// factor * x + constant.
struct LinearFunction {
  Integer factor;
  Integer constant;
  Int operator()(Int x) const { return x * factor + constant; }
};

/// Ranges that make up the whole one, ascending: in each of them each function of a variable of
/// that range keeps its sign and its length in bits, or, where numbers are long, one of a few
/// lengths. Factors: 0 or more.
std::vector<Range> ranges_of_one_length(const Range& whole,
                                        const std::vector<LinearFunction>& functions);

/// Two sums, each a linear function of one variable, and by how much the exponent of the second
/// one's unit is larger.
struct TwoSums {
  Range variable;
  LinearFunction first;
  LinearFunction second;
  int rise = 0;
};

/// Values of the variable of which the opposites of both sums, exchanged, are the two sums of
/// another value, which is none of these. Empty (low > high) where there are none.
Range exchanged_opposites(const TwoSums& sums);

}  // namespace mmaspec
