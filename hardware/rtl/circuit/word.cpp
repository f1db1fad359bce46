#include "hardware/rtl/circuit/word.h"

#include <algorithm>
#include <stdexcept>

namespace mmaspec::rtl {
namespace {

Integer ones(unsigned width) { return power_of_two(width) - 1; }

bool is_constant(const Piece& p) { return p.value.is_constant(); }
const Integer& constant(const Piece& p) { return p.value.range().low; }

Piece piece_of(Bool bit, unsigned width) {
  return {mmaspec::select(bit, Int(ones(width)), Int(0)), width, bit};
}

Piece part(const Piece& p, unsigned high, unsigned low) {
  const unsigned width = high - low + 1;
  if (width == p.width) return p;
  if (p.repeated) return piece_of(*p.repeated, width);
  if (width == 1) return piece_of(mmaspec::bit(p.value, low), 1);
  return {bits(p.value, low, width), width};
}

Bool bit_of(const Piece& p, unsigned i) {
  return p.repeated ? *p.repeated : mmaspec::bit(p.value, i);
}

/// Splits two words at the seams of both and combines the pieces.
template <typename Combine>
Word piecewise(const Word& x, const Word& y, const Combine& combine) {
  std::vector<unsigned> seams;
  for (const Word* w : {&x, &y}) {
    unsigned at = 0;
    for (const Piece& p : w->pieces()) {
      // Runs of equal bits in a constant are separate pieces.
      if (is_constant(p)) {
        for (unsigned i = 1; i < p.width; ++i) {
          if (bit_test(constant(p), i) != bit_test(constant(p), i - 1)) seams.push_back(at + i);
        }
      }
      seams.push_back(at += p.width);
    }
  }
  std::sort(seams.begin(), seams.end());
  seams.erase(std::unique(seams.begin(), seams.end()), seams.end());
  std::optional<Word> result;
  unsigned low = 0;
  for (const unsigned end : seams) {
    const Word part = combine(x.slice(end - 1, low), y.slice(end - 1, low));
    result = result ? concat(part, *result) : part;
    low = end;
  }
  return *result;
}

const Piece* only_piece(const Word& x) { return x.pieces().size() == 1 ? &x.pieces()[0] : nullptr; }

/// Bit by bit, unless an operand is a constant or a repeated bit.
template <typename OfBits>
Word bitwise(const Word& x, const Word& y, const OfBits& of_bits) {
  std::optional<Word> result;
  for (unsigned i = 0; i < x.width(); ++i) {
    const Word bit = Word::of(of_bits(x.bit(i), y.bit(i)));
    result = result ? concat(bit, *result) : bit;
  }
  return *result;
}

/// `of_repeated`: the result if the first operand is a repeated bit.
template <typename OfRepeated, typename OfBits>
Word combined(const Word& x, const Word& y, const OfRepeated& of_repeated, const OfBits& of_bits) {
  if (x.width() != y.width()) throw std::logic_error("words of two widths");
  return piecewise(x, y, [&](const Word& p, const Word& q) {
    const auto repeated = [](const Word& w) -> std::optional<Bool> {
      const Piece* piece = only_piece(w);
      if (piece == nullptr) return std::nullopt;
      if (piece->repeated) return piece->repeated;
      if (is_constant(*piece) &&
          (constant(*piece) == 0 || constant(*piece) == ones(piece->width))) {
        return Bool(constant(*piece) != 0);
      }
      return std::nullopt;
    };
    if (p.width() == 1) return Word::of(of_bits(p.bit(0), q.bit(0)));
    const auto first = repeated(p);
    const auto second = repeated(q);
    if (first && second) return Word::repeated(of_bits(*first, *second), p.width());
    if (first) return of_repeated(*first, q);
    if (second) return of_repeated(*second, p);
    return bitwise(p, q, of_bits);
  });
}

Word zeros(unsigned width) { return Word::of(Int(0), width); }

/// Stages of a shifter, one for each significant bit of the amount. `by_constant`: the shift by a
/// number less than the width; `beyond`: the result for larger amounts.
template <typename ByConstant>
Word barrel(const Word& x, const Word& by, const ByConstant& by_constant, const Word& beyond) {
  Word y = x;
  Bool all_out = false;
  for (unsigned i = 0; i < by.width(); ++i) {
    const Bool bit = by.bit(i);
    if (i >= 31 || (1U << i) >= x.width()) {
      all_out = all_out || bit;
    } else {
      y = select(bit, by_constant(y, 1U << i), y);
    }
  }
  return select(all_out, beyond, y);
}

}  // namespace

Word Word::of(Int value, unsigned width) {
  if (width == 0 || value.range().low < 0 || value.range().high > ones(width)) {
    throw std::logic_error("a number beyond its word");
  }
  if (width == 1) return of(value == 1);
  Word w;
  w.pieces_.push_back({value, width, {}});
  return w;
}

Word Word::of(Bool bit) { return repeated(bit, 1); }

Word Word::repeated(Bool bit, unsigned width) {
  Word w;
  w.pieces_.push_back(piece_of(bit, width));
  return w;
}

unsigned Word::width() const {
  unsigned width = 0;
  for (const Piece& p : pieces_) width += p.width;
  return width;
}

Int Word::value() const {
  std::vector<Int> parts;
  unsigned low = 0;
  for (const Piece& p : pieces_) {
    parts.push_back(power_of_two(low) * p.value);
    low += p.width;
  }
  return total(parts);
}

Bool Word::any() const {
  std::vector<Bool> parts;
  for (const Piece& p : pieces_) parts.push_back(p.repeated ? *p.repeated : p.value != 0);
  return any_of(parts);
}

Bool Word::bit(unsigned i) const {
  for (const Piece& p : pieces_) {
    if (i < p.width) return bit_of(p, i);
    i -= p.width;
  }
  throw std::logic_error("a bit beyond the word");
}

void Word::append(Piece piece) {
  if (!pieces_.empty()) {
    Piece& last = pieces_.back();
    if (last.repeated && piece.repeated && last.repeated->same_as(*piece.repeated)) {
      last = piece_of(*piece.repeated, last.width + piece.width);
      return;
    }
    if (is_constant(last) && is_constant(piece)) {
      last = {Int(constant(last) + (constant(piece) << last.width)), last.width + piece.width, {}};
      return;
    }
  }
  pieces_.push_back(piece);
}

Word Word::slice(unsigned high, unsigned low) const {
  if (high < low || high >= width()) throw std::logic_error("a slice beyond the word");
  Word result;
  unsigned at = 0;
  for (const Piece& p : pieces_) {
    const unsigned from = std::max(at, low);
    const unsigned to = std::min(at + p.width - 1, high);
    if (from <= to) result.append(part(p, to - at, from - at));
    at += p.width;
  }
  return result;
}

Word Word::extended(unsigned to, bool is_signed) const {
  if (to == width()) return *this;
  const Bool sign = is_signed ? bit(width() - 1) : Bool(false);
  return concat(repeated(sign, to - width()), *this);
}

Word concat(const Word& high, const Word& low) {
  Word result = low;
  for (const Piece& p : high.pieces_) result.append(p);
  return result;
}

Word operator~(const Word& x) {
  std::optional<Word> result;
  for (const Piece& p : x.pieces()) {
    const Word part = p.repeated ? Word::repeated(!*p.repeated, p.width)
                                 : Word::of(ones(p.width) - p.value, p.width);
    result = result ? concat(part, *result) : part;
  }
  return *result;
}

Word operator&(const Word& x, const Word& y) {
  return combined(
      x, y, [](Bool b, const Word& w) { return select(b, w, zeros(w.width())); },
      [](Bool p, Bool q) { return p && q; });
}

Word operator|(const Word& x, const Word& y) {
  return combined(
      x, y, [](Bool b, const Word& w) { return select(b, Word::repeated(true, w.width()), w); },
      [](Bool p, Bool q) { return p || q; });
}

Word operator^(const Word& x, const Word& y) {
  return combined(
      x, y, [](Bool b, const Word& w) { return select(b, ~w, w); },
      [](Bool p, Bool q) { return p ^ q; });
}

Word add(const Word& x, const Word& y) {
  if (x.width() == 1) return x ^ y;
  return Word::of(bits(x.value() + y.value(), 0, x.width()), x.width());
}

Word subtract(const Word& x, const Word& y) {
  if (x.width() == 1) return x ^ y;
  return Word::of(bits(x.value() - y.value() + power_of_two(x.width()), 0, x.width()), x.width());
}

Word multiply(const Word& x, const Word& y) {
  if (x.width() == 1) return x & y;
  return Word::of(bits(x.value() * y.value(), 0, x.width()), x.width());
}

Word select(Bool condition, const Word& yes, const Word& no) {
  if (yes.width() == 1) return Word::of(mmaspec::select(condition, yes.bit(0), no.bit(0)));
  // Words with the same few parts, such as sign, exponent and fraction, remain split.
  constexpr std::size_t kFewParts = 4;
  const auto seams = [](const Word& w) {
    std::vector<unsigned> widths;
    for (const Piece& p : w.pieces()) widths.push_back(p.width);
    return widths;
  };
  if (yes.pieces().size() > 1 && yes.pieces().size() <= kFewParts && seams(yes) == seams(no)) {
    return piecewise(yes, no, [&](const Word& p, const Word& q) {
      return p.width() == 1 ? Word::of(mmaspec::select(condition, p.bit(0), q.bit(0)))
                            : Word::of(mmaspec::select(condition, p.value(), q.value()), p.width());
    });
  }
  return Word::of(mmaspec::select(condition, yes.value(), no.value()), yes.width());
}

Bool equal(const Word& x, const Word& y) {
  if (x.width() == 1) return !(x.bit(0) ^ y.bit(0));
  return x.value() == y.value();
}

Bool less(const Word& x, const Word& y, bool is_signed) {
  if (!is_signed) return x.value() < y.value();
  const Bool x_negative = x.bit(x.width() - 1);
  const Bool y_negative = y.bit(y.width() - 1);
  return mmaspec::select(x_negative ^ y_negative, x_negative, x.value() < y.value());
}

Word shift_left(const Word& x, const Word& by) {
  const unsigned w = x.width();
  const auto by_constant = [&](const Word& y, unsigned n) {
    return concat(y.slice(w - 1 - n, 0), zeros(n));
  };
  return barrel(x, by, by_constant, zeros(w));
}

Word shift_right(const Word& x, const Word& by, bool is_signed) {
  const unsigned w = x.width();
  if (w == 1) return is_signed ? x : Word::of(x.bit(0) && !by.any());
  if (is_signed) {
    const Bool sign = x.bit(w - 1);
    const auto by_constant = [&](const Word& y, unsigned n) {
      return concat(Word::repeated(sign, n), y.slice(w - 1, n));
    };
    return barrel(x, by, by_constant, Word::repeated(sign, w));
  }
  return Word::of(mmaspec::floor_shift_right(x.value(), by.value()), w);
}

Division divide(const Word& x, const Integer& by) {
  const unsigned w = x.width();
  if (by <= 0 || by >= power_of_two(w)) throw std::logic_error("a divisor beyond its word");
  if (by == 1) return {x, zeros(w)};
  const unsigned n = bit_length(by);
  if (is_power_of_two(by)) {
    return {x.slice(w - 1, n - 1).extended(w, false), x.slice(n - 2, 0).extended(w, false)};
  }
  // Long division, bit by bit from the highest one: the remainder is less than the divisor.
  const Word divisor = Word::of(Int(by), n + 1);
  Word rest = zeros(n);
  std::optional<Word> quotient;
  for (unsigned i = w; i-- > 0;) {
    const Word next = concat(rest, Word::of(x.bit(i)));
    const Bool fits = !less(next, divisor, false);
    rest = select(fits, subtract(next, divisor), next).slice(n - 1, 0);
    quotient = quotient ? concat(*quotient, Word::of(fits)) : Word::of(fits);
  }
  return {*quotient, rest.slice(std::min(n, w) - 1, 0).extended(w, false)};
}

Bool parity(const Word& x) {
  Bool odd = false;
  for (unsigned i = 0; i < x.width(); ++i) odd = odd ^ x.bit(i);
  return odd;
}

}  // namespace mmaspec::rtl
