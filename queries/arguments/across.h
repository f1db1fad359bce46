#pragma once
/// Designs whose operands a and b have other formats, on values that both formats hold.

#include <string>

#include "spec/catalog/instruction.h"

namespace mmaspec {

/// Why two instructions, whose formats of a, b and c may differ and whose K and d are alike, have
/// equal results (but for signs of zeros, and any NaN counts as any other) for all finite operands
/// of equal values; empty: their steps do not say.
///
/// A design takes an operand apart into sign, exponent and significand. The exponent of a finite
/// value is the same in two formats whose least exponent is: normal in one, it is normal in the
/// other. So are then the exponents of products, and what is cut below the largest one is cut of
/// the same numbers. Where least exponents differ, that is so too if all products of subnormal
/// factors lie so low that they decide only where nothing is cut: of products, and of c where it is
/// a term beside them. Scale factors must be of one format. Parameters may differ that are idle
/// (queries/arguments/idle/idle.h) on the values that both hold. Designs whose steps are
/// operations of IEEE 754 see no exponents, but values alone. Integer sums that saturate do so at
/// one end if no product of common values is negative.
std::string equal_on_common_values(const Instruction& first, const Instruction& second);

}  // namespace mmaspec
