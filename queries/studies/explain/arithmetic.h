#pragma once
/// Sums and conversions of patterns by the machine's own arithmetic, as plans have them
/// (spec/plans/): rounded to nearest even.

#include <cstdint>
#include <optional>

#include "spec/formats/format.h"

namespace mmaspec::explain {

/// Additions of numbers of one format. A NaN comes out as a NaN of some pattern.
class SumArithmetic {
 public:
  /// Whether there is one: f16, bf16, f32 and f64.
  static bool has(const Format& format);
  /// Throws std::logic_error unless has(format).
  explicit SumArithmetic(const Format& format);

  std::uint64_t add(std::uint64_t x, std::uint64_t y) const;

 private:
  enum class Kind { f16, bf16, f32, f64 };
  Kind kind_;
};

/// The value of a pattern of f16, bf16 or f32.
float value_of(const Format& format, std::uint64_t pattern);

/// The pattern of a number in a format of at most 32 bits that has a sign and is not an integer:
/// rounded to nearest even, what is beyond the largest becomes infinity, or NaN where there is
/// none.
std::uint64_t rounded_pattern(const Format& format, double number);

/// Whether a pattern is a NaN.
bool is_nan(const Format& format, std::uint64_t pattern);

}  // namespace mmaspec::explain
