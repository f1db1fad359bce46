#pragma once
/// The value of one bitvector operation, on integers of any width or on words of the machine.

#include <cstdint>
#include <stdexcept>

#include "encoder/bitvector.h"

namespace mmaspec::rtl {

/// The value of a two's-complement pattern of `width` bits.
inline Integer signed_value(const Integer& pattern, unsigned width) {
  return width > 0 && bit_test(pattern, width - 1) ? Integer(pattern - power_of_two(width))
                                                   : pattern;
}

/// `width`: 1 to 64.
inline std::int64_t signed_value(std::uint64_t pattern, unsigned width) {
  const unsigned unused = 64 - width;
  return static_cast<std::int64_t>(pattern << unused) >> unused;
}

/// x modulo 2^width, for an x that may be negative.
inline Integer wrapped(const Integer& x, unsigned width) {
  const Integer mask = power_of_two(width) - 1;
  return x < 0 ? Integer(mask - ((-x - 1) & mask)) : Integer(x & mask);
}

inline std::uint64_t wrapped(std::uint64_t x, unsigned width) {
  return width >= 64 ? x : x & ((std::uint64_t{1} << width) - 1);
}

inline std::uint64_t wrapped(std::int64_t x, unsigned width) {
  return wrapped(static_cast<std::uint64_t>(x), width);
}

/// The value of `t`, which is neither a constant nor a variable; a Boolean is 0 or 1. `arg(i)` is
/// the value of its argument i. Word: Integer, or std::uint64_t if neither the term nor an argument
/// has more than 64 bits.
template <typename Word, typename Args>
Word operation_value(const BvTerms& terms, const BvTerm& t, const Args& arg) {
  const auto width_of_arg = [&](std::size_t i) { return terms.width(t.args[i]); };
  const auto boolean = [](bool x) { return Word(x ? 1 : 0); };
  switch (t.op) {
    case BvOp::bool_not:
      return boolean(arg(0) == 0);
    case BvOp::bool_and:
      for (std::size_t i = 0; i < t.args.size(); ++i) {
        if (arg(i) == 0) return 0;
      }
      return 1;
    case BvOp::bool_or:
    case BvOp::bv_or:
      return arg(0) | arg(1);
    case BvOp::bool_xor:
    case BvOp::bv_xor:
      return arg(0) ^ arg(1);
    case BvOp::bv_and:
      return arg(0) & arg(1);
    case BvOp::bv_not:
      return wrapped(Word(~arg(0)), t.width);
    case BvOp::eq:
      return boolean(arg(0) == arg(1));
    case BvOp::ult:
      return boolean(arg(0) < arg(1));
    case BvOp::slt:
      return boolean(signed_value(arg(0), width_of_arg(0)) < signed_value(arg(1), width_of_arg(1)));
    case BvOp::ite:
      return arg(0) != 0 ? arg(1) : arg(2);
    case BvOp::add:
      return wrapped(Word(arg(0) + arg(1)), t.width);
    case BvOp::mul:
      return wrapped(Word(arg(0) * arg(1)), t.width);
    case BvOp::concat:
      return Word(arg(0) << width_of_arg(1)) | arg(1);
    case BvOp::extract:
      return wrapped(Word(arg(0) >> t.low), t.width);
    case BvOp::zero_extend:
      return arg(0);
    case BvOp::sign_extend:
      return wrapped(signed_value(arg(0), width_of_arg(0)), t.width);
    case BvOp::bool_constant:
    case BvOp::constant:
    case BvOp::variable:
      break;
  }
  throw std::logic_error("no such operation");
}

}  // namespace mmaspec::rtl
