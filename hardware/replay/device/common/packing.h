#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// Converts the hex text of a row to the 32-bit words that a GPU's lanes load.
namespace mmaspec::replay {

/// The layout of K elements of `bits` bits in a row of words. Every `group_bits` bits contain
/// `per_group` elements, `stride` bits apart, each `shift` bits above the low end of its slot. The
/// lowest bits come first, as on all GPUs supported here.
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

/// The layout of the words of one dot product: a, b, c, then the scale factors of a and of b.
struct OperandLayout {
  int k = 0;
  Packing a, b;
  int c_bits = 32;
  int d_bits = 32;
  int scales = 0;        ///< number of scale factors (8 bits each) for each of a and b
  int scale_copies = 1;  ///< how often the list of scale factors repeats in its word

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
/// Returns an error message; empty if the row is valid.
std::string pack_row(const Row& row, const OperandLayout& layout, std::uint32_t* words);

/// The same for numbers: K values each for a and b. They must fit the layout's bits, and the layout
/// must not have scale factors.
void pack_values(const std::uint64_t* a, const std::uint64_t* b, std::uint64_t c,
                 const OperandLayout& layout, std::uint32_t* words);

/// Writes the low `bits` bits of `value` at bit `at`; the target bits must be zero.
void put_bits(std::uint32_t* words, int at, int bits, std::uint64_t value);

/// Appends `bits / 4` hex digits.
void append_hex(std::uint64_t value, int bits, std::string& out);

}  // namespace mmaspec::replay
