// --where: every class and comparison compared with plain decoding; and diff keeps to the
// condition.

#include "queries/numbers/where.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "concrete/batch/evaluator.h"
#include "concrete/dot/model.h"
#include "queries/prove/diff.h"
#include "spec/formats/text.h"
#include "tests/support/cli/fuzz.h"

namespace mmaspec::where_test {
namespace {

using testing::StartsWith;

/// A condition on a[0] and b[0] as a program.
class Compiled {
 public:
  Compiled(const std::string& text, const DotFormats& formats) {
    const Graph::Building building(graph_);
    const DotOperands in = dot_inputs(formats);
    const Int d = input("d", static_cast<unsigned>(formats.d->storage_bits));
    holds_ = Where({text}).holds(formats, in, d).id();
    evaluator_ = std::make_unique<BatchEvaluator>(graph_, std::vector<NodeId>{holds_});
  }

  /// For all patterns of a[0], or of a[0] and b[0]; a[0] varies fastest.
  std::vector<bool> all(unsigned a_bits, unsigned b_bits = 0) const {
    const std::size_t count = std::size_t{1} << (a_bits + b_bits);
    Lanes inputs(graph_.inputs().size(), count);
    for (std::size_t i = 0; i < count; ++i) {
      inputs[0][i] = i & ((std::size_t{1} << a_bits) - 1);
      inputs[1][i] = i >> a_bits;
    }
    return run(inputs);
  }
  std::vector<bool> of(const std::vector<Integer>& patterns) const {
    Lanes inputs(graph_.inputs().size(), patterns.size());
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      inputs[0][i] = patterns[i].convert_to<std::uint64_t>();
    }
    return run(inputs);
  }

 private:
  std::vector<bool> run(const Lanes& inputs) const {
    Lanes roots(1, inputs.lanes());
    BatchEvaluator::Scratch scratch;
    evaluator_->evaluate(inputs, roots, scratch);
    std::vector<bool> all;
    for (std::size_t i = 0; i < inputs.lanes(); ++i) all.push_back(roots[0][i] != 0);
    return all;
  }

  Graph graph_;
  NodeId holds_ = 0;
  std::unique_ptr<BatchEvaluator> evaluator_;
};

DotFormats with_a(const Format& a, const Format& b = formats::f16) {
  return {&a, &b, &formats::f32, &formats::f32, 1};
}

/// Every pattern of a format; for a wide format the important ones and a random part of the others.
std::vector<Integer> patterns_of(const Format& f) {
  std::vector<Integer> all;
  if (f.storage_bits <= 16) {
    for (int i = 0; i < 1 << f.storage_bits; ++i) all.emplace_back(i);
    return all;
  }
  std::mt19937_64 random(1);
  const Integer bits = power_of_two(static_cast<unsigned>(f.storage_bits));
  const Integer top = f.largest_finite() << f.ignored_low_bits;
  const Integer unit = power_of_two(static_cast<unsigned>(f.fraction_bits + f.ignored_low_bits));
  for (int i = -3; i <= 3; ++i) {
    for (const Integer& near : {Integer(0), top, unit, Integer(unit * f.bias), Integer(bits / 2),
                                Integer(bits / 2 + top), Integer(bits / 2 + unit)}) {
      const Integer p = near + i * power_of_two(static_cast<unsigned>(f.ignored_low_bits));
      if (p >= 0 && p < bits) all.push_back(p);
    }
  }
  for (int i = 0; i < 3000; ++i) all.push_back(Integer(random()) % bits);
  return all;
}

const std::vector<const Format*>& tried_formats() {
  using namespace formats;
  static const std::vector<const Format*> all{&f16,   &e4m3,  &e5m2,     &e2m1, &e3m2,
                                              &e2m3,  &bf16,  &e4m3fnuz, &tf32, &xf32,
                                              &ue8m0, &ue4m3, &e5m2fnuz, &f32};
  return all;
}

/// The meaning of a pattern; every format here is a subset of f64.
struct Plain : Decoded {
  Plain(const Format& f, const Integer& pattern) : Decoded(decode(f, pattern)) {
    const double infinity = std::numeric_limits<double>::infinity();
    if (is_infinite) number = negative ? -infinity : infinity;
    if (is_finite()) number = value().convert_to<double>();
  }
  double number = 0;  ///< not for NaN
};

using Predicate = std::function<bool(const Plain&)>;

void expect_agreement(const Format& f, const std::string& text, const Predicate& meant) {
  SCOPED_TRACE(text + " of " + std::string(f.name));
  static std::map<std::string_view, std::pair<std::vector<Integer>, std::vector<Plain>>> known;
  auto& [patterns, decoded] = known[f.name];
  if (patterns.empty()) {
    patterns = patterns_of(f);
    for (const Integer& p : patterns) decoded.emplace_back(f, p);
  }
  const std::vector<bool> holds = Compiled(text, with_a(f)).of(patterns);
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    ASSERT_EQ(holds[i], meant(decoded[i])) << to_hex(patterns[i]);
  }
}

