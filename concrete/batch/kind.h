#pragma once
/// The types in which registers of a batch program hold integers.

#include "concrete/batch/kernels/program.h"
#include "spec/lang/graph.h"

namespace mmaspec::batch {

/// The type, signedness and number of words of a register.
struct Kind {
  Type type;
  bool is_signed = true;
  std::uint32_t words = 1;  ///< more than 1 only if wide

  unsigned width() const {
    return type == Type::i16 ? 16U : type == Type::i32 ? 32U : type == Type::i64 ? 64U : 64 * words;
  }
  bool is_wide() const { return type == Type::wide; }
};

inline constexpr Kind kBoolean{Type::boolean, false};
inline constexpr Kind kI64{Type::i64};

inline Kind wide(std::uint32_t words) { return {Type::wide, true, words}; }

/// The narrowest kind that holds the range.
inline Kind kind_of(const Range& r) {
  for (const auto& [type, width] :
       {std::pair(Type::i16, 16U), {Type::i32, 32U}, {Type::i64, 64U}}) {
    const Integer half = power_of_two(width - 1);
    if (r.low >= -half && r.high < half) return {type};
    if (r.low >= 0 && r.high < 2 * half) return {type, false};
  }
  const Integer below = r.low < 0 ? Integer(-r.low - 1) : Integer(0);
  return wide(std::max(bit_length(below), bit_length(r.high)) / 64 + 1);
}

/// A kind of twice the width; for wide ones, one word more.
inline Kind wider(Kind k) {
  switch (k.type) {
    case Type::i16:
      return {Type::i32};
    case Type::i32:
      return {Type::i64};
    default:
      return wide(k.words + 1);
  }
}

}  // namespace mmaspec::batch
