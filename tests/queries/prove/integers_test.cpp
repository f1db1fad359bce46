// Questions about integers: diff shows where sums saturate, properties of floating-point numbers do
// not apply, and others have the answers of plain arithmetic.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "queries/numbers/where.h"
#include "queries/prove/diff.h"
#include "queries/prove/maximize.h"
#include "queries/prove/prove.h"
#include "queries/values/exact_result.h"
#include "spec/formats/text.h"

namespace mmaspec::integers_test {
namespace {

using testing::HasSubstr;

Portfolio solvers(double seconds = 60) { return Portfolio("auto", Limits{seconds}); }

Instruction integers(const std::string& parameters) {
  return find_instruction("design:integer-dot-add(" + parameters + ")");
}

Integer value(const Format& f, const Integer& pattern) {
  return numerator(decode(f, pattern).value());
}

Condition condition(const Where& where) {
  return
      [&where](const DotFormats& f, const DotOperands& in, Int d) { return where.holds(f, in, d); };
}

Proof asked(const std::string& property, const Instruction& instruction,
            const std::optional<Instruction>& second = std::nullopt) {
  return prove(find_property(property), subject_of(instruction, second), {}, solvers());
}

// Saturated once at the end, or after each pair: an input on which they differ, for each K.
TEST(DiffOfIntegers, ShowsWhereSumsSaturate) {
  for (const std::string k : {"4", "16"}) {
    const Instruction once = integers("k=" + k + ",overflow=saturate");
    const Instruction pairs = integers("k=" + k + ",overflow=saturate,group=2");
    const DiffResult r = diff(once, pairs, {}, solvers());
    ASSERT_EQ(r.verdict, Verdict::satisfiable);
    const VectorRow& row = r.witnesses.at(0).row;
    Integer exact = value(formats::s32, row.values.c);
    bool beyond = false;
    for (std::size_t i = 0; i < row.values.a.size(); ++i) {
      exact += value(formats::s8, row.values.a[i]) * value(formats::s8, row.values.b[i]);
      beyond =
          beyond || exact > formats::s32.largest_integer() || exact < formats::s32.least_integer();
    }
    EXPECT_TRUE(beyond);
    const Integer clamped =
        std::clamp(exact, formats::s32.least_integer(), formats::s32.largest_integer());
    EXPECT_EQ(value(formats::s32, *row.d), clamped);
    EXPECT_NE(*row.d, *row.d_other);
    EXPECT_EQ(Integer(row.ulp), abs(Integer(clamped - value(formats::s32, *row.d_other))));
  }
}

TEST(DiffOfIntegers, ProvesEqualSumsEqual) {
  const Instruction chain = integers("k=8");
  const Instruction mma = find_instruction("ampere/mma.m16n8k32.s32.s8.s8.s32");
  EXPECT_EQ(diff(chain, mma, {}, solvers()).verdict, Verdict::unsatisfiable);
  EXPECT_EQ(diff(mma, find_instruction("cdna3/v_mfma_i32_16x16x32_i8"), {}, solvers()).verdict,
            Verdict::unsatisfiable);
  // Groups of four in VPDPBUSDS, and a single saturation in a tensor core.
  const Instruction cpu = find_instruction("x86/vpdpbusds");
  const Instruction gpu = find_instruction("hopper/mma.m16n8k16.satfinite.s32.u8.s8.s32");
  EXPECT_EQ(diff(cpu, gpu, {}, solvers()).verdict, Verdict::satisfiable);
  EXPECT_EQ(diff(cpu, integers("a=u8,b=s8,k=16,group=4,overflow=saturate"), {}, solvers()).verdict,
            Verdict::unsatisfiable);
}

// If no sum leaves 32 bits, wrapping and saturating are equal.
TEST(DiffOfIntegers, KeepsToConditions) {
  const Instruction wrap = integers("k=2");
  const Instruction saturate = integers("k=2,overflow=saturate");
  const Where small({"abs(c) <= 1000000", "a[0] >= -100"});
  DiffOptions options;
  options.where = condition(small);
  EXPECT_EQ(diff(wrap, saturate, options, solvers()).verdict, Verdict::unsatisfiable);
  const Where large({"c > 2147480000", "a[*] != -128", "a[0] < b[1]", "!negative(b[0])",
                     "exponent(b[0]) == 2", "-a[1] <= 100"});
  options.where = condition(large);
  const DiffResult r = diff(wrap, saturate, options, solvers());
  ASSERT_EQ(r.verdict, Verdict::satisfiable);
  const DotValues& v = r.witnesses.at(0).row.values;
  const auto s8 = [&](const Integer& p) { return value(formats::s8, p); };
  EXPECT_GT(value(formats::s32, v.c), 2147480000);
  EXPECT_LT(s8(v.a[0]), s8(v.b[1]));
  EXPECT_GE(s8(v.b[0]), 4);
  EXPECT_LT(s8(v.b[0]), 8);
  EXPECT_GE(s8(v.a[1]), -100);
  EXPECT_NE(s8(v.a[0]), -128);
}

TEST(DiffOfIntegers, RefusesToCompareWithFloatingPoint) {
  try {
    diff(find_instruction("ampere/mma.m16n8k16.s32.s8.s8.s32"),
         find_instruction("ampere/mma.m16n8k16.f32.f16.f16.f32"), {}, solvers());
    ADD_FAILURE();
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), HasSubstr("integers"));
  }
}

