// Builds the terms of `--where`.

#include "queries/numbers/where_terms.h"

#include <algorithm>
#include <stdexcept>

#include "queries/numbers/difference.h"
#include "queries/numbers/exact.h"
#include "spec/formats/convert.h"
#include "spec/formats/integer.h"
#include "spec/formats/unpack.h"
#include "util/unsigned.h"

namespace mmaspec::where {
namespace {

/// Larger in magnitude than the exponent of every number of every format.
constexpr int kBeyondExponents = 1100;

Int magnitude(const Format& f, Int pattern) {
  return f.has_sign ? bits(pattern, 0, u(f.sign_bit())) : pattern;
}

/// The ordinals of the largest number at most y and the smallest number at least y. Beyond the
/// largest number it is the ordinal of an infinity, which not every format has.
std::pair<Integer, Integer> places_around(const Format& f, const Rational& y) {
  if (f.is_integer()) {
    const Integer n = numerator(y) / denominator(y);  // rounded toward zero
    if (Rational(n) == y) return {n, n};
    return y < 0 ? std::pair(Integer(n - 1), n) : std::pair(n, Integer(n + 1));
  }
  const Rational size = boost::multiprecision::abs(y);
  const Integer low = std::min(ordinal_at_most(f, size), f.largest_finite());
  const bool is_exact = decode(f, low << f.ignored_low_bits).value() == size;
  const Integer high = low + (is_exact ? 0 : 1);
  return y < 0 ? std::pair(Integer(-high), Integer(-low)) : std::pair(low, high);
}

}  // namespace

const std::vector<Int>* vector_of(const Scope& scope, const std::string& name) {
  if (name == "a") return &scope.operands.a;
  if (name == "b") return &scope.operands.b;
  if (name == "sa") return &scope.operands.scale_a;
  if (name == "sb") return &scope.operands.scale_b;
  return nullptr;
}

Number look_up(const Scope& scope, const Operand& operand) {
  const DotFormats& f = scope.formats;
  if (operand.name == "c") return {f.c, scope.operands.c};
  if (operand.name == "d") return {f.d, scope.d};
  const std::vector<Int>& all = *vector_of(scope, operand.name);
  const int i = operand.index == kEvery ? scope.every : operand.index;
  if (i >= static_cast<int>(all.size())) {
    throw std::invalid_argument("--where: " + operand.name + "[" + std::to_string(i) + "]: " +
                                (all.empty()
                                     ? std::string("the unit does not have scale factors")
                                     : "indices are 0 to " + std::to_string(all.size() - 1)));
  }
  const Format* format = operand.name == "a" ? f.a : operand.name == "b" ? f.b : f.scale;
  return {format, all[static_cast<std::size_t>(i)]};
}

static_assert(kBeyondExponents > 1023 + 52);  // f64's least number is 2^-1074

Int exponent_of(const Number& x) {
  const Unpacked n = unpack(*x.format, x.pattern);
  const Int e = n.exponent + bit_length(n.significand) - 1 - x.format->fraction_bits;
  const Int of_finite = select(n.significand == 0, -kBeyondExponents, e);
  return select(n.is_infinite, kBeyondExponents, of_finite);
}

Integer within_exponents(const Integer& x) {
  const Integer most = kBeyondExponents - 1;
  return x < -most ? Integer(-most) : x > most ? most : x;
}

Number with_signs(const Value& value, Number x) {
  // Not every negative or absolute value of an integer is in its format; all are in f64.
  if (x.format->is_integer() && (value.absolute || value.negative)) {
    x = {&formats::f64, convert(*x.format, x.pattern, formats::f64).pattern};
  }
  const Format& f = *x.format;
  if (value.absolute) x.pattern = magnitude(f, x.pattern);
  if (value.negative) {
    if (!f.has_sign) {
      throw std::invalid_argument("--where: " + value.operand.name + " has no sign to change");
    }
    x.pattern = negated(f, x.pattern);
  }
  return x;
}

Rational with_signs(const Value& value, Rational x) {
  if (value.absolute) x = boost::multiprecision::abs(x);
  return value.negative ? Rational(-x) : x;
}

Comparison mirrored(Comparison how) {
  switch (how) {
    case Comparison::less:
      return Comparison::greater;
    case Comparison::at_most:
      return Comparison::at_least;
    case Comparison::greater:
      return Comparison::less;
    case Comparison::at_least:
      return Comparison::at_most;
    default:
      return how;
  }
}

Bool against(Comparison how, const Number& x, const Rational& y) {
  const Format& f = *x.format;
  const Int p = ordinal(f, x.pattern);
  // A format without sign or zero does not have numbers below its least.
  if (!f.has_sign && y < 0) return compared(how, Int(1), Int(0));
  if (!f.has_zero) {
    const Unpacked n = unpack(f, x.pattern);
    if (y == 0) return compared(how, Int(1), Int(0));
    const int e = floor_log2(y);
    const bool exact = y == rational_power_of_two(e);
    switch (how) {
      case Comparison::less:
        return exact ? n.exponent < e : n.exponent <= e;
      case Comparison::at_least:
        return exact ? n.exponent >= e : n.exponent > e;
      case Comparison::at_most:
        return n.exponent <= e;
      case Comparison::greater:
        return n.exponent > e;
      case Comparison::equal:
        return Bool(exact) && n.exponent == e;
      case Comparison::unequal:
        return !(Bool(exact) && n.exponent == e);
    }
  }
  const auto [below, above] = places_around(f, y);
  switch (how) {
    case Comparison::less:
      return p < above;
    case Comparison::at_least:
      return p >= above;
    case Comparison::at_most:
      return p <= below;
    case Comparison::greater:
      return p > below;
    case Comparison::equal:
      return Bool(below == above) && p == below;
    case Comparison::unequal:
      return !(Bool(below == above) && p == below);
  }
  throw std::logic_error("no such comparison");
}

Bool is_nan(const Scope& scope, const Value& x) {
  if (x.kind == Value::Kind::literal) return false;
  const Number n = look_up(scope, x.operand);
  return unpack(*n.format, n.pattern).is_nan;
}

Bool in_class(const std::string& name, const Number& x) {
  const Format& f = *x.format;
  const Unpacked n = unpack(f, x.pattern);
  if (f.is_integer()) {
    if (name == "normal") return !n.is_zero();
    if (name == "zero") return n.is_zero();
    if (name == "negative") return n.sign;
    return name == "finite";
  }
  const Int field = bits(x.pattern, u(f.ignored_low_bits + f.fraction_bits), u(f.exponent_bits));
  const Bool zero = f.has_zero ? n.is_finite() && n.is_zero() : Bool(false);
  const Bool subnormal = f.has_zero ? n.is_finite() && field == 0 && !n.is_zero() : Bool(false);
  if (name == "normal") return n.is_finite() && !zero && !subnormal;
  if (name == "subnormal") return subnormal;
  if (name == "zero") return zero;
  if (name == "finite") return n.is_finite();
  if (name == "infinite") return n.is_infinite;
  if (name == "nan") return n.is_nan;
  return n.sign;
}

}  // namespace mmaspec::where
