#pragma once
/// Dot products of long numbers by sums of residues that a unit adds without an error.

#include "spec/plans/scheme.h"

namespace mmaspec {

/// Each row is one of integers: all a are brought to the exponent of the largest of them and cut to
/// `bits` bits toward zero. For each modulus the unit adds products of the integers' residues, the
/// ones nearest to zero, from zero. The Chinese remainder theorem makes of these sums the integer
/// that has them as residues and is nearest to zero (of two the negative one), which is scaled and
/// rounded to nearest even; then c is added. A row with an infinity or a NaN gives NaN.
///
/// The integer is the exact sum of the integers' products where that is less than half the moduli's
/// product in magnitude, and where no sum of residues is rounded, cut, or beyond the accumulator.
/// The published scheme scales rows by their norms, and its libraries reconstruct in pairs of f64
/// numbers; neither is so here.
struct Ozaki2 {
  static constexpr std::string_view kName = "ozaki2";
  static constexpr std::string_view kReference =
      "Ozaki, Uchino and Imamura, Ozaki Scheme II, arXiv:2504.08009, 2025; RIKEN-RCCS/GEMMul8 "
      "(moduli)";

  int moduli = 14;  ///< the first ones of moduli_of_ozaki2()
  int bits = 0;     ///< of an integer; 0: the most with which every sum is reconstructed
  const Format* of = &formats::f64;  ///< operands, c and result

  friend bool operator==(const Ozaki2& x, const Ozaki2& y) {
    const auto& [moduli, bits, of] = x;
    return moduli == y.moduli && bits == y.bits && *of == *y.of;
  }
};

/// Pairwise coprime numbers up to 256, the largest first: as GEMMul8 has them for INT8.
const std::vector<int>& moduli_of_ozaki2();

/// The product of the first `count` moduli.
Integer product_of_moduli(int count);

/// The bits of an integer: those asked for, or the most with
/// 2 * K * (2^bits - 1)^2 < product of the moduli.
int bits_of_integers(const Ozaki2& scheme, int k);

DotFormats formats_around(const Ozaki2& scheme, const Inner& inner, int k);
void describe(Ozaki2& scheme, const DotFormats& formats, ParameterVisitor& visit);
Int build_plan(const Ozaki2& scheme, const Inner& inner, const DotFormats& formats,
               const DotOperands& operands);
int plan_step(const Ozaki2& scheme, const Inner& inner);

}  // namespace mmaspec