bool is_zero(const Decoded& x) { return x.is_finite() && x.significand == 0; }
bool is_subnormal(const Format& f, const Decoded& x) {
  return f.has_zero && x.is_finite() && x.significand != 0 &&
         bit_length(x.significand) <= static_cast<unsigned>(f.fraction_bits);
}

TEST(Where, Classes) {
  for (const Format* format : tried_formats()) {
    const Format& f = *format;
    expect_agreement(f, "zero(a[0])", is_zero);
    expect_agreement(f, "subnormal(a[0])", [&](const Plain& x) { return is_subnormal(f, x); });
    expect_agreement(f, "normal(a[0])", [&](const Plain& x) {
      return x.is_finite() && !is_zero(x) && !is_subnormal(f, x);
    });
    expect_agreement(f, "finite(a[0])", [](const Plain& x) { return x.is_finite(); });
    expect_agreement(f, "infinite(a[0])", [](const Plain& x) { return x.is_infinite; });
    expect_agreement(f, "nan(a[0])", [](const Plain& x) { return x.is_nan; });
    expect_agreement(f, "negative(a[0])", [](const Plain& x) { return x.negative; });
  }
}

struct Operator {
  std::string text;
  std::function<bool(int)> holds;  ///< for the sign of left - right
};
const std::vector<Operator>& operators() {
  static const std::vector<Operator> all{
      {"<", [](int s) { return s < 0; }},   {"<=", [](int s) { return s <= 0; }},
      {">", [](int s) { return s > 0; }},   {">=", [](int s) { return s >= 0; }},
      {"==", [](int s) { return s == 0; }}, {"!=", [](int s) { return s != 0; }}};
  return all;
}

int compare(double x, double y) { return x < y ? -1 : x > y ? 1 : 0; }

struct Literal {
  std::string text;
  Rational value;
  double near;   ///< nearest double
  double below;  ///< the next lower double; unused if it is exact
  bool exact;

  Literal(std::string t, const Rational& v)
      : text(std::move(t)), value(v), near(v.convert_to<double>()), exact(Rational(near) == v) {
    below = Rational(near) < v ? near : std::nextafter(near, -std::numeric_limits<double>::max());
  }
  /// The sign of a double minus this.
  int compared_with(double x) const { return exact ? compare(x, near) : x <= below ? -1 : 1; }
};

