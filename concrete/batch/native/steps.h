#pragma once
/// Generates the machine instructions of one step.

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "concrete/batch/native/values.h"

namespace mmaspec::batch {

inline constexpr std::uint64_t kOnes = ~std::uint64_t{0};

/// Width of a lane in bits.
inline unsigned width_of(Type type) {
  return type == Type::i32 ? 32 : type == Type::i64 ? 64 : 16;  // a Boolean is a 16-bit mask
}

/// 2^width - 1.
inline std::uint64_t field_of(unsigned width) {
  return width >= 64 ? kOnes : (std::uint64_t{1} << width) - 1;
}

/// Whether the step uses the signed variant of its operation.
inline bool is_signed(Code code) {
  switch (code) {
    case Code::convert_s:
    case Code::store_s:
    case Code::multiply_s:
    case Code::minimum_s:
    case Code::maximum_s:
    case Code::shift_right_s:
    case Code::less_s:
      return true;
    default:
      return false;
  }
}

/// Constants that machine code reads, each repeated to fill a vector register. Their addresses are
/// offsets from the register base().
class NativeConstants {
 public:
  static const Xbyak::Reg64& base();
  /// The offset of this number, repeated in lanes of `width` bits.
  std::uint32_t at(unsigned width, std::uint64_t value);
  Xbyak::Address operator()(unsigned width, std::uint64_t value) {
    return Xbyak::util::ptr[base() + at(width, value)];
  }
  /// All requested constants in sequence.
  const std::vector<std::uint64_t>& words() const { return words_; }

 private:
  std::map<std::uint64_t, std::uint32_t> at_;  ///< key: the 64 bits that repeat
  std::vector<std::uint64_t> words_;
};

/// Whether machine code can be generated for a step.
bool has_native(const DraftStep& step);

class NativeSteps {
 public:
  NativeSteps(Assembler& code, const Draft& draft, NativeValues& values, NativeConstants& constants)
      : code_(code), draft_(draft), values_(values), constants_(constants) {}

  /// Requires has_native(step).
  void emit(const DraftStep& step);

 private:
  /// A value under construction: one register for each part of its type.
  using Parts = std::vector<Ymm>;

  void load(const DraftStep& step);
  void store(const DraftStep& step);
  void check(const DraftStep& step);
  void linear(const DraftStep& step);
  void conjunction(const DraftStep& step);
  void parity(const DraftStep& step);
  void bits(const DraftStep& step);
  void test_bit(const DraftStep& step);
  void bit_length(const DraftStep& step);
  void compare(const DraftStep& step);
  void multiply(const DraftStep& step);
  void multiply_long(const DraftStep& step);
  void absolute(const DraftStep& step);
  void negate(const DraftStep& step);
  void select(const DraftStep& step);
  void extremum(const DraftStep& step);
  void shift(const DraftStep& step);
  void shift_i16(const DraftStep& step);
  void shift_by(const DraftStep& step);
  void convert(const DraftStep& step);

  // Single operations on one register with lanes of a type.
  void add(Type type, const Ymm& to, const Ymm& x, const Xbyak::Operand& y);
  void subtract(Type type, const Ymm& to, const Ymm& x, const Xbyak::Operand& y);
  void equal(Type type, const Ymm& to, const Ymm& x, const Xbyak::Operand& y);
  /// to = x > y, signed.
  void greater(Type type, const Ymm& to, const Ymm& x, const Xbyak::Operand& y);
  void left_by(Type type, const Ymm& to, const Ymm& x, unsigned by);
  void right_by(Type type, const Ymm& to, const Ymm& x, unsigned by);
  void right_by_s(Type type, const Ymm& to, const Ymm& x, unsigned by);
  /// Variable shifts of 32 and 64 bits.
  void shifted(Code code, Type type, const Ymm& to, const Ymm& x, const Xbyak::Operand& y);
  void better(Code code, Type type, const Ymm& to, const Ymm& x, const Xbyak::Operand& y);
  /// Modulo 2^64; `to` is neither x nor y.
  void multiply_i64(const Ymm& to, const Ymm& x, const Ymm& y);
  /// An unsigned number minus 2^(width - 1): signed comparison then gives the unsigned order.
  Ymm as_signed(Type type, Register value, unsigned part);

  // Operations on whole values in temporary registers.
  Parts widened(const Parts& x, Type from, bool is_signed);
  Parts narrowed(const Parts& x, Type from);
  Parts read(Register value);
  Parts temporaries(std::size_t count);
  void drop(const Parts& parts);
  void define(Register value, const Parts& parts);
  /// A Boolean as masks with the lanes of a type.
  Parts masks(Register boolean, bool negated, Type type);
  /// The inverse. Releases the masks.
  Ymm boolean_of(Parts masks, Type type);

  Assembler& code_;
  const Draft& draft_;
  NativeValues& values_;
  NativeConstants& constants_;
};

}  // namespace mmaspec::batch
