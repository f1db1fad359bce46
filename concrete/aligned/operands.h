#pragma once
/// Decodes operands for the kernels, and converts patterns of accumulators.

#include <cstring>

#include "concrete/aligned/lower.h"

namespace mmaspec::aligned {

/// An array whose first element is aligned to a cache line.
template <typename T>
class Lines {
 public:
  /// Makes space for at least `count` elements; previous elements are lost.
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

/// The addresses of rows of patterns, and of their scale factors, in their owner's memory or in a
/// copy.
struct FoundRows {
  /// Sets the number of rows, the patterns of each row, and the bytes of a word. If `scaled`, scale
  /// factors have the same shape.
  void resize(std::size_t count, std::size_t row_length, unsigned word, bool scaled,
              unsigned scale_word) {
    length = row_length;
    bytes = word;
    scale_bytes = scale_word;
    patterns.resize(count);
    scales.resize(scaled ? count : 0);
    copies.resize(count * length * bytes);
    scale_copies.resize(scales.size() * length * scale_bytes);
  }
  std::byte* copy(std::size_t row) { return copies.data() + row * length * bytes; }
  std::byte* scale_copy(std::size_t row) {
    return scale_copies.data() + row * length * scale_bytes;
  }
  Rows pattern_rows() const { return {patterns.data(), patterns.size(), length, bytes}; }
  Rows scale_rows() const { return {scales.data(), scales.size(), length, scale_bytes}; }

  std::size_t length = 0;
  unsigned bytes = 0;
  unsigned scale_bytes = 0;
  std::vector<const void*> patterns;
  std::vector<const void*> scales;
  std::vector<std::byte> copies;  ///< space for each row
  std::vector<std::byte> scale_copies;
};

/// The products of some steps, each with one operand for each of `lanes` lanes.
class Operands {
 public:
  /// Decodes the rows of the steps' products, in the order of their positions: one row of `lanes`
  /// patterns for each product, or, if `lanes` is 1, one row for each row of a matrix. `chain`:
  /// lowered.chain or lowered.narrow.
  void decode(const Lowered& lowered, const Chain& chain, const Kernels& kernels,
              const Decoding& from, const FoundRows& found, std::size_t lanes);

  /// The same for the scale factors of groups, as doubles.
  void decode_scales(const Lowered& lowered, const Kernels& kernels, const FoundRows& found,
                     std::size_t lanes);

  /// True if the operands decoded for lowered.narrow satisfy its precondition.
  bool are_narrow(const Lowered& lowered, const Kernels& kernels) const {
    return kernels.are_between(exponents_.data(), count_, lowered.narrow_exponent);
  }

  /// Also counts the special operands of `others`, which belong to the same steps.
  void add_specials(const Operands& others);

  const void* values() const { return values_.data(); }
  const double* doubles() const {
    return values_.data();
  }  ///< valid if they were decoded as
     ///< doubles
  const std::int16_t* exponents() const { return exponents_.data(); }
  /// Each exponent in both halves of a word. Computed by the first call after decode().
  const std::int32_t* exponents_twice();
  /// For each step: whether some operand is NaN or infinite.
  const std::uint8_t* specials() const { return specials_.data(); }

 private:
  void decode(bool in_double, const Kernels& kernels, const Decoding& from, const Rows& patterns,
              const Decoding& from_scale, const Rows& scales, std::size_t each);
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

/// The numbers of an accumulator's patterns; all NaNs give NaN.
template <typename Word>
void to_numbers(const Format& format, const Word* patterns, std::size_t count, float* numbers);
/// The patterns of numbers of the format; `nan` for NaN.
template <typename Word>
void to_patterns(const Format& format, const float* numbers, std::size_t count, std::uint64_t nan,
                 Word* patterns);

}  // namespace mmaspec::aligned
