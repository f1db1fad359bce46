#pragma once
/// A second implementation of the fused dot-add, from the text of MMA-Sim's paper: integers shifted
/// to one unit, added and rounded. Shares no code with spec/.

#include <optional>

#include "concrete/dot/model.h"
#include "tests/support/numeric_reference.h"

namespace mmaspec::numeric {

/// The parameters of a fused dot-add.
struct PlainFusedDotAdd {
  int fraction_bits;
  int block;
  std::optional<int> floor;
  ResultFormat result;
  bool zeros_count = false;  ///< zero operands count the exponent -126 (MMA-Sim)
  bool align_down = false;
  bool c_late = false;
  bool normalized_products = false;
  bool flush_inputs = false;
  bool normalized_c = true;  ///< first, a c of another format than d's
};

/// The pattern of d. NaNs are canonical.
Integer plain_fused_dot_add(const PlainFusedDotAdd& design, const DotFormats& formats,
                            const DotValues& values);

/// Operands that test an algorithm: random bits, exponents close together or far apart, zeros,
/// subnormal numbers, cancelling pairs, sums of powers of two.
class DotInputs {
 public:
  DotInputs(const DotFormats& formats, std::uint64_t seed) : formats_(formats), random_(seed) {}
  DotValues next();

 private:
  std::uint64_t element(const Format& format, int centre, int spread, int kind);

  const DotFormats formats_;
  Random random_;
};

}  // namespace mmaspec::numeric
