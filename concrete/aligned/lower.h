#pragma once
/// Which designs the floating-point kernels compute, and how.
///
/// A fused design cuts each product to a multiple of 2^(e - F), e being the largest exponent, and
/// adds the multiples. A processor has that operation: multiply by a power of two, convert to an
/// integer toward zero (or down). lower() takes a design's parameters to what the kernels need, if
/// its premises hold: products are exact in a float or a double, aligned terms and their sums are
/// exact in their type, and each rounding is one that the processor has.
///
/// This is a rule on designs' parameters, and not one on graphs: what makes it fast (operands that
/// are decoded once, exponents apart from numbers, panels that a cache holds) has no place in a
/// program of one dot product. The graph stays the specification: tests compare each design that is
/// lowered with the evaluators of its graph, and count these designs.

#include <optional>
#include <vector>

#include "concrete/aligned/kernels/kernel.h"
#include "spec/algorithms/algorithm.h"

namespace mmaspec::aligned {

/// A design as the kernels take it.
struct Lowered {
  Chain chain;
  /// The same in floats, where `chain` is in doubles: for operands of which each, its scale factor
  /// included, is +-0 or has an exponent between -narrow_exponent and narrow_exponent. They are
  /// decoded as floats.
  std::optional<Chain> narrow;
  int narrow_exponent = 0;
  DotFormats formats;  ///< of the whole dot product; k is a multiple of step()
  Decoding a;
  Decoding b;
  Decoding scale;          ///< if formats.scale is not nullptr
  std::vector<int> order;  ///< by position in a step: the product that is there
  std::uint64_t nan;       ///< the pattern of a result that is NaN

  /// Scale factors are one a group: else they are products' factors, and decoded with these.
  bool has_groups() const { return chain.family == Family::groups; }
  bool scales_products() const { return formats.scale != nullptr && !has_groups(); }
  std::size_t step() const { return order.size(); }
  std::size_t steps() const { return static_cast<std::size_t>(formats.k) / step(); }
};

/// nullopt where a premise fails.
std::optional<Lowered> lower(const Algorithm& algorithm, const DotFormats& formats);

}  // namespace mmaspec::aligned
