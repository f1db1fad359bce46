#pragma once
/// Sums brought to one form: what solvers that see single bits do not find.

#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "encoder/bitvector.h"

namespace mmaspec::rtl {

/// Words as integer combinations of others. Every step is an identity of two's complement:
///   ~x = -x - 1;   x * 2^n = {x, 0..};   x + y, modulo 2^width, or exactly where ranges show that
///   nothing is lost;   (b ? -x : x) = (x ^ {b..b}) + b, one form whichever way it is written.
class Arithmetic {
 public:
  /// `terms` must outlive this object.
  explicit Arithmetic(BvTerms& terms) : terms_(terms) {}

  /// True: both words, of one width, are equal for all inputs. False says nothing.
  bool equal(TermId x, TermId y);

 private:
  /// A number that is not taken apart: a word read with or without its sign (`one`: the number 1),
  /// and, where `sign` is set, its negation where that Boolean holds.
  struct Atom {
    bool one = false;
    TermId term = 0;
    bool is_signed = false;
    std::optional<TermId> sign;
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
  std::optional<Form> negated_if(TermId sign, const Form& x) const;

  Form modular(TermId t, unsigned width);  ///< t modulo 2^width
  Form structural(TermId t, unsigned width);
  Form with_signs(Form form, unsigned width);
  Form exact(TermId t, bool is_signed);  ///< t as a number
  Interval range(const Form& form);      ///< that it does not leave
  Integer bound(TermId t) const;         ///< the largest number without sign
  std::optional<TermId> repeated(TermId t) const;

  BvTerms& terms_;
  std::map<std::pair<TermId, unsigned>, Form> modular_;
};

}  // namespace mmaspec::rtl
