#pragma once
/// Integer formats in the language: patterns and the numbers that they are.

#include "spec/formats/format.h"
#include "spec/lang/int.h"

namespace mmaspec {

/// The number of an integer format's pattern.
Int integer_value(const Format& format, Int pattern);

/// The pattern of x modulo 2^storage_bits: of x itself where the format holds it.
Int integer_pattern(const Format& format, Int x);

/// x, or the number of the format nearest to it.
Int clamped(const Format& format, Int x);

/// Whether x is a number of the format.
Bool holds_integer(const Format& format, Int x);

}  // namespace mmaspec
