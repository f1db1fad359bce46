#pragma once
/// Fixed-point formats, of accumulators.

#include <string_view>

#include "spec/formats/format.h"

namespace mmaspec {

/// The most bits of a fixed-point format.
constexpr int kMostFixedPointBits = 63;

/// The format `fixed:I.F`: two's complement numbers of I + F bits. The sign bit is one of the I
/// integer bits. A pattern counts multiples of 2^-F; the range is -2^(I-1) to 2^(I-1) - 2^-F. It is
/// an integer format of these multiples, with `point` F, and exists until the program ends.
/// Returns nullptr if the name is not of this form, I is 0, or I + F is not 2 to
/// kMostFixedPointBits. May be called from several threads.
const Format* find_fixed_point(std::string_view name);

}  // namespace mmaspec
