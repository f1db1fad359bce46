#pragma once
/// An error bound, in norms, of dot products of words whose operands are scaled before they are
/// split: Mary and Mikaitis, Matrix multiplication with narrow range, 2025.

#include <optional>

#include "spec/catalog/instruction.h"
#include "spec/formats/text.h"

namespace mmaspec {

/// A factor is moderate that is zero, or at least 2^-kModerateExponent and at most
/// 2^kModerateExponent in magnitude: scaling by powers of two is exact then.
constexpr int kModerateExponent = 20;

/// R: |d - exact| <= R (|c| + sum |a[k]| max |b[k]|) for all moderate factors a and b, finite c and
/// finite d. nullopt: no plan of words with theta, or of a unit or words that this analysis does
/// not know.
std::optional<Rational> norm_error_of_scaled_words(const Instruction& instruction);

}  // namespace mmaspec
