#pragma once
/// Words of bits as RTL has them, built in the language: arithmetic modulo 2^width and operations
/// on single bits, which the language itself, whose values are integers, does not know.

#include <optional>
#include <vector>

#include "spec/lang/int.h"

namespace mmaspec::rtl {

/// Bits that belong together: a number 0 <= value < 2^width, or one Boolean width times.
struct Piece {
  Int value;
  unsigned width;
  std::optional<Bool> repeated = {};
};

/// A word, the pieces with the lowest bits first. What is put together of parts and taken apart
/// again is the same parts: no operation stands between them.
class Word {
 public:
  static Word of(Int value, unsigned width);  ///< 0 <= value < 2^width by its range
  static Word of(Bool bit);
  static Word repeated(Bool bit, unsigned width);

  unsigned width() const;
  /// As a number without sign.
  Int value() const;
  /// Not zero; of one bit: the bit.
  Bool any() const;
  Bool bit(unsigned i) const;
  const std::vector<Piece>& pieces() const { return pieces_; }

  /// Bits high..low.
  Word slice(unsigned high, unsigned low) const;
  Word extended(unsigned to, bool is_signed) const;

 private:
  friend Word concat(const Word& high, const Word& low);
  void append(Piece piece);  ///< above what there is

  std::vector<Piece> pieces_;
};

Word concat(const Word& high, const Word& low);

// Of words of one width; so is the result.
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

/// By as many bits as `by`, of any width, says; what comes in is zero, or the sign.
Word shift_left(const Word& x, const Word& by);
Word shift_right(const Word& x, const Word& by, bool is_signed);

/// Quotient and remainder by a constant from 1 to 2^width - 1, of numbers without sign.
struct Division {
  Word quotient;
  Word remainder;
};
Division divide(const Word& x, const Integer& by);

/// An odd number of bits is set.
Bool parity(const Word& x);

}  // namespace mmaspec::rtl
