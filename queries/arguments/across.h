#pragma once
/// Designs whose operands a and b have other formats, on values that both formats hold.

#include <optional>

#include "queries/arguments/theorems.h"
#include "spec/catalog/instruction.h"

namespace mmaspec {

/// The theorem by which two instructions, whose formats of a, b and c may differ and whose K and d
/// are alike, have equal results (except for signs of zeros, and all NaNs are equal) for all finite
/// operands of equal values; nullopt: none is known.
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
std::optional<Argument> equal_on_common_values(const Instruction& first, const Instruction& second);

}  // namespace mmaspec
