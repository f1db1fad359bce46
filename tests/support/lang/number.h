#pragma once
/// The language's vocabulary on plain numbers, implemented again as simply as possible. A generic
/// lambda runs on `Int`, and builds a graph, or on `Number`, and computes: so the two can be
/// compared. Nothing here uses the graph, its folding or its evaluator.

#include <cstddef>
#include <vector>

#include "spec/lang/int.h"

namespace mmaspec::lang_test {

// A braced list has no namespace for argument-dependent lookup.
using mmaspec::max;
using mmaspec::min;
using mmaspec::total;

/// Bool's counterpart.
struct Truth {
  bool value;
};
inline Truth operator!(Truth x) { return {!x.value}; }
inline Truth operator&&(Truth x, Truth y) { return {x.value && y.value}; }
inline Truth operator||(Truth x, Truth y) { return {x.value || y.value}; }
inline Truth operator^(Truth x, Truth y) { return {x.value != y.value}; }

/// Int's counterpart.
struct Number {
  Integer value;
  Number(int v) : value(v) {}                 // NOLINT(google-explicit-constructor)
  Number(Integer v) : value(std::move(v)) {}  // NOLINT(google-explicit-constructor)
};
inline Number operator+(const Number& x, const Number& y) { return Integer(x.value + y.value); }
inline Number operator-(const Number& x, const Number& y) { return Integer(x.value - y.value); }
inline Number operator-(const Number& x) { return Integer(-x.value); }
inline Number operator*(const Number& x, const Number& y) { return Integer(x.value * y.value); }
inline Truth operator<(const Number& x, const Number& y) { return {x.value < y.value}; }
inline Truth operator<=(const Number& x, const Number& y) { return {x.value <= y.value}; }
inline Truth operator>(const Number& x, const Number& y) { return {x.value > y.value}; }
inline Truth operator>=(const Number& x, const Number& y) { return {x.value >= y.value}; }
inline Truth operator==(const Number& x, const Number& y) { return {x.value == y.value}; }
inline Truth operator!=(const Number& x, const Number& y) { return {x.value != y.value}; }

inline Number select(Truth condition, const Number& yes, const Number& no) {
  return condition.value ? yes : no;
}
inline Truth select(Truth condition, Truth yes, Truth no) { return condition.value ? yes : no; }
inline Number negate_if(Truth sign, const Number& x) { return sign.value ? -x : x; }
inline Number abs(const Number& x) { return x.value < 0 ? -x : x; }

inline Number total(const std::vector<Number>& terms) {
  Number sum = 0;
  for (const Number& t : terms) sum = sum + t;
  return sum;
}
inline Number max(const std::vector<Number>& values) {
  Number best = values.at(0);
  for (const Number& v : values) best = v.value > best.value ? v : best;
  return best;
}
inline Number min(const std::vector<Number>& values) {
  Number best = values.at(0);
  for (const Number& v : values) best = v.value < best.value ? v : best;
  return best;
}
inline Number max(const Number& x, const Number& y) { return x.value > y.value ? x : y; }
inline Number min(const Number& x, const Number& y) { return x.value < y.value ? x : y; }

inline Number shift_left(const Number& x, const Number& n) {
  Number result = x;
  for (Integer i = 0; i < n.value; ++i) result = result * 2;
  return result;
}
/// Repeated halving toward minus infinity.
inline Number floor_shift_right(const Number& x, const Number& n) {
  Integer result = x.value;
  for (Integer i = 0; i < n.value && result != 0 && result != -1; ++i) {
    const bool odd = result % 2 != 0;
    result = (result - (odd ? 1 : 0)) / 2;
  }
  return result;
}
inline Truth bit(const Number& x, unsigned i) {
  return {floor_shift_right(x, Integer(i)).value % 2 == 1};
}
inline Number bits(const Number& x, unsigned low, unsigned width) {
  Number result = 0;
  for (unsigned i = width; i-- > 0;) result = result * 2 + (bit(x, low + i).value ? 1 : 0);
  return result;
}
inline Number bit_length(const Number& x) {
  int length = 0;
  for (Integer rest = x.value; rest != 0; rest /= 2) ++length;
  return length;
}
/// A true claim has no effect.
inline Number claim(const Number& x, const Integer& /*low*/, const Integer& /*high*/) { return x; }

}  // namespace mmaspec::lang_test
