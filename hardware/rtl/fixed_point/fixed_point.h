#pragma once
/// Accumulators in fixed point: c and d wider than a format.

#include <string>

#include "spec/catalog/instruction.h"

namespace mmaspec::rtl {

/// The format `fixed:I.F` (spec/formats/fixed_point.h). Throws std::invalid_argument with a
/// one-line message that starts with `option`.
const Format& fixed_point_format(const std::string& option, const std::string& text);

/// The design with c and d in fixed point: d is the exact sum of c and all products. A sum outside
/// d's range wraps, or saturates if the design has overflow=saturate. Operands must be finite. The
/// design must be an exact-dot-add or integer-dot-add of one block without scale factors, and d
/// must hold every bit of each product and of c. Otherwise throws std::invalid_argument with a
/// one-line message.
Instruction with_fixed_point(const Instruction& design, const Format& c, const Format& d);

}  // namespace mmaspec::rtl