std::vector<Literal> literals(const Format& f) {
  const auto p2 = rational_power_of_two;
  const Rational top = decode(f, f.largest_finite() << f.ignored_low_bits).value();
  const auto decimal = [](const Rational& x) { return numerator(x).str(); };
  std::vector<Literal> all{{"0", 0},
                           {"-0", 0},
                           {"1", 1},
                           {"-1", -1},
                           {"0.3", Rational(3, 10)},
                           {"-0.3", Rational(-3, 10)},
                           {"0x1.8p+2", 6},
                           {"-0x1.8p-3", Rational(-3, 16)},
                           {"1e-60", Rational(1) / boost::multiprecision::pow(Integer(10), 60)},
                           {"-1e60", -Rational(boost::multiprecision::pow(Integer(10), 60))},
                           {"0x1p-24", p2(-24)},
                           {"0x1.8p-25", Rational(3) * p2(-26)},
                           {"0x1p-127", p2(-127)},
                           {"-0x1p-149", -p2(-149)},
                           {"447.999", Rational(447999, 1000)},
                           {"240", 240}};
  if (denominator(top) == 1) {
    all.push_back({decimal(top), top});
    all.push_back({decimal(top) + ".5", top + Rational(1, 2)});
    all.push_back({"-" + decimal(top), -top});
    all.push_back({"-" + decimal(top + 1), -top - 1});
  }
  return all;
}

TEST(Where, ComparesWithNumbers) {
  for (const Format* f : tried_formats()) {
    for (const Literal& literal : literals(*f)) {
      for (const Operator& op : operators()) {
        const bool unequal = op.text == "!=";
        expect_agreement(*f, "a[0] " + op.text + literal.text, [&](const Plain& x) {
          return x.is_nan ? unequal : op.holds(literal.compared_with(x.number));
        });
        if (literal.text.size() % 3 != 0) continue;  // mirrored, for a part of them
        expect_agreement(*f, literal.text + op.text + " a[0]", [&](const Plain& x) {
          return x.is_nan ? unequal : op.holds(-literal.compared_with(x.number));
        });
        expect_agreement(*f, "abs(a[0])" + op.text + literal.text, [&](const Plain& x) {
          return x.is_nan ? unequal : op.holds(literal.compared_with(std::abs(x.number)));
        });
        if (!f->has_sign) continue;
        expect_agreement(*f, "-a[0]" + op.text + literal.text, [&](const Plain& x) {
          return x.is_nan ? unequal : op.holds(literal.compared_with(-x.number));
        });
      }
    }
    if (HasFatalFailure()) return;
  }
}

/// floor(log2(|x|)); for zero below, for infinity above all integers.
double exponent_of(const Plain& x) {
  const double infinity = std::numeric_limits<double>::infinity();
  return x.is_infinite ? infinity : x.significand == 0 ? -infinity : std::ilogb(x.number);
}

TEST(Where, ComparesExponents) {
  for (const Format* f : tried_formats()) {
    for (const int e :
         {-2000000, -1101, -1075, -150, -25, -15, -7, -1, 0, 1, 2, 8, 15, 127, 5000}) {
      for (const Operator& op : operators()) {
        const bool unequal = op.text == "!=";
        const auto meant = [&](const std::function<double(double)>& of) {
          return [&, of](const Plain& x) {
            return x.is_nan ? unequal : op.holds(compare(of(exponent_of(x)), e));
          };
        };
        const std::string is = op.text + std::to_string(e);
        expect_agreement(*f, "exponent(a[0])" + is, meant([](double x) { return x; }));
        expect_agreement(*f, "-exponent(a[0])" + is, meant([](double x) { return -x; }));
        expect_agreement(*f, "abs(exponent(a[0]))" + is,
                         meant([](double x) { return std::abs(x); }));
      }
    }
    if (HasFatalFailure()) return;
  }
}

