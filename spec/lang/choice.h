#pragma once
/// An enumeration-valued parameter, known or symbolic.

#include "spec/lang/int.h"

namespace mmaspec {

/// A value of the enumeration E as an expression: a constant, or selected by an input.
template <typename E>
class Choice {
 public:
  Choice(E value) : number_(static_cast<int>(value)) {}  // NOLINT(google-explicit-constructor)
  /// The enumerator with this number. The number's range must be within E.
  static Choice numbered(Int number) { return Choice(number, 0); }

  Bool is(E value) const { return number_ == static_cast<int>(value); }
  /// Whether the choice can be, and whether it must be, this value, according to its range.
  bool may_be(E value) const { return number_.range().holds(static_cast<int>(value)); }
  bool must_be(E value) const { return may_be(value) && number_.is_constant(); }

 private:
  Choice(Int number, int) : number_(number) {}

  Int number_;
};

/// False only if the Boolean is the constant false.
inline bool may_hold(Bool condition) { return !condition.same_as(false); }

}  // namespace mmaspec
