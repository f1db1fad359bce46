#pragma once
/// Accumulators in fixed point: c and d wider than a format.

#include <string>

#include "spec/catalog/instruction.h"

namespace mmaspec::rtl {

/// The format `fixed:I.F`: two's complement numbers of I + F bits. The sign bit is one of the I
/// integer bits. A pattern counts multiples of 2^-F; the range is -2^(I-1) to 2^(I-1) - 2^-F. The
/// result is an integer format of these multiples, and exists until the program ends. Throws
/// std::invalid_argument with a one-line message that starts with `option`.
const Format& fixed_point_format(const std::string& option, const std::string& text);

/// The F of a format that fixed_point_format() returned.
int fixed_fraction_bits(const Format& format);

/// The design with c and d in fixed point: d is the exact sum of c and all products. A sum outside
/// d's range wraps, or saturates if the design has overflow=saturate. Operands must be finite. The
/// design must be an exact-dot-add or integer-dot-add of one block without scale factors, and d
/// must hold every bit of each product and of c. Otherwise throws std::invalid_argument with a
/// one-line message.
Instruction with_fixed_point(const Instruction& design, const Format& c, const Format& d);

}  // namespace mmaspec::rtl
