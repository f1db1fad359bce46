#pragma once
/// Lowers designs to the floating-point kernels, if the kernels can compute them.
///
/// A fused design cuts each product to a multiple of 2^(e - F), where e is the largest exponent,
/// and adds the multiples. A processor has that operation: multiply by a power of two, then convert
/// to an integer with rounding toward zero (or down). lower() translates a design's parameters to
/// those of the kernels under these preconditions: products are exact in a float or a double,
/// aligned terms and their sums are exact in their type, and the processor supports each rounding
/// mode.
///
/// The rule works on a design's parameters, not on its graph. The optimizations (operands that are
/// decoded once, exponents stored apart from numbers, panels that fit a cache) cannot be expressed
/// in a program for one dot product. The graph remains the specification: tests compare each
/// lowered design with the evaluators of its graph, and count the lowered designs.

#include <optional>
#include <vector>

#include "concrete/aligned/kernels/kernel.h"
#include "spec/algorithms/algorithm.h"

namespace mmaspec::aligned {

/// A design in the form that the kernels take.
struct Lowered {
  Chain chain;
  /// The same with floats, if `chain` uses doubles. It is valid for operands that are +-0 or have
  /// an exponent between -narrow_exponent and narrow_exponent, including their scale factor. They
  /// are decoded as floats.
  std::optional<Chain> narrow;
  int narrow_exponent = 0;
  DotFormats formats;  ///< of the whole dot product; k is a multiple of step()
  Decoding a;
  Decoding b;
  Decoding scale;          ///< valid if formats.scale is not nullptr
  std::vector<int> order;  ///< for each position in a step: the index of its product
  std::uint64_t nan;       ///< the pattern of a result that is NaN

  /// Whether each group has a scale factor. Otherwise scale factors multiply products, and are
  /// decoded with them.
  bool has_groups() const { return chain.family == Family::groups; }
  bool scales_products() const { return formats.scale != nullptr && !has_groups(); }
  std::size_t step() const { return order.size(); }
  std::size_t steps() const { return static_cast<std::size_t>(formats.k) / step(); }
};

/// nullopt if a precondition fails.
std::optional<Lowered> lower(const Algorithm& algorithm, const DotFormats& formats);

}  // namespace mmaspec::aligned
