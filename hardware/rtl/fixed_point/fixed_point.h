#pragma once
/// Accumulators in fixed point: c and d wider than a format.

#include <string>

#include "spec/catalog/instruction.h"

namespace mmaspec::rtl {

/// The format that `fixed:I.F` names: two's complement numbers of I + F bits, the sign bit among
/// the I integer bits; a pattern counts multiples of 2^-F, from -2^(I-1) up to 2^(I-1) - 2^-F. It
/// is known as an integer format of the multiples. Lives as long as the program. Throws
/// std::invalid_argument with one line that begins with `option`.
const Format& fixed_point_format(const std::string& option, const std::string& text);

/// F of such a format.
int fixed_fraction_bits(const Format& format);

/// The design with c and d in fixed point: d = c + the sum of all products, exactly; a sum that d
/// does not hold keeps its lowest bits, or becomes the nearest number where the design has
/// overflow=saturate. It is about finite operands. Throws std::invalid_argument with one line
/// unless the design is an exact-dot-add or integer-dot-add in one block without scale factors, and
/// d holds every bit of each product and of c.
Instruction with_fixed_point(const Instruction& design, const Format& c, const Format& d);

}  // namespace mmaspec::rtl