// Signed and unsigned operands, compared by value and by bits.
TEST(DiffOfIntegers, MatchesOperandsByValueOrBits) {
  const Instruction of_signed = integers("a=s4,k=1");
  const Instruction of_unsigned = integers("a=u4,k=1");
  EXPECT_EQ(diff(of_signed, of_unsigned, {}, solvers()).verdict, Verdict::unsatisfiable);
  DiffOptions bits;
  bits.pairing.match = Match::bits;
  EXPECT_EQ(diff(of_signed, of_unsigned, bits, solvers()).verdict, Verdict::satisfiable);
}

// Numbers that both formats hold have known bits, with which solvers prove the results of
// analytical proofs.
TEST(DiffOfIntegers, NeedsNoArgumentForCommonValues) {
  DiffOptions options;
  options.strategies.set(Strategy::steps, false);
  for (const std::string overflow : {"wrap", "saturate"}) {
    const DiffResult r = diff(integers("a=u8,b=u8,k=16,overflow=" + overflow),
                              integers("a=s8,b=s8,k=16,overflow=" + overflow), options, solvers());
    EXPECT_EQ(r.verdict, Verdict::unsatisfiable);
  }
  // Here they include negative numbers.
  const DiffResult r = diff(integers("a=s8,b=s8,k=4,overflow=saturate"),
                            integers("a=s4,b=s8,k=4,overflow=wrap"), options, solvers());
  EXPECT_EQ(r.verdict, Verdict::satisfiable);
}

/// Is it a product of two numbers of 4 bits?
bool is_product(int x) {
  for (int a = -8; a < 8; ++a) {
    for (int b = -8; b < 8; ++b) {
      if (a * b == x) return true;
    }
  }
  return false;
}

// The largest difference between one group and two, by trying all inputs.
TEST(MaximizeOfIntegers, IsProved) {
  const Instruction once = integers("a=s4,k=2,c=s4,overflow=saturate");
  const Instruction each = integers("a=s4,k=2,c=s4,overflow=saturate,group=1");
  const auto clamp = [](int x) { return std::clamp(x, -8, 7); };
  int largest = 0;
  for (int x = -8 * 8; x <= 64; ++x) {
    for (int y = -8 * 8; y <= 64; ++y) {
      if (!is_product(x) || !is_product(y)) continue;
      for (int c = -8; c <= 7; ++c) {
        largest = std::max(largest, std::abs(clamp(c + x + y) - clamp(clamp(c + x) + y)));
      }
    }
  }
  const Maximum m = maximize(once, each, {}, Measure::ulp, solvers());
  ASSERT_TRUE(m.witness);
  EXPECT_EQ(m.found, Rational(largest));
  ASSERT_TRUE(m.bound);
  EXPECT_EQ(*m.bound, m.found);
}

/// The outcomes of all properties of one design, by name.
std::map<std::string, Outcome> outcomes(const Instruction& i) {
  std::map<std::string, Outcome> all;
  for (const Property* p : properties()) {
    if (p->of_two()) continue;
    if (!p->parameters({i}).empty()) {
      all[p->name()] = tightest(*p, {i}, {}, solvers()).proof.outcome;
    } else {
      all[p->name()] = prove(*p, {i}, {}, solvers()).outcome;
    }
  }
  return all;
}

TEST(PropertiesOfIntegers, AgreeWithPlainArithmetic) {
  constexpr Outcome kYes = Outcome::proved;
  constexpr Outcome kNo = Outcome::refuted;
  struct Expected {
    std::string parameters;
    Outcome permutation, monotone, exact;
  };
  for (const Expected& e :
       {Expected{"k=4", kYes, kNo, kYes}, Expected{"k=4,overflow=saturate", kYes, kYes, kYes},
        Expected{"k=4,overflow=saturate,group=2", kNo, kYes, kNo},
        Expected{"k=4,overflow=saturate,group=1", kNo, kYes, kNo},
        Expected{"a=s16,k=2", kYes, kNo, kYes},
        Expected{"a=u4,k=2,overflow=saturate", kYes, kYes, kYes}}) {
    SCOPED_TRACE(e.parameters);
    std::map<std::string, Outcome> all = outcomes(integers(e.parameters));
    const auto take = [&](const std::string& name) {
      const Outcome outcome = all.at(name);
      all.erase(name);
      return outcome;
    };
    EXPECT_EQ(take("commutative"), kYes);
    EXPECT_EQ(take("permutation-invariant"), e.permutation);
    EXPECT_EQ(take("monotone-c"), e.monotone);
    EXPECT_EQ(take("monotone-product"), e.monotone);
    EXPECT_EQ(take("accumulator-preserved"), kYes);
    EXPECT_EQ(take("exact-when-representable"), e.exact);
    for (const auto& [name, outcome] : all) EXPECT_EQ(outcome, Outcome::not_applicable) << name;
  }
}

