#pragma once
/// Number formats as data.
///
/// A pattern of `storage_bits` bits has, from the top: the sign (if any), `exponent_bits`,
/// `fraction_bits`. An exponent field of 0 has hidden bit 0 and the exponent of field 1
/// (subnormals). Integer formats do not have an exponent; all their numbers are subnormals in this
/// sense, multiples of 1.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "spec/lang/integer.h"

namespace mmaspec {

/// Which patterns are not finite numbers.
enum class Specials {
  ieee,            ///< exponent field all ones: infinity (fraction 0) or NaN
  nan_all_ones,    ///< exponent and fraction all ones: NaN; no infinity (OCP E4M3)
  nan_minus_zero,  ///< the pattern of -0 is the only NaN; no infinity, no -0 (FNUZ)
  nan_top_field,   ///< exponent field all ones: NaN (OCP E8M0)
  none,            ///< every pattern is a finite number
};

struct Format {
  std::string_view name;
  int storage_bits;
  bool has_sign;
  int exponent_bits;
  int fraction_bits;  ///< stored significand bits, without the hidden one
  int bias;
  Specials specials;
  bool has_zero;          ///< false: field 0 is a normal number (E8M0)
  int ignored_low_bits;   ///< bits that the hardware treats as zero (TF32 in a 32-bit register)
  int ignored_high_bits;  ///< the same at the top (UE4M3 in a byte)
  std::string_view source;
  bool twos_complement = false;  ///< the sign bit has the weight -2^fraction_bits; otherwise sign
                                 ///< and magnitude
  int point = 0;                 ///< of an integer format: its numbers count multiples of 2^-point

  /// Every pattern is an integer: spec/formats/integer.h.
  bool is_integer() const { return exponent_bits == 0; }
  int precision() const { return fraction_bits + 1; }
  /// The exponent of the least normal number, and of all subnormals.
  int least_exponent() const { return has_zero ? 1 - bias : -bias; }
  /// The exponent of the largest finite number.
  int largest_exponent() const;
  int field_maximum() const { return (1 << exponent_bits) - 1; }
  int sign_bit() const { return ignored_low_bits + fraction_bits + exponent_bits; }
  bool has_infinity() const { return specials == Specials::ieee; }
  bool has_nan() const { return specials != Specials::none; }
  int hex_digits() const { return (storage_bits + 3) / 4; }

  /// Patterns without sign and ignored bits: the exponent and fraction fields as an integer.
  Integer largest_finite() const;
  std::uint64_t largest_pattern() const;  ///< the same
  /// The least and the largest number of an integer format.
  Integer least_integer() const;
  Integer largest_integer() const { return largest_finite(); }
  /// Infinity, or NaN if the format lacks infinity. Throws std::logic_error if it lacks both.
  Integer first_non_finite() const;

  friend bool operator==(const Format& x, const Format& y) { return x.name == y.name; }
};

namespace formats {
extern const Format f64, f32, tf32, xf32, f16, bf16;
extern const Format e4m3, e5m2;                ///< OCP 8-bit floating point
extern const Format e4m3fnuz, e5m2fnuz;        ///< AMD `fp8`, `bf8`
extern const Format e3m2, e2m3, e2m1;          ///< OCP microscaling elements
extern const Format ue8m0, ue4m3;              ///< scale factors
extern const Format s4, u4, s8, u8, s16, s32;  ///< integers, signed and unsigned
}  // namespace formats

/// All floating-point formats.
const std::vector<const Format*>& all_formats();
/// All integer formats.
const std::vector<const Format*>& integer_formats();
/// The format of this name (`fp8`, `bf8` for the FNUZ ones too; `fixed:I.F`), or nullptr.
const Format* find_format(std::string_view name);

}  // namespace mmaspec