// Zero's exponent is also less than that of the other format's numbers.
TEST(Where, ComparesExponentsOfAnyFormats) {
  using namespace formats;
  for (const auto& [f, g] : std::vector<std::pair<const Format*, const Format*>>{
           {&e4m3, &e5m2}, {&e2m1, &e2m1}, {&e4m3fnuz, &e2m3}, {&ue8m0, &e5m2}, {&e3m2, &ue4m3}}) {
    const auto bits = [](const Format& x) { return static_cast<unsigned>(x.storage_bits); };
    for (const Operator& op : operators()) {
      SCOPED_TRACE(std::string(f->name) + op.text + std::string(g->name));
      const std::vector<bool> holds =
          Compiled("exponent(a[0])" + op.text + "exponent(b[0])", with_a(*f, *g))
              .all(bits(*f), bits(*g));
      for (std::size_t i = 0; i < holds.size(); ++i) {
        const Plain x(*f, i % (std::size_t{1} << bits(*f)));
        const Plain y(*g, i >> bits(*f));
        const bool meant = x.is_nan || y.is_nan ? op.text == "!="
                                                : op.holds(compare(exponent_of(x), exponent_of(y)));
        ASSERT_EQ(holds[i], meant) << i;
      }
    }
  }
  // The least number of f32 has a larger exponent than zero of f16.
  const DotFormats mixed{&f32, &f16, &f32, &f32, 1};
  EXPECT_TRUE(Compiled("exponent(b[0]) < exponent(a[0])", mixed).of({1})[0]);
  EXPECT_FALSE(Compiled("exponent(b[0]) >= -2000", mixed).of({1})[0]);
}

TEST(Where, ComparesOperandsOfAnyFormats) {
  using namespace formats;
  for (const auto& [x, y] :
       std::vector<std::pair<const Format*, const Format*>>{{&e4m3, &e4m3},
                                                            {&e2m1, &e4m3fnuz},
                                                            {&e4m3fnuz, &e5m2},
                                                            {&e5m2fnuz, &e5m2fnuz},
                                                            {&ue8m0, &e5m2},
                                                            {&ue4m3, &e3m2},
                                                            {&e2m1, &e2m1}}) {
    const auto bits = [](const Format* f) { return static_cast<unsigned>(f->storage_bits); };
    std::vector<Plain> of_x;
    for (int p = 0; p < 1 << x->storage_bits; ++p) of_x.emplace_back(*x, p);
    std::vector<Plain> of_y;
    for (int p = 0; p < 1 << y->storage_bits; ++p) of_y.emplace_back(*y, p);
    for (const Operator& op : operators()) {
      SCOPED_TRACE(std::string(x->name) + op.text + std::string(y->name));
      const std::vector<bool> plain =
          Compiled("a[0]" + op.text + "b[0]", with_a(*x, *y)).all(bits(x), bits(y));
      std::vector<bool> sized;
      if (y->has_sign) {
        sized = Compiled("abs(a[0])" + op.text + "-abs(-abs(b[0]))", with_a(*x, *y))
                    .all(bits(x), bits(y));
      }
      for (std::size_t i = 0; i < plain.size(); ++i) {
        const Plain& px = of_x[i % of_x.size()];
        const Plain& py = of_y[i / of_x.size()];
        const bool nan = px.is_nan || py.is_nan;
        const bool unequal = op.text == "!=";
        ASSERT_EQ(plain[i], nan ? unequal : op.holds(compare(px.number, py.number))) << i;
        if (sized.empty()) continue;
        ASSERT_EQ(sized[i],
                  nan ? unequal : op.holds(compare(std::abs(px.number), -std::abs(py.number))))
            << i;
      }
    }
  }
}

TEST(Where, KnowsEveryOperand) {
  using namespace formats;
  const DotFormats f{&e4m3, &e2m1, &f16, &f32, 4, &ue8m0, 2};
  Graph graph;
  const Graph::Building building(graph);
  const DotOperands in = dot_inputs(f);
  const Int d = input("d", 32);
  const Bool all = Where({"a[3] == 1.5", "b[2] == -3", "c == 7", "d == -0.125", "sa[1] == 4",
                          "sb[0] == 0x1p-100"})
                       .holds(f, in, d);
  const ExactEvaluator evaluator(graph, {all.id()});
  ExactEvaluator::Values values = evaluator.scratch();
  std::map<std::string, Integer> right{
      {"a[3]", parse_pattern_of(e4m3, "1.5")}, {"b[2]", parse_pattern_of(e2m1, "-3")},
      {"c", parse_pattern_of(f16, "7")},       {"d", parse_pattern_of(f32, "-0.125")},
      {"sa[1]", parse_pattern_of(ue8m0, "4")}, {"sb[0]", parse_pattern_of(ue8m0, "0x1p-100")}};
  const auto holds = [&](const std::map<std::string, Integer>& given) {
    std::vector<Integer> inputs;
    for (NodeId i : graph.inputs()) {
      const auto it = given.find(graph.input_name(i));
      inputs.push_back(it == given.end() ? Integer(3) : it->second);
    }
    evaluator.evaluate(inputs, values);
    return values[all.id()] == 1;
  };
  EXPECT_TRUE(holds(right));
  for (const auto& [name, value] : right) {
    std::map<std::string, Integer> wrong = right;
    wrong[name] = value == 0 ? Integer(1) : Integer(value - 1);
    EXPECT_FALSE(holds(wrong)) << name;
  }
}

