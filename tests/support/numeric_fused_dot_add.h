#pragma once
/// The fused dot-add once more, as MMA-Sim's text has it: integers shifted to one unit, added and
/// rounded. Shares no code with spec/.

#include <optional>

#include "concrete/dot/model.h"
#include "tests/support/numeric_reference.h"

namespace mmaspec::numeric {

/// What tells one fused dot-add from another.
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
  bool normalized_c = true;  ///< a c of another format than d's, before all else
};

/// The pattern of d. NaNs come out as the canonical one.
Integer plain_fused_dot_add(const PlainFusedDotAdd& design, const DotFormats& formats,
                            const DotValues& values);

/// Operands that try an algorithm: random bits, exponents close together or far apart, zeros,
/// subnormals, cancelling pairs, sums of powers of two.
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
