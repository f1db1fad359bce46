#include "queries/numbers/where.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <optional>
#include <stdexcept>

#include "queries/numbers/difference.h"
#include "queries/numbers/exact.h"
#include "spec/formats/convert.h"
#include "spec/formats/unpack.h"

namespace mmaspec {
namespace {

unsigned u(int n) { return static_cast<unsigned>(n); }

constexpr int kEvery = -1;
constexpr int kDeepest = 200;  // parentheses inside parentheses

/// What an expression is evaluated on.
struct Scope {
  const DotFormats& formats;
  const DotOperands& operands;
  Int d;
  int every = 0;  ///< what * stands for
};

struct Operand {
  std::string name;
  int index = 0;  ///< kEvery: *
};

/// A number as a pattern of a format, or an integer.
struct Number {
  const Format* format;  ///< nullptr: `pattern` is the number itself
  Int pattern;
};

struct Value {
  enum class Kind { operand, literal, exponent } kind;
  Operand operand;
  Rational literal;
  bool negative = false;
  bool absolute = false;  ///< before `negative`
};

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
                                     ? std::string("there are no scale factors")
                                     : "indices are 0 to " + std::to_string(all.size() - 1)));
  }
  const Format* format = operand.name == "a" ? f.a : operand.name == "b" ? f.b : f.scale;
  return {format, all[static_cast<std::size_t>(i)]};
}

/// Larger in size than the exponent of every number of every format.
constexpr int kBeyondExponents = 1100;
static_assert(kBeyondExponents > 1023 + 52);  // f64's least number is 2^-1074

/// floor(log2(|x|)); of zero and of infinities what stands for minus and plus infinity.
Int exponent_of(const Number& x) {
  const Unpacked n = unpack(*x.format, x.pattern);
  const Int e = n.exponent + bit_length(n.significand) - 1 - x.format->fraction_bits;
  const Int of_finite = select(n.significand == 0, -kBeyondExponents, e);
  return select(n.is_infinite, kBeyondExponents, of_finite);
}

/// An integer that exponents compare with as with this one.
Integer within_exponents(const Integer& x) {
  const Integer most = kBeyondExponents - 1;
  return x < -most ? Integer(-most) : x > most ? most : x;
}

Int magnitude(const Format& f, Int pattern) {
  return f.has_sign ? bits(pattern, 0, u(f.sign_bit())) : pattern;
}

