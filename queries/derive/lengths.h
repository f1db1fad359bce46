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

}  // namespace mmaspec
