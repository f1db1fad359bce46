#pragma once
/// Normal forms for sums, which prove equalities that bit-level solvers do not find.

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
  /// Whether a Boolean is proved to be true for all inputs.
  using Holds = std::function<bool(TermId)>;

  /// `terms` must outlive this object. `holds` is called if ranges do not show that a shift's
  /// amount is not truncated; without it, this is not known.
  explicit Arithmetic(BvTerms& terms, Holds holds = {}) : terms_(terms), holds_(std::move(holds)) {}

  /// Records that a word is floor(shifted / 2^amount), all three unsigned. False: a similar fact
  /// was known before and is kept.
  bool is_shift(TermId word, TermId shifted, TermId amount);
  /// Removes the facts that is_shift() recorded for these words.
  void forget(const std::vector<TermId>& shifts);

  /// True: both words of one width, or both Booleans, are equal for all inputs. False: unknown.
  bool equal(TermId x, TermId y);

 private:
  /// An indivisible number: a signed or unsigned word (`one`: the number 1) if all gates hold,
  /// otherwise 0.
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
  static Form reduced(const Form& x, unsigned width);   ///< coefficients in 0 .. 2^width - 1
  static Form centered(const Form& x, unsigned width);  ///< coefficients of least magnitude
  Form atom(TermId t, bool is_signed) const;
  Form bit(TermId condition);
  std::optional<Form> gated(TermId gate, const Form& x);       ///< x if it holds, otherwise 0
  std::optional<Form> negated_if(TermId sign, const Form& x);  ///< -x if it holds, otherwise x

  Form modular(TermId t, unsigned width);  ///< t modulo 2^width
  Form structural(TermId t, unsigned width);
  Form with_signs(Form form, unsigned width);
  Form exact(TermId t, bool is_signed);  ///< t as a signed or unsigned number
  Form shift(TermId t);                  ///< a recorded shift as a number
  Form natural(TermId t);                ///< t as an unsigned number, also using `holds_`
  bool is_exactly(TermId t, const Form& form);
  Interval range(const Form& form);  ///< an interval that contains it
  Integer bound(TermId t) const;     ///< the largest value as an unsigned number
  std::optional<TermId> repeated(TermId t) const;
  std::optional<Form> negative(TermId t);  ///< a number that is negative if and only if the Boolean
                                           ///< holds

  BvTerms& terms_;
  Holds holds_;
  std::map<std::pair<TermId, unsigned>, Form> modular_;
  std::map<TermId, std::pair<TermId, TermId>> shifts_;  ///< word -> (shifted, amount)
  std::set<TermId> followed_;                           ///< words whose shifts are being processed
  std::map<std::pair<TermId, Form>, bool> confirmed_;   ///< cached results of is_exactly()
  /// One representative word for all words that are the same number shifted by the same amount.
  std::map<std::pair<Form, Form>, TermId> word_of_shift_;
  std::map<TermId, std::pair<Form, Form>> shift_of_word_;
};

}  // namespace mmaspec::rtl
