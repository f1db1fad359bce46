#pragma once
/// Redundant parameters: parameters of a design that no input distinguishes, shown by proof and not
/// by trial.

#include "spec/algorithms/algorithm.h"

namespace mmaspec {

/// The same computation, with parameters that are redundant for these formats set to one canonical
/// value: no exponent floor, zeros left out, gradual underflow, overflow to infinity. The function
/// is incomplete: designs with equal results may still differ afterwards. Any NaN counts as any
/// other.
///
/// Exponent floor and zeros, of fused dot-adds and designs built from them: the floor, or the
/// exponent that zeros count as, raises the largest exponent to at most A. Where it does, all
/// nonzero terms have exponents below A. If all such terms are multiples of 2^(A - F), nothing is
/// cut from them, neither there nor at their own largest exponent, where the grid is finer. The sum
/// and its rounded value are therefore the same. The parameter is also redundant if only c is cut,
/// by no more than rounding would cut, or if the sum is so small that it is flushed.
///
/// Where c is added: redundant if no product is cut, however large c is, because c is then cut at
/// the same position and added to the same sum; or if each step has one product. The same holds for
/// groups of one product.
///
/// How alignment cuts, and whether products are normalized: redundant if nothing is ever cut. In
/// which direction two terms are cut: redundant if the sum is rounded up and the remainder of the
/// smaller term cannot affect the result.
///
/// Products that count as infinities: redundant if no product is so large, or if the result is
/// infinite anyway.
///
/// Underflow: redundant if rounding never reaches the least normal number from below, so that it
/// does not matter whether tininess is detected before rounding, or no number that is rounded is so
/// near to it; if all terms are multiples of a
/// number that is normal in d's format; or if c is normal and the products are far above it.
///
/// Overflow: redundant if products are too small to move the largest c, if no intermediate result
/// is large, or if the rounding direction determines the result.
///
/// Rounding: redundant if sums have no more bits than are kept. Guard bits: redundant below the
/// last bit of every product, or, for two products, below all bits that rounding depends on. If no
/// rounding changes a product, adding products one by one or rounding them first is the same; if
/// none changes a sum of a block's products, so is how these are added.
///
/// Signs of zero products: redundant if rounding is down, which keeps them, or if c is flushed and
/// no later result is, so that they never meet a -0.
Algorithm without_idle_parameters(const Algorithm& algorithm, const DotFormats& formats);

}  // namespace mmaspec
