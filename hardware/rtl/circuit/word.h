#pragma once
/// RTL words built in the language: arithmetic modulo 2^width and bitwise operations, which the
/// language of integers lacks.

#include <optional>
#include <vector>

#include "spec/lang/int.h"

namespace mmaspec::rtl {

/// A group of adjacent bits: a number 0 <= value < 2^width, or one Boolean repeated width times.
struct Piece {
  Int value;
  unsigned width;
  std::optional<Bool> repeated = {};
};

/// A word as a list of pieces, lowest bits first. Concatenating parts and extracting them again
/// gives the same parts, without any operation in between.
class Word {
 public:
  static Word of(Int value, unsigned width);  ///< value's range must be within 0 .. 2^width - 1
  static Word of(Bool bit);
  static Word repeated(Bool bit, unsigned width);

  unsigned width() const;
  /// The word as an unsigned number.
  Int value() const;
  /// Whether it is not zero; for one bit: the bit.
  Bool any() const;
  Bool bit(unsigned i) const;
  const std::vector<Piece>& pieces() const { return pieces_; }

  /// Bits high..low.
  Word slice(unsigned high, unsigned low) const;
  Word extended(unsigned to, bool is_signed) const;

 private:
  friend Word concat(const Word& high, const Word& low);
  void append(Piece piece);  ///< at the high end

  std::vector<Piece> pieces_;
};

Word concat(const Word& high, const Word& low);

// Both words must have the same width, which is also that of the result.
Word operator~(const Word& x);
Word operator&(const Word& x, const Word& y);
Word operator|(const Word& x, const Word& y);
Word operator^(const Word& x, const Word& y);
Word add(const Word& x, const Word& y);
Word subtract(const Word& x, const Word& y);
Word multiply(const Word& x, const Word& y);
Word select(Bool condition, const Word& yes, const Word& no);
Bool equal(const Word& x, const Word& y);
Bool less(const Word& x, const Word& y, bool is_signed);

/// Shifts by the number `by`, of any width; zeros are shifted in, or the sign.
Word shift_left(const Word& x, const Word& by);
Word shift_right(const Word& x, const Word& by, bool is_signed);

/// Quotient and remainder of unsigned division by a constant from 1 to 2^width - 1.
struct Division {
  Word quotient;
  Word remainder;
};
Division divide(const Word& x, const Integer& by);

/// Whether an odd number of bits is set.
Bool parity(const Word& x);

}  // namespace mmaspec::rtl
