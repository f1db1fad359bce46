#pragma once
/// Sums brought to one form: what solvers that see single bits do not find.

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "encoder/bitvector.h"

namespace mmaspec::rtl {

/// Words as integer combinations of others. Every step is an identity of two's complement:
///   ~x = -x - 1;   x * 2^n = {x, 0..};   x + y, modulo 2^width, or exactly where ranges show that
///   nothing is lost;   (b ? -x : x) = (x ^ {b..b}) + b = x - 2 b x, (b ? x : 0) = b x, one form
///   whichever way it is written;   (x >> m) >> n = x >> (m + n), as numbers;   x < y where
///   x - y < 0.
class Arithmetic {
 public:
  /// Whether a Boolean is true for all inputs, as far as this finds out.
  using Holds = std::function<bool(TermId)>;

  /// `terms` must outlive this object. `holds`: asked where ranges do not show that nothing of a
  /// shift's amount is lost; none: then it is not known.
  explicit Arithmetic(BvTerms& terms, Holds holds = {}) : terms_(terms), holds_(std::move(holds)) {}

  /// Tells that a word is floor(shifted / 2^amount), all three read without sign. False: something
  /// like it was known before, and stays.
  bool is_shift(TermId word, TermId shifted, TermId amount);
  /// Takes back what is_shift() was told of these words.
  void forget(const std::vector<TermId>& shifts);

  /// True: both words, of one width, or Booleans, are equal for all inputs. False says nothing.
  bool equal(TermId x, TermId y);

 private:
  /// A number that is not taken apart: a word read with or without its sign (`one`: the number 1)
  /// where all of the gates hold, else 0.
  struct Atom {
    bool one = false;
    TermId term = 0;
    bool is_signed = false;
    std::set<TermId> gates = {};
    friend auto operator<=>(const Atom&, const Atom&) = default;
  };
  using Form = std::map<Atom, Integer>;
  struct Interval {
    Integer low;
    Integer high;
  };

  static Form constant(const Integer& value);
  static Form scaled(const Form& x, const Integer& factor);
  static Form sum(Form x, const Form& y);
  static Form reduced(const Form& x, unsigned width);   ///< coefficients 0 .. 2^width - 1
  static Form centered(const Form& x, unsigned width);  ///< the least in magnitude
  Form atom(TermId t, bool is_signed) const;
  Form bit(TermId condition);
  std::optional<Form> gated(TermId gate, const Form& x);       ///< x where it holds, else 0
  std::optional<Form> negated_if(TermId sign, const Form& x);  ///< -x where it holds, else x

  Form modular(TermId t, unsigned width);  ///< t modulo 2^width
  Form structural(TermId t, unsigned width);
  Form with_signs(Form form, unsigned width);
  Form exact(TermId t, bool is_signed);  ///< t as a number
  Form shift(TermId t);                  ///< a known one as a number
  Form natural(TermId t);                ///< t as a number without sign, by `holds_` too
  bool is_exactly(TermId t, const Form& form);
  Interval range(const Form& form);  ///< that it does not leave
  Integer bound(TermId t) const;     ///< the largest number without sign
  std::optional<TermId> repeated(TermId t) const;
  std::optional<Form> negative(TermId t);  ///< the Boolean holds where this number is below 0

  BvTerms& terms_;
  Holds holds_;
  std::map<std::pair<TermId, unsigned>, Form> modular_;
  std::map<TermId, std::pair<TermId, TermId>> shifts_;  ///< word -> shifted, amount
  std::set<TermId> followed_;                           ///< words whose shifts are being looked at
  std::map<std::pair<TermId, Form>, bool> confirmed_;   ///< is_exactly(), of what it was asked
  /// One word stands for all that are the same number shifted by as much.
  std::map<std::pair<Form, Form>, TermId> word_of_shift_;
  std::map<TermId, std::pair<Form, Form>> shift_of_word_;
};

}  // namespace mmaspec::rtl
