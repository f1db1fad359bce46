// Parses `--where`.

#include "queries/numbers/where.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <optional>
#include <stdexcept>
#include <utility>

#include "queries/numbers/difference.h"
#include "queries/numbers/exact.h"
#include "queries/numbers/where_terms.h"
#include "spec/formats/convert.h"

namespace mmaspec::where {
namespace {

constexpr int kDeepest = 200;  // depth of nested parentheses

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
    if (name == "all" || name == "any") return quantified(depth);
    return comparison();
  }

  /// all(e), any(e): e for every or for some k.
  Meaning quantified(int depth) {
    if (quantified_) fail("all and any cannot be nested");
    const bool every = word() == "all";
    expect("(");
    quantified_.emplace();
    Meaning one = disjunction(depth + 1);
    expect(")");
    const std::vector<Operand> operands = *std::exchange(quantified_, std::nullopt);
    if (operands.empty()) fail("an operand inside all or any must have the index *");
    return over_k(std::move(one), operands, every ? all_of : any_of);
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

  /// For each k, if one of the operands has the index * and no all or any encloses it.
  Meaning for_every(Meaning one, std::vector<Operand> operands) {
    std::erase_if(operands, [](const Operand& x) { return x.index != kEvery; });
    if (operands.empty()) return one;
    if (quantified_) {
      quantified_->insert(quantified_->end(), operands.begin(), operands.end());
      return one;
    }
    return over_k(std::move(one), operands, all_of);
  }

  static Meaning over_k(Meaning one, const std::vector<Operand>& operands,
                        Bool (*joined)(const std::vector<Bool>&)) {
    return [one = std::move(one), operands, joined](const Scope& s) {
      const std::size_t count = vector_of(s, operands[0].name)->size();
      for (const Operand& x : operands) {
        if (vector_of(s, x.name)->empty()) {
          throw std::invalid_argument("--where: " + x.name +
                                      "[*]: the unit does not have scale factors");
        }
        if (vector_of(s, x.name)->size() != count) {
          throw std::invalid_argument("--where: " + operands[0].name + "[*] and " + x.name +
                                      "[*] have different lengths");
        }
      }
      std::vector<Bool> of_each;
      Scope each{s.formats, s.operands, s.d};
      for (each.every = 0; each.every < static_cast<int>(count); ++each.every) {
        of_each.push_back(one(each));
      }
      return joined(of_each);
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
      if (nx.format->is_integer() && ny.format->is_integer()) {
        return compared(how, ordinal(*nx.format, nx.pattern), ordinal(*ny.format, ny.pattern));
      }
      const Format& f = common_format(*nx.format, *ny.format);
      return select(some_nan, unordered,
                    compared(how, ordinal(f, convert(*nx.format, nx.pattern, f).pattern),
                             ordinal(f, convert(*ny.format, ny.pattern, f).pattern)));
    };
  }

  static Meaning exponents(Comparison how, const Value& x, const Value& y) {
    const auto integer = [](const Value& v) -> std::function<Int(const Scope&)> {
      if (v.kind == Value::Kind::literal) {
        const Rational n = with_signs(v, v.literal);
        if (denominator(n) != 1) {
          throw std::invalid_argument("--where: an exponent can be compared only with integers");
        }
        return [n](const Scope&) { return Int(within_exponents(numerator(n))); };
      }
      if (v.kind != Value::Kind::exponent) {
        throw std::invalid_argument("--where: an exponent can be compared only with integers");
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
  std::optional<std::vector<Operand>> quantified_;  ///< inside all or any: the operands with index
                                                    ///< * so far
};

}  // namespace
}  // namespace mmaspec::where

namespace mmaspec {

struct Where::Expression {
  where::Meaning holds;
};

Where::Where(const std::vector<std::string>& expressions) {
  for (const std::string& text : expressions) {
    expressions_.push_back(
        std::make_shared<const Expression>(Expression{where::Parser(text).whole()}));
  }
}

Bool Where::holds(const DotFormats& formats, const DotOperands& operands, Int d) const {
  std::vector<Bool> all;
  for (const auto& e : expressions_) all.push_back(e->holds({formats, operands, d}));
  return all_of(all);
}

}  // namespace mmaspec
