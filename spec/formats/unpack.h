#pragma once
/// From bit patterns to numbers, in the language.

#include "spec/formats/format.h"
#include "spec/lang/int.h"

namespace mmaspec {

/// A pattern taken apart. If it is neither NaN nor infinity, its value is
/// (-1)^sign * significand * 2^(exponent - fraction_bits); otherwise exponent and significand are
/// those of a number, as if the exponent field had no other meaning.
struct Unpacked {
  Bool sign;
  Int exponent;     ///< max(field, 1) - bias: of the leading bit if normal, else the least
  Int significand;  ///< 0 .. 2^precision - 1; hidden bit included, not normalised
  Bool is_nan;
  Bool is_infinite;

  Bool is_finite() const { return !is_nan && !is_infinite; }
  Bool is_zero() const { return significand == 0; }  ///< for finite patterns
};

/// `pattern`: an integer of format.storage_bits bits.
Unpacked unpack(const Format& format, Int pattern);

/// As unpack(), but a non-zero significand has its leading bit at fraction_bits (the exponent goes
/// below the least one for subnormals). For a zero the exponent is the least one.
Unpacked unpack_normalized(const Format& format, Int pattern);

/// The pattern of a NaN: the one the hardware makes (NVIDIA: all ones but the sign).
Integer canonical_nan(const Format& format);
/// The pattern of IEEE 754's usual quiet NaN: exponent and top fraction bit ones.
Integer quiet_nan(const Format& format);
/// The pattern of +infinity. Throws std::logic_error if the format has none.
Integer positive_infinity(const Format& format);

/// The pattern with `sign` put at its place; of integers in two's complement the negative's.
Int with_sign(const Format& format, Bool sign, Int magnitude_pattern);

/// The pattern, or that of +0 if it is a subnormal number.
Int flush_subnormal(const Format& format, Int pattern);

/// The pattern, or that of a zero of its sign if it is a subnormal number.
Int subnormal_as_zero(const Format& format, Int pattern);

/// One class of inputs: finite; finite and not subnormal (zero is allowed); all patterns. Integers
/// are of each.
enum class InputClass { finite, normal, any };
/// True if the pattern belongs to the class.
Bool belongs_to(InputClass inputs, const Format& format, Int pattern);

}  // namespace mmaspec
