// diff keeps to its condition with every strategy.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "queries/numbers/where.h"
#include "queries/prove/diff.h"
#include "queries/values/distance.h"
#include "spec/formats/text.h"

namespace mmaspec::diff_where_test {
namespace {

/// diff with a condition.
struct Conditional {
  Instruction first;
  Instruction second;
  DiffOptions options;

  Conditional(const std::string& x, const std::string& y, const Where& where)
      : first(find_instruction(x)), second(find_instruction(y)) {
    options.where = [&where](const DotFormats& f, const DotOperands& in, Int d) {
      return where.holds(f, in, d);
    };
  }
  DiffResult ask(const std::string& solver = "auto") const {
    return diff(first, second, options, Portfolio(solver, Limits{60}));
  }
};

std::string fused(int fraction_bits, const std::string& k) {
  return "design:fused-dot-add(a=e5m2,b=e5m2,c=e5m2,d=e5m2,k=" + k +
         ",fraction_bits=" + std::to_string(fraction_bits) + ")";
}

TEST(DiffWhere, EveryStrategyKeepsToTheCondition) {
  const Where where({"a[*] < -0.5 && !zero(b[1])", "abs(d) > 1.2 || c == 0x1p-3", "b[0] > a[1]"});
  for (const bool search : {true, false}) {
    for (const bool shrink : {true, false}) {
      Conditional c(fused(2, "2"), fused(12, "2"), where);
      c.options.strategies = Strategies::none();
      c.options.strategies.set(Strategy::search, search);
      c.options.shrink = shrink;
      c.options.count = 3;
      const DiffResult r = c.ask();
      ASSERT_EQ(r.verdict, Verdict::satisfiable) << r.justification.how();
      for (const Witness& w : r.witnesses) {
        const Format& f = formats::e5m2;
        const DotValues& v = w.row.values;
        const auto value = [&](const Integer& p) { return decode(f, p).value(); };
        EXPECT_LT(value(v.a[0]), Rational(-1, 2));
        EXPECT_LT(value(v.a[1]), Rational(-1, 2));
        EXPECT_NE(value(v.b[1]), 0);
        const Decoded d = decode(f, *w.row.d);
        EXPECT_TRUE(d.is_infinite || boost::multiprecision::abs(d.value()) > Rational(6, 5) ||
                    value(v.c) == Rational(1, 8));
        EXPECT_GT(value(v.b[0]), value(v.a[1]));
        EXPECT_EQ(DotModel(c.first.algorithm, c.first.formats).run(v), *w.row.d);
        EXPECT_NE(*w.row.d, *w.row.d_other);
      }
    }
  }
}

TEST(DiffWhere, ProvesVacuouslyUnderAnUnsatisfiableCondition) {
  // Found by trying every input: with c = 0 a single product of two bits is never cut.
  for (const char* text : {"c == 0", "zero(a[0])", "b[0] == 0", "c < 1 && c > 1"}) {
    const Where where({text});
    Conditional c(fused(4, "1"), fused(12, "1"), where);
    EXPECT_EQ(c.ask().verdict, Verdict::unsatisfiable) << text;
  }
}

// If a is zero, only c remains, which solvers find at once; without these fixed bits a derivation
// proves it with many lemmas.
TEST(DiffWhere, InsertsBitsFixedByTheConditionBeforeSolversAreAsked) {
  const Where zeros({"zero(a[*])"});
  Conditional c("hopper/mma.m16n8k16.f32.f16.f16.f32", "ampere/mma.m16n8k16.f32.f16.f16.f32",
                zeros);
  const DiffResult r = c.ask();
  EXPECT_EQ(r.verdict, Verdict::unsatisfiable);
  EXPECT_EQ(r.justification.kind, Justification::Kind::solver) << r.justification.how();
  // All but two: the remaining sums differ.
  const Where but_two({"zero(a[0]) && zero(a[1]) && zero(a[2]) && zero(a[3])"});
  Conditional other(fused(2, "6"), fused(12, "6"), but_two);
  const DiffResult found = other.ask();
  ASSERT_EQ(found.verdict, Verdict::satisfiable);
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(decode(formats::e5m2, found.witnesses[0].row.values.a[k]).value(), 0);
  }
}

TEST(DiffWhere, AgreesWithTryingEveryInput) {
  const Format& f = formats::e5m2;
  const std::string x = "design:fused-dot-add(a=e2m1,b=e2m1,c=e5m2,d=e5m2,k=1,fraction_bits=1)";
  const std::string y = "design:fused-dot-add(a=e2m1,b=e2m1,c=e5m2,d=e5m2,k=1,fraction_bits=20)";
  const Instruction first = find_instruction(x);
  const DotModel m1(first.algorithm, first.formats);
  const Instruction second = find_instruction(y);
  const DotModel m2(second.algorithm, second.formats);
  struct Input {
    Rational a, b, c;
    Decoded d;
  };
  std::vector<Input> differing;
  ExactEvaluator::Values s1 = m1.evaluator().scratch();
  ExactEvaluator::Values s2 = m2.evaluator().scratch();
  for (int i = 0; i < 1 << 16; ++i) {
    const DotValues v{{i & 15}, {(i >> 4) & 15}, i >> 8, {}, {}};
    if (!decode(f, v.c).is_finite()) continue;
    const Integer d1 = m1.run(v, s1);
    const Integer d2 = m2.run(v, s2);
    if (!differ({}, f, d1, f, d2)) continue;
    differing.push_back({decode(formats::e2m1, v.a[0]).value(),
                         decode(formats::e2m1, v.b[0]).value(), decode(f, v.c).value(),
                         decode(f, d1)});
  }
  ASSERT_FALSE(differing.empty());
  const std::vector<std::pair<std::string, std::function<bool(const Input&)>>> conditions{
      {"c > 0 && a[0] > 0 && b[0] > 0",
       [](const Input& i) { return i.c > 0 && i.a > 0 && i.b > 0; }},
      {"a[0] == 0.5 && c == 3", [](const Input& i) { return i.a == Rational(1, 2) && i.c == 3; }},
      {"c == 3.5 && a[0] * 1 == 1", {}},
      {"abs(c) < 0x1p-14",
       [](const Input& i) { return boost::multiprecision::abs(i.c) < rational_power_of_two(-14); }},
      {"d == 5", [](const Input& i) { return i.d.is_finite() && i.d.value() == 5; }},
      {"d == 7 && c < -1 && exponent(a[0]) == 2",
       [](const Input& i) {
         const Rational a = boost::multiprecision::abs(i.a);
         return i.d.is_finite() && i.d.value() == 7 && i.c < -1 && a >= 4;
       }},
      {"d == 6 && c == 0.25",
       [](const Input& i) { return i.d.is_finite() && i.d.value() == 6 && i.c == Rational(1, 4); }},
      {"d < -24 && c > 1",
       [](const Input& i) {
         return (i.d.is_infinite ? i.d.negative : i.d.value() < -24) && i.c > 1;
       }},
  };
  for (const auto& [text, meant] : conditions) {
    SCOPED_TRACE(text);
    if (!meant) {
      EXPECT_THROW(Where({text}), std::invalid_argument);  // there is no multiplication
      continue;
    }
    const Where where({text});
    Conditional c(x, y, where);
    const bool some = std::any_of(differing.begin(), differing.end(), meant);
    EXPECT_EQ(c.ask().verdict, some ? Verdict::satisfiable : Verdict::unsatisfiable);
  }
}

}  // namespace
}  // namespace mmaspec::diff_where_test
