#include "tests/fuzz/draw/condition.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace mmaspec::fuzz {
namespace {

using reference::Design;
using reference::Format;
using reference::Kind;
using reference::Operands;
using reference::Value;

const Format& format_of(const Design& f, const std::string& name) {
  if (name == "a") return *f.a;
  if (name == "b") return *f.b;
  if (name == "c") return *f.c;
  if (name == "d") return *f.d;
  return *f.scale;
}

const std::vector<std::uint64_t>* vector_of(const Operands& x, const std::string& name) {
  if (name == "a") return &x.a;
  if (name == "b") return &x.b;
  if (name == "sa") return &x.sa;
  if (name == "sb") return &x.sb;
  return nullptr;
}

std::uint64_t pattern_of(const Operands& x, std::uint64_t d, const Named& named, int every) {
  if (named.name == "c") return x.c;
  if (named.name == "d") return d;
  const int i = named.index == Named::kEvery ? every : named.index;
  return vector_of(x, named.name)->at(static_cast<std::size_t>(i));
}

/// Exact: every format has fewer bits than long double.
long double number_of(const Value& v) {
  if (v.kind == Kind::nan) return std::numeric_limits<long double>::quiet_NaN();
  const long double size = v.kind == Kind::infinity
                               ? std::numeric_limits<long double>::infinity()
                               : std::ldexp(static_cast<long double>(v.digits), v.unit);
  return v.negative ? -size : size;
}

/// floor(log2(|x|)); for zero less than for any number.
long double exponent_of(const Value& v) {
  if (v.kind == Kind::nan) return std::numeric_limits<long double>::quiet_NaN();
  if (v.digits == 0) return -std::numeric_limits<long double>::infinity();
  return static_cast<long double>(v.unit + 63 - std::countl_zero(v.digits));
}

bool compared(const std::string& how, long double x, long double y) {
  if (how == "<") return x < y;
  if (how == "<=") return x <= y;
  if (how == ">") return x > y;
  if (how == ">=") return x >= y;
  if (how == "==") return x == y;
  return !(x == y);
}

std::string text_of(const Named& n) {
  if (n.name == "c" || n.name == "d") return n.name;
  return n.name + "[" + (n.index == Named::kEvery ? "*" : std::to_string(n.index)) + "]";
}

std::string text_of(const Side& s) {
  std::string text = s.kind == Side::Kind::literal    ? s.text
                     : s.kind == Side::Kind::exponent ? "exponent(" + text_of(s.operand) + ")"
                                                      : text_of(s.operand);
  if (s.absolute) text = "abs(" + text + ")";
  if (s.negative) text = "-" + text;
  return text;
}

class Draw {
 public:
  Draw(const Design& design, int k, bool infinities, Random& random)
      : design_(design), k_(k), infinities_(infinities), random_(random) {}

  Named operand() {
    Named n;
    const int scales = design_.scale == nullptr ? 0 : k_ / design_.scale_block;
    switch (random_.below(8)) {
      case 0:
      case 1:
      case 2:
        n.name = "a";
        break;
      case 3:
      case 4:
        n.name = "b";
        break;
      case 5:
        n.name = random_.one_in(3) ? "d" : "c";
        break;
      case 6:
        n.name = scales > 0 ? (random_.coin() ? "sa" : "sb") : "c";
        break;
      default:
        n.name = "c";
        break;
    }
    const int count = n.name[0] == 's' ? scales : k_;
    n.index = random_.coin() ? Named::kEvery : random_.below(count);
    return n;
  }

