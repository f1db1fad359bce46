#pragma once
/// One of a few values of a parameter, known or symbolic.

#include "spec/lang/int.h"

namespace mmaspec {

/// A value of the enumeration E as an expression: a constant, or one that an input selects.
template <typename E>
class Choice {
 public:
  Choice(E value) : number_(static_cast<int>(value)) {}  // NOLINT(google-explicit-constructor)
  /// The enumerator of this number, which by its range is one of E's.
  static Choice numbered(Int number) { return Choice(number, 0); }

  Bool is(E value) const { return number_ == static_cast<int>(value); }
  /// By its range: whether the choice may, and whether it must, be this one.
  bool may_be(E value) const { return number_.range().holds(static_cast<int>(value)); }
  bool must_be(E value) const { return may_be(value) && number_.is_constant(); }

 private:
  Choice(Int number, int) : number_(number) {}

  Int number_;
};

/// The Boolean is not the constant false.
inline bool may_hold(Bool condition) { return !condition.same_as(false); }

}  // namespace mmaspec
