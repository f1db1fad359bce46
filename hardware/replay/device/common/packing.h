#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// From the hex text of a row to the 32-bit words that a GPU's lanes load.
namespace mmaspec::replay {

/// How K elements of `bits` bits lie in a row of words: `per_group` elements, `stride` bits apart,
/// each `shift` bits above its place's low end, in every `group_bits` bits. Low bits first, as all
/// the GPUs here number them.
struct Packing {
  int bits = 0;
  int stride = 0;
  int shift = 0;
  int per_group = 1;
  int group_bits = 32;

  /// Elements of `bits` bits (4, 8, 16, 32 or 64) without gaps.
  static constexpr Packing dense(int bits) {
    return {bits, bits, 0, bits < 32 ? 32 / bits : 1, bits < 32 ? 32 : bits};
  }
  constexpr int bit_of(int k) const {
    return k / per_group * group_bits + k % per_group * stride + shift;
  }
  constexpr int words(int k) const { return (k + per_group - 1) / per_group * group_bits / 32; }
};

/// The words of one dot product: a, b, c, then the scale factors of a and of b.
struct OperandLayout {
  int k = 0;
  Packing a, b;
  int c_bits = 32;
  int d_bits = 32;
  int scales = 0;        ///< scale factors (8 bits each) for each of a and b
  int scale_copies = 1;  ///< how often the list of scale factors is repeated in their word

  constexpr int a_words() const { return a.words(k); }
  constexpr int b_words() const { return b.words(k); }
  constexpr int c_words() const { return c_bits == 64 ? 2 : 1; }
  constexpr int b_at() const { return a_words(); }
  constexpr int c_at() const { return a_words() + b_words(); }
  constexpr int scale_at() const { return c_at() + c_words(); }
  constexpr int words() const { return scale_at() + (scales > 0 ? 2 : 0); }
};

struct Row;

/// Writes `layout.words()` words to `words`. A 16-bit c is written to both halves of its word.
/// Returns what is wrong with the row, empty if nothing is.
std::string pack_row(const Row& row, const OperandLayout& layout, std::uint32_t* words);

/// The same for values that are no text: K of a and b each. They must have no more bits than the
/// layout gives them, and the layout no scale factors.
void pack_values(const std::uint64_t* a, const std::uint64_t* b, std::uint64_t c,
                 const OperandLayout& layout, std::uint32_t* words);

/// Adds `bits` low bits of `value` at bit `at`; the bits there must be zero.
void put_bits(std::uint32_t* words, int at, int bits, std::uint64_t value);

/// `bits / 4` hex digits.
void append_hex(std::uint64_t value, int bits, std::string& out);

}  // namespace mmaspec::replay
