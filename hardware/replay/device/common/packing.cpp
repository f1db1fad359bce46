#include "hardware/replay/device/common/packing.h"

#include <algorithm>
#include <array>

#include "hardware/replay/device/common/rows.h"

namespace mmaspec::replay {
namespace {

/// The value of a hex digit; -1 for any other character.
struct HexDigits {
  std::array<signed char, 256> value = {};
  constexpr HexDigits() {
    for (int c = 0; c < 256; ++c) {
      value[c] = static_cast<signed char>(c >= '0' && c <= '9'   ? c - '0'
                                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                                 : -1);
    }
  }
  constexpr int operator[](char c) const { return value[static_cast<unsigned char>(c)]; }
};
constexpr HexDigits hex_digits;

/// Reads `count` numbers of at most `bits` bits, and calls `store(i, value)` for each. `key` names
/// them in the message.
template <class Store>
std::string read_list(const char* key, std::string_view text, int count, int bits, Store store) {
  const char* at = text.data();
  const char* const end = at + text.size();
  int found = 0;
  while (true) {
    while (at < end && *at == ' ') ++at;
    if (at == end) break;
    const char* const begin = at;
    std::uint64_t value = 0;
    for (int digit; at < end && (digit = hex_digits[*at]) >= 0; ++at) {
      value = value << 4 | static_cast<std::uint64_t>(digit);
    }
    const bool ends = at == end || *at == ' ';
    if (!ends || at - begin > 16) {
      const char* stop = std::find(begin, end, ' ');
      return std::string(key) + ": '" + std::string(begin, stop) +
             "' is not a hexadecimal bit pattern";
    }
    if (bits < 64 && value >> bits) {
      return std::string(key) + ": '" + std::string(begin, at) + "' has more than " +
             std::to_string(bits) + " bits";
    }
    if (found < count) store(found, value);
    ++found;
  }
  if (found == count) return {};
  return std::string(key) + ": " + std::to_string(found) + " values, but the instruction takes " +
         std::to_string(count);
}

void put_c(const OperandLayout& layout, std::uint64_t value, std::uint32_t* words) {
  put_bits(words + layout.c_at(), 0, layout.c_bits, value);
  if (layout.c_bits == 16) put_bits(words + layout.c_at(), 16, 16, value);
}

}  // namespace

void put_bits(std::uint32_t* words, int at, int bits, std::uint64_t value) {
  for (int done = 0; done < bits;) {
    const int shift = (at + done) % 32;
    words[(at + done) / 32] |= static_cast<std::uint32_t>(value >> done) << shift;
    done += 32 - shift;
  }
}

std::string pack_row(const Row& row, const OperandLayout& layout, std::uint32_t* words) {
  std::fill_n(words, layout.words(), 0u);
  const auto read_operand = [&](const char* key, std::string_view text, const Packing& packing,
                                int at) {
    return read_list(key, text, layout.k, packing.bits, [&](int k, std::uint64_t value) {
      put_bits(words + at, packing.bit_of(k), packing.bits, value);
    });
  };
  std::string problem = read_operand("a", row.a, layout.a, 0);
  if (problem.empty()) problem = read_operand("b", row.b, layout.b, layout.b_at());
  if (problem.empty()) {
    problem = read_list("c", row.c, 1, layout.c_bits,
                        [&](int, std::uint64_t value) { put_c(layout, value, words); });
  }
  const auto read_scales = [&](const char* key, std::string_view text, int at) {
    return read_list(key, text, layout.scales, 8, [&](int i, std::uint64_t value) {
      for (int copy = 0; copy < layout.scale_copies; ++copy) {
        put_bits(words + at, 8 * (i + copy * layout.scales), 8, value);
      }
    });
  };
  if (problem.empty()) problem = read_scales("sa", row.sa, layout.scale_at());
  if (problem.empty()) problem = read_scales("sb", row.sb, layout.scale_at() + 1);
  return problem;
}

void pack_values(const std::uint64_t* a, const std::uint64_t* b, std::uint64_t c,
                 const OperandLayout& layout, std::uint32_t* words) {
  std::fill_n(words, layout.words(), 0u);
  for (int k = 0; k < layout.k; ++k) {
    put_bits(words, layout.a.bit_of(k), layout.a.bits, a[k]);
    put_bits(words + layout.b_at(), layout.b.bit_of(k), layout.b.bits, b[k]);
  }
  put_c(layout, c, words);
}

void append_hex(std::uint64_t value, int bits, std::string& out) {
  for (int at = bits - 4; at >= 0; at -= 4) out += "0123456789abcdef"[value >> at & 15];
}

}  // namespace mmaspec::replay
