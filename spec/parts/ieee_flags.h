#pragma once
/// The exception flags of IEEE 754 for a sum that is rounded once.

#include "spec/formats/round.h"
#include "spec/parts/dot_add.h"

namespace mmaspec {

/// When a nonzero number counts as tiny (IEEE 754-2019 section 7.5): the implementation chooses.
enum class Tininess {
  before_rounding,  ///< its magnitude is below the least normal number (Arm)
  after_rounding,   ///< so is the number rounded with unbounded exponent (x86, RISC-V)
};

/// Sums and products never divide by zero.
struct IeeeFlags {
  Bool invalid;  ///< a signalling NaN, infinity times zero, or a sum of infinities of both signs
  Bool overflow;
  Bool underflow;  ///< tiny and inexact, as with default exception handling
  Bool inexact;
};

/// The flags of c + sum a[k] * b[k] with one rounding to `result`. All formats must be those of
/// IEEE 754 (Specials::ieee), without scale factors. A NaN is signalling if its top fraction bit is
/// 0. Infinity times zero is invalid even if c is a quiet NaN, as RISC-V requires and IEEE 754
/// allows.
IeeeFlags ieee_flags(const DotFormats& formats, const DotOperands& operands,
                     const ResultFormat& result, Tininess tininess);

/// Five bits, from the highest: invalid, divide by zero, overflow, underflow, inexact (RISC-V's
/// fflags).
Int flags_pattern(const IeeeFlags& flags);

}  // namespace mmaspec
