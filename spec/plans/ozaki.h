#pragma once
/// Dot products of long numbers from sums of short integers that a unit adds exactly.

#include "spec/plans/scheme.h"

namespace mmaspec {

/// Each row is converted to integers: all a are aligned to the exponent of the largest, cut toward
/// zero to `slices` times `bits` bits, and split into slices, which are signed integers of `bits`
/// bits. The unit computes products of slices i and j (0: the highest) up to i + j = `reach`, each
/// from zero. Their sums are added from the lowest i + j, in the operands' format, rounded to
/// nearest even; c is added last. A row with an infinity or a NaN gives NaN.
struct Ozaki1 {
  static constexpr std::string_view kName = "ozaki1";
  static constexpr std::string_view kReference =
      "Ozaki, Ogita, Oishi and Rump, Numer. Algorithms 59, 2012; Mukunoki, Ozaki, Ogita and "
      "Imamura, ISC 2020 (f16 slices); Ootomo, Ozaki and Yokota, IJHPCA 38(4), 2024 (truncated)";

  int slices = 4;
  int bits = 0;    ///< 0: the largest number for which every sum of slices fits the accumulator
  int reach = -1;  ///< less than 0: slices - 1
  const Format* of = &formats::f64;  ///< format of operands, c and result

  friend bool operator==(const Ozaki1& x, const Ozaki1& y) {
    const auto& [slices, bits, reach, of] = x;
    return slices == y.slices && bits == y.bits && reach == y.reach && *of == *y.of;
  }
};

/// The bits of a slice: the given number, or the largest one with 2 * bits + log2(K) at most the
/// bits of the accumulator's numbers.
int bits_of_slices(const Ozaki1& scheme, const Inner& inner, int k);

DotFormats formats_around(const Ozaki1& scheme, const Inner& inner, int k);
void describe(Ozaki1& scheme, const DotFormats& formats, ParameterVisitor& visit);
Int build_plan(const Ozaki1& scheme, const Inner& inner, const DotFormats& formats,
               const DotOperands& operands);
int plan_step(const Ozaki1& scheme, const Inner& inner);

}  // namespace mmaspec
