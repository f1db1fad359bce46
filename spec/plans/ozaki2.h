#pragma once
/// Dot products of long numbers from sums of residues that a unit adds exactly.

#include "spec/plans/scheme.h"

namespace mmaspec {

/// Each row is converted to integers: all a are aligned to the exponent of the largest and cut
/// toward zero to `bits` bits. For each modulus the unit adds products of the integers' residues
/// nearest to zero, starting from zero. The Chinese remainder theorem gives the integer nearest to
/// zero with these residues (of two, the negative one), which is scaled and rounded to nearest
/// even; then c is added. A row with an infinity or a NaN gives NaN.
///
/// The integer is the exact sum of the integers' products if the magnitude of that sum is less than
/// half the moduli's product, and if no sum of residues is rounded, cut, or beyond the accumulator.
/// The published scheme scales rows by their norms, and its libraries reconstruct with pairs of f64
/// numbers; this scheme does neither.
struct Ozaki2 {
  static constexpr std::string_view kName = "ozaki2";
  static constexpr std::string_view kReference =
      "Ozaki, Uchino and Imamura, Ozaki Scheme II, arXiv:2504.08009, 2025; RIKEN-RCCS/GEMMul8 "
      "(moduli)";

  int moduli = 14;  ///< the first ones of moduli_of_ozaki2()
  int bits = 0;     ///< bits of an integer; 0: the largest number for which every sum can be
                    ///< reconstructed
  const Format* of = &formats::f64;  ///< format of operands, c and result

  friend bool operator==(const Ozaki2& x, const Ozaki2& y) {
    const auto& [moduli, bits, of] = x;
    return moduli == y.moduli && bits == y.bits && *of == *y.of;
  }
};

/// Pairwise coprime numbers up to 256, largest first, as in GEMMul8 for INT8.
const std::vector<int>& moduli_of_ozaki2();

/// The product of the first `count` moduli.
Integer product_of_moduli(int count);

/// The bits of an integer: the given number, or the largest one with 2 * K * (2^bits - 1)^2 <
/// product of the moduli.
int bits_of_integers(const Ozaki2& scheme, int k);

DotFormats formats_around(const Ozaki2& scheme, const Inner& inner, int k);
void describe(Ozaki2& scheme, const DotFormats& formats, ParameterVisitor& visit);
Int build_plan(const Ozaki2& scheme, const Inner& inner, const DotFormats& formats,
               const DotOperands& operands);
int plan_step(const Ozaki2& scheme, const Inner& inner);

}  // namespace mmaspec
