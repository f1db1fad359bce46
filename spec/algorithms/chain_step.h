#pragma once
/// Where a dot-add can be cut in two: who evaluates one part after the other need not build both.

#include "spec/algorithms/algorithm.h"

namespace mmaspec {

/// A number of products that divides K: the dot-add is a chain of dot-adds of the same algorithm
/// and this many products each, or any multiple of them, that takes the last one's d as the next
/// one's c. K itself where no smaller one is known.
int chain_step(const Algorithm& algorithm, const DotFormats& formats);

/// What a Padded design wraps, and the formats of that: it runs with +0 for the operands a and b
/// that are missing. Other designs wrap nothing and are returned themselves.
struct Unpadded {
  const Algorithm* algorithm;  ///< part of the given one
  DotFormats formats;
};
Unpadded unpadded(const Algorithm& algorithm, const DotFormats& formats);

}  // namespace mmaspec
