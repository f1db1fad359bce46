#pragma once
/// Views of the bit patterns of a matrix in its owner's memory.

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace mmaspec {

/// `rows` x `columns` patterns, each in a machine word of `bytes` (1, 2, 4 or 8) bytes. Steps are
/// in bytes, may be negative, and are 0 if a value repeats. Patterns must be less than
/// 2^storage_bits of their format (not checked).
template <typename Byte>
struct PatternsAt {
  Byte* data = nullptr;
  unsigned bytes = 0;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::ptrdiff_t row_step = 0;
  std::ptrdiff_t column_step = 0;

  Byte* at(std::size_t row, std::size_t column) const {
    return data + static_cast<std::ptrdiff_t>(row) * row_step +
           static_cast<std::ptrdiff_t>(column) * column_step;
  }
};
using PatternView = PatternsAt<const std::byte>;
using PatternSpan = PatternsAt<std::byte>;

/// Calls `with(T{})` with the unsigned type of this size.
template <typename With>
void with_word(unsigned bytes, const With& with) {
  switch (bytes) {
    case 1:
      return with(std::uint8_t{});
    case 2:
      return with(std::uint16_t{});
    case 4:
      return with(std::uint32_t{});
    default:
      return with(std::uint64_t{});
  }
}

/// One pattern.
inline std::uint64_t pattern_at(const PatternView& view, std::size_t row, std::size_t column) {
  std::uint64_t value = 0;
  with_word(view.bytes, [&](auto word) {
    std::memcpy(&word, view.at(row, column), sizeof word);
    value = word;
  });
  return value;
}

}  // namespace mmaspec