TEST(Where, AStarStandsForTheSameIndexInTheWholeCondition) {
  using namespace formats;
  const DotFormats f{&e2m1, &e2m1, &f32, &f32, 3};
  const auto holds = [&](const std::string& text, std::array<int, 3> a, std::array<int, 3> b) {
    Graph graph;
    const Graph::Building building(graph);
    const DotOperands in = dot_inputs(f);
    const Bool c = Where({text}).holds(f, in, input("d", 32));
    const ExactEvaluator evaluator(graph, {c.id()});
    ExactEvaluator::Values values = evaluator.scratch();
    evaluator.evaluate({a[0], a[1], a[2], b[0], b[1], b[2], 0, 0}, values);
    return values[c.id()] == 1;
  };
  // Positive patterns of e2m1 have the order of their numbers.
  EXPECT_TRUE(holds("a[*] < b[*]", {1, 2, 3}, {2, 3, 4}));
  EXPECT_FALSE(holds("a[*] < b[*]", {1, 3, 3}, {2, 3, 4}));
  EXPECT_FALSE(holds("a[*] < b[0]", {1, 2, 3}, {2, 3, 4}));
  EXPECT_TRUE(holds("a[*] < b[2]", {1, 2, 3}, {2, 3, 4}));
  EXPECT_TRUE(holds("0.5 <= a[*]", {1, 2, 3}, {0, 0, 0}));
  EXPECT_TRUE(holds("0 == b[*]", {1, 2, 3}, {0, 0, 0}));
  EXPECT_FALSE(holds("zero(a[*])", {0, 0, 1}, {0, 0, 0}));
  EXPECT_TRUE(holds("!zero(a[*])", {0, 0, 1}, {0, 0, 0}));        // not all are zero
  EXPECT_FALSE(holds("!any(zero(a[*]))", {0, 0, 1}, {0, 0, 0}));  // some are
  EXPECT_TRUE(holds("!any(zero(a[*]))", {1, 2, 1}, {0, 0, 0}));
  EXPECT_FALSE(holds("zero(a[*]) || a[*] >= 1", {0, 2, 3}, {0, 0, 0}));
  EXPECT_TRUE(holds("all(zero(a[*]) || a[*] >= 1)", {0, 2, 3}, {0, 0, 0}));
  EXPECT_FALSE(holds("all(zero(a[*]) || a[*] >= 1)", {0, 1, 3}, {0, 0, 0}));
  EXPECT_TRUE(holds("all(!(a[*] == b[*]))", {1, 2, 3}, {2, 3, 1}));
  EXPECT_FALSE(holds("all(!(a[*] == b[*]))", {1, 2, 3}, {2, 2, 1}));
  EXPECT_TRUE(holds("any(a[*] == b[*] && b[*] > 0.5)", {1, 2, 3}, {1, 2, 1}));
  EXPECT_FALSE(holds("any(a[*] == b[*] && b[*] > 0.5)", {1, 2, 3}, {1, 3, 2}));
  EXPECT_TRUE(holds("any(a[*] > b[0]) && all(a[*] < 4)", {1, 2, 3}, {2, 9, 9}));
  EXPECT_FALSE(holds("exponent(a[*]) == exponent(b[*])", {2, 3, 4}, {3, 2, 6}));
  EXPECT_TRUE(holds("exponent(a[*]) == exponent(b[*])", {2, 3, 4}, {3, 2, 5}));
}

