#pragma once
/// Drawn rows: one line of the vector format that represents many random rows.
///
///     {"instr":"...","drawn":"1000000","seed":"0","a":"e5m10","b":"e5m10","c":"e8m23"}
///
/// Row number i is a function of only the seed, the formats, K and i, so that a million rows need
/// not be written to a file: the device program draws them, and so does the reader of its answers,
///
///     {"instr":"...","drawn":"1000000","seed":"0","a":...,"first":"4096","d":"3f800000 ..."}
///
/// in order, a few thousand per line, from row `first` on; `uneven` lists numbers of rows.
///
/// This header defines the draws as part of the vector format. It includes no other header of the
/// project, so that the device programs, built by a GPU compiler (C++17), draw the same rows.

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace mmaspec::drawn {

/// A signed format for the draws. Patterns have, from the top: sign, exponent, fraction, bits that
/// the hardware ignores. As text: e8m23, or e8m10x13 with 13 ignored bits. Integers have no
/// exponent: e0m7 are those of 8 bits, signed or not.
struct Shape {
  int exponent_bits = 0;
  int fraction_bits = 0;
  int ignored_bits = 0;

  int sign_bit() const { return exponent_bits + fraction_bits + ignored_bits; }
  int bits() const { return sign_bit() + 1; }
  bool is_integer() const { return exponent_bits == 0; }
  int top_field() const { return (1 << exponent_bits) - 1; }
  int bias() const { return top_field() / 2; }
};

inline std::string to_text(const Shape& shape) {
  std::string text =
      "e" + std::to_string(shape.exponent_bits) + "m" + std::to_string(shape.fraction_bits);
  if (shape.ignored_bits > 0) text += "x" + std::to_string(shape.ignored_bits);
  return text;
}

/// Parses the output of to_text(); false for any other text, and for more than 64 bits.
inline bool parse(std::string_view text, Shape& shape) {
  const auto number = [&](char letter, int least, int most, int& value) {
    if (text.empty() || text.front() != letter) return false;
    const auto read = std::from_chars(text.data() + 1, text.data() + text.size(), value);
    text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
    return read.ec == std::errc{} && value >= least && value <= most;
  };
  shape = Shape{};
  return number('e', 0, 11, shape.exponent_bits) && number('m', 0, 52, shape.fraction_bits) &&
         (text.empty() || number('x', 1, 32, shape.ignored_bits)) && text.empty() &&
         shape.bits() <= 64;
}

/// Parses a decimal number of at most 2^40 rows, or a seed.
inline bool parse(std::string_view text, std::uint64_t& value) {
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  return !text.empty() && read.ec == std::errc{} && read.ptr == text.data() + text.size() &&
         value <= std::uint64_t{1} << 40;
}

/// Draws rows of one shape: random bits, exponents close together and far apart, powers of two,
/// pairs that cancel, subnormals, zeros next to huge numbers, infinities and NaNs. For integers:
/// random bits, small numbers, and those near the ends and the middle of all patterns.
class Rows {
 public:
  Rows(int k, const Shape& a, const Shape& b, const Shape& c, std::uint64_t seed)
      : k_(k), a_(a), b_(b), c_(c), seed_(seed) {}

  /// Draws row `number`: K patterns each for `a` and `b`, and one for `c`.
  void draw(std::uint64_t number, std::uint64_t* a, std::uint64_t* b, std::uint64_t& c) {
    state_ = mixed(mixed(seed_) + number);
    const int kind = static_cast<int>(number % 8);
    const int spread = 1 + below(12);
    const int centre_a = 1 + below(7);
    const int centre_b = 1 + below(7);
    for (int k = 0; k < k_; ++k) {
      a[k] = operand(a_, kind, spread, a_.top_field() * centre_a / 8);
      b[k] = operand(b_, kind, spread, b_.top_field() * centre_b / 8);
    }
    c = operand(c_, kind, spread, near_products(centre_a, centre_b));
    if (kind == 4) cancel(a, b);
    if (kind == 2 && below(2) == 0) {  // few terms
      for (int k = 2; k < k_; ++k) a[k] = 0;
    }
  }

 private:
  /// SplitMix64 (Steele, Lea, Flood 2014): the state advances, and the mixed state is the number.
  static std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
  }
  std::uint64_t next() {
    const std::uint64_t value = mixed(state_);
    state_ += 0x9e3779b97f4a7c15U;
    return value;
  }
  std::uint64_t bits(int count) { return count == 0 ? 0 : next() >> (64 - count); }
  int below(int bound) { return static_cast<int>(next() % static_cast<std::uint64_t>(bound)); }

  /// An exponent for c near that of the products; for half of the rows, any exponent.
  int near_products(int centre_a, int centre_b) {
    if (below(2) == 0) return c_.top_field() * (1 + below(7)) / 8;
    return a_.top_field() * centre_a / 8 - a_.bias() + b_.top_field() * centre_b / 8 - b_.bias() +
           c_.bias();
  }

  std::uint64_t operand(const Shape& f, int kind, int spread, int centre) {
    if (kind == 0) return bits(f.bits());
    if (f.is_integer()) return integer(f);
    if (kind == 7 && below(16) == 0) {  // infinities, NaNs
      return pattern(f, f.top_field(), below(2) == 0 ? 0 : f.fraction_bits) | bits(f.ignored_bits);
    }
    if (below(5) == 0) return 0;
    // A power of two, or few or all fraction bits.
    const int fraction = kind == 3 ? 0 : below(3) == 0 ? 2 : f.fraction_bits;
    return pattern(f, field(f, kind, spread, centre), fraction);
  }

  /// One of 0, 1/2 of all patterns, 1/4 of them and the last one, plus or minus some steps.
  std::uint64_t integer(const Shape& f) {
    const int at = below(8);
    const int width = below(f.bits());
    const std::uint64_t step = bits(width);
    const std::uint64_t middle = std::uint64_t{1} << f.sign_bit();
    const std::uint64_t from = at < 3 ? middle : at < 4 ? middle / 2 : 0;
    const std::uint64_t x = below(2) == 0 ? from + step : from - 1 - step;
    return x & (2 * middle - 1);
  }

  int field(const Shape& f, int kind, int spread, int centre) {
    const int top = f.top_field() - 1;
    int field = 0;
    switch (kind) {
      case 1:  // close together, at any exponent
      case 3:
      case 4:
        field = centre + below(2 * spread + 1) - spread;
        break;
      case 5:  // subnormal and least normal
        return below(top < 2 ? 2 : 3);
      case 6:  // zero next to huge
        field = below(2) == 0 ? 0 : top - below(3);
        break;
      default:  // far apart
        field = below(top + 1);
    }
    return field < 0 ? 0 : field > top ? top : field;
  }

  /// A number of random sign with `random_bits` random leading fraction bits.
  std::uint64_t pattern(const Shape& f, int field, int random_bits) {
    const int kept = random_bits < f.fraction_bits ? random_bits : f.fraction_bits;
    const std::uint64_t fraction = bits(kept) << (f.fraction_bits - kept);
    const std::uint64_t sign = bits(1) << (f.exponent_bits + f.fraction_bits);
    return (sign | static_cast<std::uint64_t>(field) << f.fraction_bits | fraction)
           << f.ignored_bits;
  }

  /// Pairs of products that cancel except for what alignment cuts.
  void cancel(std::uint64_t* a, std::uint64_t* b) {
    for (int k = 1; k < k_; k += 2) {
      if (below(3) == 0) continue;
      const std::uint64_t sign = std::uint64_t{1} << a_.sign_bit();
      a[k] = a_.is_integer() ? (0 - a[k - 1]) & (2 * sign - 1) : a[k - 1] ^ sign;
      b[k] = b[k - 1];
    }
  }

  int k_;
  Shape a_, b_, c_;
  std::uint64_t seed_;
  std::uint64_t state_ = 0;
};

}  // namespace mmaspec::drawn
