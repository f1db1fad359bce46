#pragma once
/// A normwise error bound of dot products of words whose operands are scaled before they are split:
/// Mary and Mikaitis, Matrix multiplication with narrow range, 2025.

#include <optional>

#include "spec/catalog/instruction.h"
#include "spec/formats/text.h"

namespace mmaspec {

/// A factor is moderate if it is zero or its magnitude is from 2^-kModerateExponent to
/// 2^kModerateExponent. Scaling moderate factors by powers of two is exact.
constexpr int kModerateExponent = 20;

/// R such that |d - exact| <= R (|c| + sum |a[k]| max |b[k]|) for all moderate factors a and b,
/// finite c and finite d. nullopt: not a plan of words with theta, or the analysis does not cover
/// its unit or words.
std::optional<Rational> norm_error_of_scaled_words(const Instruction& instruction);

}  // namespace mmaspec
