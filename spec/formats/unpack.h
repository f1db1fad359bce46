#pragma once
/// Conversion of bit patterns to numbers, in the language.

#include "spec/formats/format.h"
#include "spec/lang/int.h"

namespace mmaspec {

/// A decoded pattern. If it is neither NaN nor infinity, its value is (-1)^sign * significand *
/// 2^(exponent - fraction_bits); otherwise exponent and significand are those of a number, as if
/// the exponent field had no other meaning.
struct Unpacked {
  Bool sign;
  Int exponent;     ///< max(field, 1) - bias: the exponent of the leading bit if normal, otherwise
                    ///< the least exponent
  Int significand;  ///< 0 .. 2^precision - 1; hidden bit included, not normalized
  Bool is_nan;
  Bool is_infinite;

  Bool is_finite() const { return !is_nan && !is_infinite; }
  Bool is_zero() const { return significand == 0; }  ///< for finite patterns
};

/// `pattern`: an integer of format.storage_bits bits.
Unpacked unpack(const Format& format, Int pattern);

/// As unpack(), but a nonzero significand has its leading bit at fraction_bits (the exponent is
/// below the least one for subnormals). A zero has the least exponent.
Unpacked unpack_normalized(const Format& format, Int pattern);

/// The pattern of the NaN that the hardware returns (NVIDIA: all ones except the sign).
Integer canonical_nan(const Format& format);
/// The pattern of IEEE 754's usual quiet NaN: all exponent bits and the top fraction bit are ones.
Integer quiet_nan(const Format& format);
/// The pattern of +infinity. Throws std::logic_error if the format lacks it.
Integer positive_infinity(const Format& format);

/// The pattern with this sign; for two's complement integers the negative if `sign`.
Int with_sign(const Format& format, Bool sign, Int magnitude_pattern);

/// The pattern, or that of +0 if the number is subnormal.
Int flush_subnormal(const Format& format, Int pattern);

/// The pattern, or that of a zero of the same sign if the number is subnormal.
Int subnormal_as_zero(const Format& format, Int pattern);

/// A class of inputs: finite; finite and not subnormal (zero is allowed); all patterns. Integers
/// belong to each.
enum class InputClass { finite, normal, any };
/// True if the pattern belongs to the class.
Bool belongs_to(InputClass inputs, const Format& format, Int pattern);

}  // namespace mmaspec
