#pragma once
/// Operands decoded for the kernels, and patterns of accumulators.

#include <cstring>

#include "concrete/aligned/lower.h"

namespace mmaspec::aligned {

/// An array whose first element is aligned to a cache line.
template <typename T>
class Lines {
 public:
  /// At least so many elements; those that were there are lost.
  void reserve(std::size_t count) {
    const std::size_t lines = (count * sizeof(T) + kBytes - 1) / kBytes;
    if (lines > lines_.size()) lines_.resize(lines);
  }
  T* data() { return reinterpret_cast<T*>(lines_.data()); }
  const T* data() const { return reinterpret_cast<const T*>(lines_.data()); }

 private:
  static constexpr std::size_t kBytes = 64;
  struct alignas(kBytes) Line {
    std::byte bytes[kBytes];  // NOLINT(modernize-avoid-c-arrays): a line's memory
  };
  std::vector<Line> lines_;
};

/// Products of some steps, each with an operand for each of `lanes` lanes.
class Operands {
 public:
  /// `patterns`: rows of patterns of steps' products, in the order of their positions: a row a
  /// product, of `lanes` patterns; or, if `lanes` is 1, a row for each row of a matrix.
  /// `scales`: rows alike, the scale factor of each pattern at its place; none: there are none.
  void decode(const Lowered& lowered, const Kernels& kernels, const Decoding& from,
              const Rows& patterns, const Rows& scales, std::size_t lanes);

  const void* values() const { return values_.data(); }
  const std::int16_t* exponents() const { return exponents_.data(); }
  /// Each exponent in both halves of a word. Made by the first call after decode().
  const std::int32_t* exponents_twice();
  /// By step: some operand is NaN or infinite.
  const std::uint8_t* specials() const { return specials_.data(); }

 private:
  template <typename Value>
  void scale(std::size_t count);
  template <typename Value>
  void mark_specials(std::size_t each);

  Lines<double> values_;  ///< or floats
  Lines<std::int16_t> exponents_;
  Lines<double> scale_values_;
  Lines<std::int16_t> scale_exponents_;
  std::vector<std::int32_t> twice_;
  std::vector<std::uint8_t> specials_;
  std::size_t count_ = 0;
};

/// The numbers of an accumulator's patterns; NaN for all NaNs.
template <typename Word>
void to_numbers(const Format& format, const Word* patterns, std::size_t count, float* numbers);
/// The patterns of numbers that the format has; `nan` for NaN.
template <typename Word>
void to_patterns(const Format& format, const float* numbers, std::size_t count, std::uint64_t nan,
                 Word* patterns);

}  // namespace mmaspec::aligned