  Side literal(const Format& format) {
    Side s;
    s.kind = Side::Kind::literal;
    switch (random_.below(4)) {
      case 0:
        s.text = random_.of(std::vector<std::string>{"0", "1", "0.5", "2", "0.1", "1e-3", "1e-6",
                                                     "65504", "448", "3", "0.875", "1.5"});
        break;
      case 1:
        s.text = fmt::format("0x1p{:+d}", random_.between(format.least_exponent() - 3,
                                                          format.largest_exponent() + 1));
        break;
      case 2:
        s.text = "0";
        break;
      default: {
        Value v = format.value(random_.bits(format.storage));
        if (!v.is_number()) v = format.value(0);
        s.text = v.digits == 0 ? "0" : fmt::format("0x{:x}p{:+d}", v.digits, v.unit);
        s.negative = v.negative && v.digits != 0;
        break;
      }
    }
    s.literal = std::strtold(s.text.c_str(), nullptr);
    return s;
  }

  const Format& format(const Named& n) const { return format_of(design_, n.name); }
  Random& random() { return random_; }
  bool infinities() const { return infinities_; }

 private:
  const Design& design_;
  const int k_;
  const bool infinities_;
  Random& random_;
};

}  // namespace

Condition Condition::draw(const Design& design, int k, bool infinities, Random& random) {
  Draw draw(design, k, infinities, random);
  const auto leaf = [&] {
    Condition c;
    Named x = draw.operand();
    if (random.one_in(6)) {
      static const std::vector<std::string> finite{"normal", "subnormal", "zero"};
      static const std::vector<std::string> any{"normal",   "subnormal", "zero",
                                                "infinite", "nan",       "finite"};
      c.kind_ = Kind::is_class;
      c.word_ = random.of(infinities ? any : finite);
      c.operand_ = x;
      return c;
    }
    c.kind_ = Kind::comparison;
    c.word_ = random.of(std::vector<std::string>{"<", "<=", ">", ">=", "==", "!="});
    c.left_.operand = x;
    if (!infinities && random.one_in(4)) {
      c.left_.kind = c.right_.kind = Side::Kind::exponent;
      const Format& f = draw.format(x);
      if (random.one_in(3) && x.name != "c" && x.name != "d") {
        c.right_.operand = {x.name == "a"    ? "b"
                            : x.name == "b"  ? "a"
                            : x.name == "sa" ? "sb"
                                             : "sa",
                            x.index};
      } else {
        const int e = random.coin() ? random.between(-4, 4)
                                    : random.between(f.least_exponent() - 2, f.largest_exponent());
        c.right_.kind = Side::Kind::literal;
        c.right_.text = std::to_string(std::abs(e));
        c.right_.literal = std::abs(e);
        c.right_.negative = e < 0;
      }
      return c;
    }
    c.left_.kind = Side::Kind::operand;
    c.left_.absolute = random.one_in(4);
    if (random.one_in(6)) {
      c.right_.kind = Side::Kind::operand;
      c.right_.operand = draw.operand();
      // Two stars stand for the same k.
      const bool scales = x.name[0] == 's';
      if (x.index == Named::kEvery && c.right_.operand.index == Named::kEvery &&
          c.right_.operand.name != "c" && c.right_.operand.name != "d" &&
          (c.right_.operand.name[0] == 's') != scales) {
        c.right_.operand = {"c", 0};
      }
      c.right_.absolute = random.one_in(4);
    } else {
      c.right_ = draw.literal(draw.format(x));
    }
    return c;
  };
  const auto composed = [&](Kind kind, std::vector<Condition> parts) {
    Condition c;
    c.kind_ = kind;
    c.parts_ = std::move(parts);
    return c;
  };
  switch (random.below(7)) {
    case 0:
    case 1:
      return leaf();
    case 2:
      return composed(Kind::any, {leaf(), leaf()});
    case 3:
      return composed(Kind::none_of, {leaf()});
    case 4:
      return composed(Kind::all, {leaf(), composed(Kind::any, {leaf(), leaf()})});
    case 5:
      return composed(Kind::all, {leaf(), leaf(), leaf()});
    default:
      return composed(Kind::all, {leaf(), leaf()});
  }
}