// Without analytical proofs, solvers and search find the same.
TEST(PropertiesOfIntegers, AgreeWithSolvers) {
  ProveOptions options;
  options.strategies.set(Strategy::steps, false);
  for (const char* property :
       {"monotone-c", "monotone-product", "accumulator-preserved", "exact-when-representable"}) {
    for (const char* parameters : {"a=s4,c=s4,k=1", "a=u4,c=u4,k=2,overflow=saturate,group=1"}) {
      const Subject subject{integers(parameters)};
      const Proof open = prove(find_property(property), subject, options, solvers());
      ASSERT_NE(open.outcome, Outcome::undecided) << property << " " << parameters;
      EXPECT_EQ(open.outcome, prove(find_property(property), subject, {}, solvers()).outcome)
          << property << " " << parameters;
    }
  }
}

/// A dot-add of two products of 4-bit integers with a c and d of 4 bits, in plain arithmetic.
struct Tiny {
  bool is_signed;
  int group;  ///< 0: sums wrap

  int least() const { return is_signed ? -8 : 0; }
  int most() const { return is_signed ? 7 : 15; }
  int stored(int x) const {
    if (group != 0) return std::clamp(x, least(), most());
    while (x > most()) x -= 16;
    while (x < least()) x += 16;
    return x;
  }
  int operator()(int c, int p, int q) const {
    return group == 1 ? stored(stored(c + p) + q) : stored(c + p + q);
  }
};

/// Does it hold for all c and all products?
template <typename Holds>
bool holds_always(const Tiny& f, const Holds& holds) {
  std::set<int> products;
  for (int a = f.least(); a <= f.most(); ++a) {
    for (int b = f.least(); b <= f.most(); ++b) products.insert(a * b);
  }
  for (int c = f.least(); c <= f.most(); ++c) {
    for (const int p : products) {
      for (const int q : products) {
        if (!holds(c, p, q)) return false;
      }
    }
  }
  return true;
}

// Proved properties of the smallest designs compared with every input.
TEST(PropertiesOfIntegers, AgreeWithTryingAllInputs) {
  for (const bool is_signed : {true, false}) {
    for (const int group : {0, 1, 2}) {
      const Tiny f{is_signed, group};
      const std::string format = is_signed ? "s4" : "u4";
      const Instruction i =
          integers("a=" + format + ",c=" + format + ",k=2" +
                   (group == 0 ? "" : ",overflow=saturate,group=" + std::to_string(group)));
      const auto expect = [&](const std::string& property, bool holds) {
        EXPECT_EQ(asked(property, i).outcome, holds ? Outcome::proved : Outcome::refuted)
            << property << " " << i.name();
      };
      expect("permutation-invariant",
             holds_always(f, [&](int c, int p, int q) { return f(c, p, q) == f(c, q, p); }));
      expect("monotone-c", holds_always(f, [&](int c, int p, int q) {
               return c == f.most() || f(c, p, q) <= f(c + 1, p, q);
             }));
      expect("exact-when-representable", holds_always(f, [&](int c, int p, int q) {
               const int exact = c + p + q;
               return exact < f.least() || exact > f.most() || f(c, p, q) == exact;
             }));
      expect("accumulator-preserved", holds_always(f, [&](int c, int p, int q) {
               return p != 0 || q != 0 || f(c, p, q) == c;
             }));
    }
  }
}

TEST(PropertiesOfIntegers, OfTwoDesigns) {
  const Instruction wrap = integers("a=s4,c=s4,k=2");
  const Instruction saturate = integers("a=s4,c=s4,k=2,overflow=saturate");
  const Instruction each = integers("a=s4,c=s4,k=2,overflow=saturate,group=1");
  EXPECT_EQ(asked("equivalent", saturate, each).outcome, Outcome::refuted);
  EXPECT_EQ(asked("refines", saturate, each).outcome, Outcome::proved);
  EXPECT_EQ(asked("refines", each, saturate).outcome, Outcome::refuted);
  EXPECT_EQ(asked("refines", wrap, saturate).outcome, Outcome::refuted);
}

// The condition is kept: c is never so large that a step leaves 32 bits.
TEST(PropertiesOfIntegers, UnderConditions) {
  const Where small({"abs(c) < 60"});
  ProveOptions options;
  options.where = condition(small);
  const Subject subject{integers("a=s4,c=s8,k=1")};
  EXPECT_EQ(prove(find_property("monotone-c"), subject, options, solvers()).outcome,
            Outcome::proved);
}

}  // namespace
}  // namespace mmaspec::integers_test