Number with_signs(const Value& value, Number x) {
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

enum class Comparison { less, at_most, greater, at_least, equal, unequal };

/// x how y: a Bool of Ints, a bool of numbers.
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

/// The places of the numbers at most and at least y; beyond the largest number that of an infinity,
/// which not every format has.
std::pair<Integer, Integer> places_around(const Format& f, const Rational& y) {
  const Integer largest = f.largest_finite();
  if (boost::multiprecision::abs(y) > decode(f, largest << f.ignored_low_bits).value()) {
    if (y < 0) return {-(largest + 1), -largest};
    return {largest, largest + 1};
  }
  const Neighbours near = neighbours(f, y);
  return {place(f, near.below), place(f, near.above)};
}

/// x how y of a number that is not NaN and a constant.
Bool against(Comparison how, const Number& x, const Rational& y) {
  const Format& f = *x.format;
  const Int p = place(f, x.pattern);
  // A format without sign or zero knows no number below its least.
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

const Format& common(const Format& x, const Format& y) {
  if (x == y) return x;
  return x == formats::f64 || y == formats::f64 ? formats::f64 : formats::f32;
}

/// Of the operand as it is: a NaN with its sign changed may look like a number (FNUZ).
Bool is_nan(const Scope& scope, const Value& x) {
  if (x.kind == Value::Kind::literal) return false;
  const Number n = look_up(scope, x.operand);
  return unpack(*n.format, n.pattern).is_nan;
}

Bool in_class(const std::string& name, const Number& x) {
  const Format& f = *x.format;
  const Unpacked n = unpack(f, x.pattern);
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

constexpr std::array<const char*, 7> kClasses{"normal",   "subnormal", "zero",    "finite",
                                              "infinite", "nan",       "negative"};

}  // namespace

struct Where::Expression {
  std::function<Bool(const Scope&)> holds;
};

namespace {

using Meaning = std::function<Bool(const Scope&)>;

class Parser {
 public:
  explicit Parser(const std::string& text) : text_(text) {}

  Meaning whole() {
    Meaning m = disjunction(0);
    skip();
    if (at_ < text_.size()) fail("expected an operator or the end");
    return m;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    std::string rest = text_.substr(std::min(at_, text_.size()), 20);
    for (char& c : rest) {
      if (std::iscntrl(static_cast<unsigned char>(c)) != 0) c = ' ';
    }
    throw std::invalid_argument("--where: " + what + " at position " + std::to_string(at_ + 1) +
                                (rest.empty() ? ", the end" : ", '" + rest + "'"));
  }
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  bool take(std::string_view token) {
    skip();
    if (text_.compare(at_, token.size(), token) != 0) return false;
    at_ += token.size();
    return true;
  }
  void expect(std::string_view token) {
    if (!take(token)) fail("expected '" + std::string(token) + "'");
  }
  std::string word() {
    skip();
    std::string w;
    while (at_ < text_.size() && std::isalpha(static_cast<unsigned char>(text_[at_])) != 0) {
      w += text_[at_++];
    }
    return w;
  }
  std::string peek_word() {
    const std::size_t before = at_;
    std::string w = word();
    at_ = before;
    return w;
  }

  Meaning disjunction(int depth) {
    std::vector<Meaning> all{conjunction(depth)};
    while (take("||")) all.push_back(conjunction(depth));
    if (all.size() == 1) return all[0];
    return [all](const Scope& s) {
      std::vector<Bool> each;
      for (const Meaning& m : all) each.push_back(m(s));
      return any_of(each);
    };
  }
  Meaning conjunction(int depth) {
    std::vector<Meaning> all{unary(depth)};
    while (take("&&")) all.push_back(unary(depth));
    if (all.size() == 1) return all[0];
    return [all](const Scope& s) {
      std::vector<Bool> each;
      for (const Meaning& m : all) each.push_back(m(s));
      return all_of(each);
    };
  }
  Meaning unary(int depth) {
    if (depth > kDeepest) fail("too many parentheses");
    skip();
    if (at_ < text_.size() && text_[at_] == '!' && text_.compare(at_, 2, "!=") != 0) {
      ++at_;
      return [inner = unary(depth + 1)](const Scope& s) { return !inner(s); };
    }
    if (take("(")) {
      Meaning inner = disjunction(depth + 1);
      expect(")");
      return inner;
    }
    const std::string name = peek_word();
    if (std::find(kClasses.begin(), kClasses.end(), name) != kClasses.end()) return classed();
    return comparison();
  }

  Meaning classed() {
    const std::string name = word();
    expect("(");
    const Operand x = operand();
    expect(")");
    return for_every([name, x](const Scope& s) { return in_class(name, look_up(s, x)); }, {x});
  }

  Meaning comparison() {
    const Value x = value(0);
    static const std::array<std::pair<const char*, Comparison>, 6> kOperators{
        {{"<=", Comparison::at_most},
         {">=", Comparison::at_least},
         {"==", Comparison::equal},
         {"!=", Comparison::unequal},
         {"<", Comparison::less},
         {">", Comparison::greater}}};
    for (const auto& [token, how] : kOperators) {
      if (!take(token)) continue;
      const Value y = value(0);
      return for_every(meaning(how, x, y), {x.operand, y.operand});
    }
    fail("expected a comparison");
  }

  /// For each k, if one of the operands says so.
  static Meaning for_every(Meaning one, std::vector<Operand> operands) {
    std::erase_if(operands, [](const Operand& x) { return x.index != kEvery; });
    if (operands.empty()) return one;
    return [one = std::move(one), operands](const Scope& s) {
      const std::size_t count = vector_of(s, operands[0].name)->size();
      for (const Operand& x : operands) {
        if (vector_of(s, x.name)->empty()) {
          throw std::invalid_argument("--where: " + x.name + "[*]: there are no scale factors");
        }
        if (vector_of(s, x.name)->size() != count) {
          throw std::invalid_argument("--where: " + operands[0].name + "[*] and " + x.name +
                                      "[*] are of different lengths");
        }
      }
      std::vector<Bool> all;
      Scope each{s.formats, s.operands, s.d};
      for (each.every = 0; each.every < static_cast<int>(count); ++each.every) {
        all.push_back(one(each));
      }
      return all_of(all);
    };
  }

  static Meaning meaning(Comparison how, const Value& x, const Value& y) {
    using Kind = Value::Kind;
    if (x.kind == Kind::literal && y.kind == Kind::literal) {
      return [how, x, y](const Scope&) {
        return Bool(compared(how, with_signs(x, x.literal), with_signs(y, y.literal)));
      };
    }
    if (x.kind == Kind::literal) return meaning(mirrored(how), y, x);
    if (x.kind == Kind::exponent || y.kind == Kind::exponent) return exponents(how, x, y);
    return [how, x, y](const Scope& s) {
      const Number nx = with_signs(x, look_up(s, x.operand));
      const Bool unordered = how == Comparison::unequal;
      const Bool some_nan = is_nan(s, x) || is_nan(s, y);
      if (y.kind == Kind::literal) {
        return select(some_nan, unordered, against(how, nx, with_signs(y, y.literal)));
      }
      const Number ny = with_signs(y, look_up(s, y.operand));
      const Format& f = common(*nx.format, *ny.format);
      return select(some_nan, unordered,
                    compared(how, place(f, convert(*nx.format, nx.pattern, f).pattern),
                             place(f, convert(*ny.format, ny.pattern, f).pattern)));
    };
  }

  static Meaning exponents(Comparison how, const Value& x, const Value& y) {
    const auto integer = [](const Value& v) -> std::function<Int(const Scope&)> {
      if (v.kind == Value::Kind::literal) {
        const Rational n = with_signs(v, v.literal);
        if (denominator(n) != 1) {
          throw std::invalid_argument("--where: an exponent is compared with integers");
        }
        return [n](const Scope&) { return Int(within_exponents(numerator(n))); };
      }
      if (v.kind != Value::Kind::exponent) {
        throw std::invalid_argument("--where: an exponent is compared with integers");
      }
      return [v](const Scope& s) {
        const Int e = exponent_of(look_up(s, v.operand));
        const Int size = v.absolute ? abs(e) : e;
        return v.negative ? -size : size;
      };
    };
    return [how, x, y, left = integer(x), right = integer(y)](const Scope& s) {
      const Bool unordered = how == Comparison::unequal;
      return select(is_nan(s, x) || is_nan(s, y), unordered, compared(how, left(s), right(s)));
    };
  }

  Value value(int depth) {
    if (depth > kDeepest) fail("too many parentheses");
    Value v;
    const bool minus = take("-");
    const std::string name = peek_word();
    if (name == "abs") {
      word();
      expect("(");
      v = value(depth + 1);
      expect(")");
      v.absolute = true;
      v.negative = minus;
      return v;
    }
    if (name == "exponent") {
      word();
      expect("(");
      v.operand = operand();
      expect(")");
      v.kind = Value::Kind::exponent;
    } else if (!name.empty()) {
      v.operand = operand();
      v.kind = Value::Kind::operand;
    } else {
      v.literal = number();
      v.kind = Value::Kind::literal;
    }
    v.negative = minus;
    return v;
  }

  Rational number() {
    skip();
    std::size_t end = at_;
    while (end < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[end])) != 0 || text_[end] == '.' ||
            ((text_[end] == '-' || text_[end] == '+') && end > at_ &&
             std::string("eEpP").find(text_[end - 1]) != std::string::npos))) {
      ++end;
    }
    if (end == at_) fail("expected a[k], b[k], c, d or a number");
    const std::string digits = text_.substr(at_, end - at_);
    try {
      Rational x = parse_rational(digits);
      at_ = end;
      return x;
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(std::string("--where: ") + error.what());
    }
  }

  Operand operand() {
    const std::size_t before = at_;
    Operand x{word()};
    if (x.name == "c" || x.name == "d") return x;
    if (x.name != "a" && x.name != "b" && x.name != "sa" && x.name != "sb") {
      at_ = before;
      fail("expected a[k], b[k], c, d or a number");
    }
    expect("[");
    if (take("*")) {
      x.index = kEvery;
    } else {
      skip();
      std::size_t digits = 0;
      while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) {
        x.index = x.index * 10 + (text_[at_++] - '0');
        if (++digits > 6) fail("the index is too large");
      }
      if (digits == 0) fail("expected an index or *");
    }
    expect("]");
    return x;
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

}  // namespace

Where::Where(const std::vector<std::string>& expressions) {
  for (const std::string& text : expressions) {
    expressions_.push_back(std::make_shared<const Expression>(Expression{Parser(text).whole()}));
  }
}

Bool Where::holds(const DotFormats& formats, const DotOperands& operands, Int d) const {
  std::vector<Bool> all;
  for (const auto& e : expressions_) all.push_back(e->holds({formats, operands, d}));
  return all_of(all);
}

}  // namespace mmaspec
