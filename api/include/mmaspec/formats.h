#ifndef MMASPEC_FORMATS_H
#define MMASPEC_FORMATS_H
/// \file
/// Number formats: names, bit patterns and the numbers that they mean.
///
/// A bit pattern is a `std::uint64_t` from 0 to 2^storage_bits - 1. Signed integer formats are in
/// two's complement: -1 of `s8` is the pattern 0xff.
///
/// \code
/// const mmaspec::Format f16("f16");
/// require(f16.encode(1.0) == 0x3c00);
/// require(f16.encode(0.1) == 0x2e66);        // rounded to nearest, ties to even
/// require(f16.value(0x2e66) == 0x1.998p-4);  // exact
/// require(f16.parse("-0x1.8p-3") == 0xb200);
/// require(f16.decimal(0x2e66) == "0.1");
/// \endcode

#include <mmaspec/export.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

MMASPEC_BEGIN_NAMESPACE

/// What a bit pattern means.
struct Decoded {
  bool is_nan = false;
  bool is_infinite = false;
  /// The sign bit, also of zeros, infinities and NaNs.
  bool negative = false;
  /// Of a finite pattern, the number is (-1)^negative * significand * 2^exponent. 0 otherwise.
  std::uint64_t significand = 0;
  int exponent = 0;

  bool is_finite() const { return !is_nan && !is_infinite; }
};

/// A number format. Copies are cheap. Two are equal if their names are equal.
///
/// Sources: IEEE 754-2019 (`f64`, `f32`, `f16`); OCP 8-bit Floating Point Specification 1.0
/// (`e4m3`, `e5m2`); OCP Microscaling Formats 1.0 (`e3m2`, `e2m3`, `e2m1`, `ue8m0`); vendors'
/// manuals for the others. source() names the source of each.
class MMASPEC_EXPORT Format {
 public:
  /// The format of this name: one of format_names(), or `fp8`, `bf8` for AMD's `e4m3fnuz`,
  /// `e5m2fnuz`. Throws BadInput for another name.
  explicit Format(std::string_view name);

  std::string name() const;
  /// Where the format is defined.
  std::string source() const;

  /// Bits of a pattern, 4 to 64. Operands in memory take the next larger power of two of bytes.
  int storage_bits() const;
  /// Bits of the exponent field; 0 for integers.
  int exponent_bits() const;
  /// Stored bits of the significand, without the hidden bit.
  int fraction_bits() const;
  /// The exponent of a normal number is its field minus the bias.
  int bias() const;
  bool has_sign() const;
  bool has_infinity() const;
  bool has_nan() const;
  bool is_integer() const;
  /// Low bits of a pattern that units treat as zero: 13 for `tf32`, which is stored in 32 bits.
  int ignored_low_bits() const;

  /// Throws BadInput for a pattern with more than storage_bits() bits, as all functions below.
  Decoded decode(std::uint64_t pattern) const;
  /// The number of a pattern. It is exact: a double holds every number of every format. NaN for a
  /// NaN.
  double value(std::uint64_t pattern) const;
  std::vector<double> values(const std::vector<std::uint64_t>& patterns) const;

  /// The pattern of a number, rounded to nearest with ties to even (IEEE 754-2019, 4.3.1). Beyond
  /// the largest number: infinity, or NaN in a format without infinity, or the largest number in a
  /// format without both. Integers saturate. Throws BadInput for a NaN if the format has none.
  std::uint64_t encode(double number) const;
  std::vector<std::uint64_t> encode(const std::vector<double>& numbers) const;

  /// The pattern of a text: a decimal (`-1.5`, `1e-3`), a C99 hex float (`-0x1.8p-3`), `inf`,
  /// `-inf`, `nan`, or all hexadecimal digits of a pattern (`0x3c00`). Throws BadInput, naming the
  /// nearest numbers, if the format does not hold the number exactly.
  std::uint64_t parse(std::string_view text) const;
  /// The same, but a number that the format does not hold is rounded as in encode().
  std::uint64_t parse_nearest(std::string_view text) const;

  /// A C99 hex float, `inf`, `-inf` or `nan`; of integers a decimal. Exact.
  std::string hex_float(std::uint64_t pattern) const;
  /// The shortest decimal whose nearest number in this format is the pattern's.
  std::string decimal(std::uint64_t pattern) const;

  friend bool operator==(const Format& x, const Format& y) { return x.data_ == y.data_; }
  friend bool operator!=(const Format& x, const Format& y) { return !(x == y); }

 private:
  friend struct FormatAccess;
  struct Data;  // of the library, for as long as it is loaded
  explicit Format(const Data* data) : data_(data) {}

  const Data* data_;
};

/// The names of all formats, floating-point formats first.
MMASPEC_EXPORT std::vector<std::string> format_names();

/// A double near an exact number, and not below it. The number is a decimal, a C99 hex float, a
/// fraction of two of these (`64449/4096`), or `inf`; answers have bounds as such texts. Throws
/// BadInput for another text, and for a number below 0.
MMASPEC_EXPORT double upper_double(std::string_view number);

MMASPEC_END_NAMESPACE

#endif