std::string Condition::text() const {
  switch (kind_) {
    case Kind::all:
    case Kind::any: {
      std::string text;
      for (const Condition& p : parts_) {
        const bool inner = p.kind_ == Kind::all || p.kind_ == Kind::any;
        text += (text.empty()         ? ""
                 : kind_ == Kind::all ? " && "
                                      : " || ") +
                (inner ? "(" + p.text() + ")" : p.text());
      }
      return text;
    }
    case Kind::none_of:
      return "!(" + parts_[0].text() + ")";
    case Kind::is_class:
      return word_ + "(" + text_of(operand_) + ")";
    case Kind::comparison:
      break;
  }
  return text_of(left_) + " " + word_ + " " + text_of(right_);
}

double Condition::score_at(const Design& formats, const Operands& x, std::uint64_t d,
                           int every) const {
  if (kind_ == Kind::is_class) {
    const Format& f = format_of(formats, operand_.name);
    const std::uint64_t p = pattern_of(x, d, operand_, every);
    const Value v = f.value(p);
    const bool subnormal = f.is_subnormal(p);
    if (word_ == "normal") return v.is_number() && v.digits != 0 && !subnormal ? 1 : 0;
    if (word_ == "subnormal") return subnormal ? 1 : 0;
    if (word_ == "zero") return v.is_zero() ? 1 : 0;
    if (word_ == "finite") return v.is_number() ? 1 : 0;
    if (word_ == "infinite") return v.kind == reference::Kind::infinity ? 1 : 0;
    return v.kind == reference::Kind::nan ? 1 : 0;
  }
  const auto of_side = [&](const Side& s) {
    long double n = s.literal;
    if (s.kind != Side::Kind::literal) {
      const Value v = format_of(formats, s.operand.name).value(pattern_of(x, d, s.operand, every));
      n = s.kind == Side::Kind::exponent ? exponent_of(v) : number_of(v);
    }
    if (s.absolute) n = std::fabs(n);
    return s.negative ? -n : n;
  };
  return compared(word_, of_side(left_), of_side(right_)) ? 1 : 0;
}

double Condition::score(const Design& formats, const Operands& x, std::uint64_t d) const {
  switch (kind_) {
    case Kind::all: {
      double sum = 0;
      for (const Condition& p : parts_) sum += p.score(formats, x, d);
      return sum / static_cast<double>(parts_.size());
    }
    case Kind::any: {
      double best = 0;
      for (const Condition& p : parts_) best = std::max(best, p.score(formats, x, d));
      return best;
    }
    case Kind::none_of:
      return parts_[0].score(formats, x, d) == 1 ? 0 : 1;
    case Kind::is_class:
    case Kind::comparison:
      break;
  }
  std::size_t count = 0;
  const auto look = [&](const Named& n) {
    if (n.index != Named::kEvery || n.name == "c" || n.name == "d") return;
    count = vector_of(x, n.name)->size();
  };
  if (kind_ == Kind::is_class) {
    look(operand_);
  } else {
    if (left_.kind != Side::Kind::literal) look(left_.operand);
    if (right_.kind != Side::Kind::literal) look(right_.operand);
  }
  if (count == 0) return score_at(formats, x, d, 0);
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += score_at(formats, x, d, static_cast<int>(i));
  return sum / static_cast<double>(count);
}

void Condition::numbers(std::vector<double>& all) const {
  for (const Condition& p : parts_) p.numbers(all);
  if (kind_ != Kind::comparison) return;
  const bool exponents = left_.kind == Side::Kind::exponent;
  for (const Side* s : {&left_, &right_}) {
    if (s->kind != Side::Kind::literal) continue;
    const auto n = static_cast<double>(s->negative ? -s->literal : s->literal);
    if (exponents) {
      all.push_back(std::ldexp(1.0, static_cast<int>(n)));
      all.push_back(-std::ldexp(1.5, static_cast<int>(n)));
    } else {
      all.push_back(n);
    }
  }
}

bool Condition::speaks_of_d() const {
  return std::any_of(parts_.begin(), parts_.end(),
                     [](const Condition& p) { return p.speaks_of_d(); }) ||
         operand_.name == "d" || left_.operand.name == "d" || right_.operand.name == "d";
}

}  // namespace mmaspec::fuzz
