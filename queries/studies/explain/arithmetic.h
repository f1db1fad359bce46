#pragma once
/// Sums and conversions of patterns by machine arithmetic, as in plans (spec/plans/): rounded to
/// nearest even.

#include <cstdint>
#include <optional>

#include "spec/formats/format.h"

namespace mmaspec::explain {

/// Additions of numbers of one format. A NaN result has an unspecified NaN pattern.
class SumArithmetic {
 public:
  /// Whether the format is supported: f16, bf16, f32 and f64.
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

/// The pattern of a number in a signed floating-point format of at most 32 bits: rounded to nearest
/// even; numbers beyond the largest become infinity, or NaN if the format lacks it.
std::uint64_t rounded_pattern(const Format& format, double number);

/// Whether a pattern is a NaN.
bool is_nan(const Format& format, std::uint64_t pattern);

}  // namespace mmaspec::explain