bool truth_of(const std::string& text) { return Compiled(text, with_a(formats::e2m1)).of({0})[0]; }

TEST(Where, BindsNotBeforeAndBeforeOr) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 400; ++round) {
    std::string text;
    bool any = false;
    bool all = true;
    const std::size_t terms = 1 + random() % 6;
    for (std::size_t i = 0; i < terms; ++i) {
      if (i > 0 && random() % 2 == 0) {
        any = any || all;
        all = true;
        text += random() % 2 == 0 ? "||" : " || ";
      } else if (i > 0) {
        text += random() % 2 == 0 ? "&&" : "  &&\t";
      }
      bool value = random() % 2 == 0;
      std::string term = value ? "1<2" : "a[0]!=0";
      if (random() % 4 == 0) {
        value = !value;
        term = "!(" + term + ")";
      } else if (random() % 4 == 0) {
        term = "( (" + term + "||2<1))";
      }
      text += term;
      all = all && value;
    }
    ASSERT_EQ(truth_of(text), any || all) << text;
  }
}

TEST(Where, ReadsNumbersOfEverySpelling) {
  for (const char* text :
       {"1.5 == 0x1.8p0", "1e2 == 100", "1E-2<0.0100001", "-3 < -2.5", " - 3==-3.0 ", "abs(-4)==4",
        "-abs(4) == -abs(-4)", "abs(abs(-1))==1", ".5==0.5", "!!(1==1)", "! 1 == 2", "+1 == 1"}) {
    try {
      EXPECT_TRUE(truth_of(text)) << text;
    } catch (const std::invalid_argument& error) {
      EXPECT_EQ(std::string(text), "+1 == 1") << error.what();  // a redundant sign
    }
  }
}

TEST(Where, IsFuzzed) {
  const std::vector<std::string> seeds{
      "normal(a[0]) && c >= 0",
      "a[*] < b[*] || !(abs(c) <= 0x1.8p-3)",
      "exponent(d) == -4 && -a[0] != 1e10",
      "infinite(c) || nan(d) || subnormal(b[1])",
      "abs(-abs(a[1])) > 0.1",
      "all(zero(a[*]) || a[*] < b[*]) && !any(nan(b[*]))",
  };
  cli_test::Mutator mutator(
      5,
      {"&&", "||",          "all(",         "any(",      "!",      "(",     ")",      "[*]", "[",
       "]",  "a[0]",        "abs(",         "exponent(", "nan(c)", "<=",    "==",     "-",   "1e",
       "0x", "1e999999999", "0x1p99999999", "inf",       "nan",    "sa[0]", "9999999"});
  const DotFormats f{&formats::e4m3fnuz, &formats::e2m1, &formats::f16, &formats::f32, 2};
  const std::size_t count = cli_test::fuzz_count(20000);
  std::mt19937_64 random(9);
  for (std::size_t i = 0; i < count; ++i) {
    std::string text;
    if (i % 4 == 0) {
      for (std::size_t n = random() % 40; n > 0; --n) text += static_cast<char>(random());
    } else {
      text = mutator.mutate(mutator.one_of(seeds));
    }
    try {
      const Where where({text});
      Graph graph;
      const Graph::Building building(graph);
      (void)where.holds(f, dot_inputs(f), input("d", 32));
    } catch (const std::invalid_argument& error) {
      const std::string what = error.what();
      ASSERT_EQ(what.find('\n'), std::string::npos) << what;
      ASSERT_THAT(what, StartsWith("--where: "));
    } catch (const std::exception& error) {
      FAIL() << "'" << text << "': " << error.what();
    }
  }
}

}  // namespace
}  // namespace mmaspec::where_test
