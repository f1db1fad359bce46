#pragma once
/// The semantics of `--where` terms in the language: operands, numbers, comparisons and classes.

#include <array>
#include <string>
#include <vector>

#include "spec/formats/text.h"
#include "spec/parts/dot_add.h"

namespace mmaspec::where {

inline constexpr int kEvery = -1;

/// The environment in which an expression is evaluated.
struct Scope {
  const DotFormats& formats;
  const DotOperands& operands;
  Int d;
  int every = 0;  ///< the index that * stands for
};

struct Operand {
  std::string name;
  int index = 0;  ///< kEvery: *
};

/// A number as a pattern of a format, or an integer.
struct Number {
  const Format* format;  ///< nullptr: `pattern` is the integer itself
  Int pattern;
};

struct Value {
  enum class Kind { operand, literal, exponent } kind;
  Operand operand;
  Rational literal;
  bool negative = false;
  bool absolute = false;  ///< applied before `negative`
};

inline constexpr std::array<const char*, 7> kClasses{"normal",   "subnormal", "zero",    "finite",
                                                     "infinite", "nan",       "negative"};

enum class Comparison { less, at_most, greater, at_least, equal, unequal };
/// The comparison of x and y: a Bool for Ints, a bool for numbers.
template <typename X, typename Y>
auto compared(Comparison how, const X& x, const Y& y) -> decltype(x < y) {
  switch (how) {
    case Comparison::less:
      return x < y;
    case Comparison::at_most:
      return x <= y;
    case Comparison::greater:
      return x > y;
    case Comparison::at_least:
      return x >= y;
    case Comparison::equal:
      return x == y;
    case Comparison::unequal:
      return x != y;
  }
  throw std::logic_error("no such comparison");
}

const std::vector<Int>* vector_of(const Scope& scope, const std::string& name);
Number look_up(const Scope& scope, const Operand& operand);
/// floor(log2(|x|)). Zero and infinities give the integers that represent minus and plus infinity.
Int exponent_of(const Number& x);
/// The integer clamped to a range in which its comparison with every exponent has the same result.
Integer within_exponents(const Integer& x);
Number with_signs(const Value& value, Number x);
Rational with_signs(const Value& value, Rational x);
Comparison mirrored(Comparison how);
/// The comparison of a number that is not NaN with a constant.
Bool against(Comparison how, const Number& x, const Rational& y);
/// Applied to the operand before its sign changes: a NaN with its sign changed may be the pattern
/// of a number (FNUZ).
Bool is_nan(const Scope& scope, const Value& x);
Bool in_class(const std::string& name, const Number& x);

}  // namespace mmaspec::where
