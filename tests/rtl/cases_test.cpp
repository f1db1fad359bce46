// Proofs by cases: known bits, terms of few bits, and fused multiply-adds of small formats.

#include <gtest/gtest.h>

#include <functional>

#include "encoder/encode.h"
#include "hardware/rtl/cases/case_split.h"
#include "hardware/rtl/cases/small_terms.h"
#include "hardware/rtl/cases/specialize.h"
#include "hardware/rtl/equivalence/simulate_terms.h"
#include "spec/catalog/instruction.h"
#include "spec/formats/unpack.h"
#include "spec/parts/dot_add.h"
#include "tests/rtl/random_terms.h"
#include "tests/support/cli/process.h"

namespace mmaspec::rtl::cases_test {
namespace {

/// Values of the variables of random terms.
std::vector<std::map<std::string, Integer>> all_values(const RandomTerms& t) {
  unsigned bits = 0;
  for (const auto& [name, width] : t.variables) bits += width;
  std::vector<std::map<std::string, Integer>> all(std::size_t{1} << bits);
  for (std::size_t x = 0; x < all.size(); ++x) {
    unsigned low = 0;
    for (const auto& [name, width] : t.variables) {
      all[x][name] = (x >> low) & ((1U << width) - 1);
      low += width;
    }
  }
  return all;
}

TEST(TermBits, HoldForAllValues) {
  std::size_t known = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    RandomTerms t(seed);
    const TermId root = t.assertion();
    TermSimulator simulator(t.terms);
    for (const auto& values : all_values(t)) simulator.add_sample(values);
    TermBits bits(t.terms);
    for (const TermId id : t.terms.cone({root})) {
      const BitFacts facts = bits(id);
      known += facts.is_constant() ? 1 : 0;
      for (const Integer& x : simulator(id)) {
        ASSERT_EQ(x & facts.ones, facts.ones) << seed;
        ASSERT_EQ(x | facts.maybe, facts.maybe) << seed;
      }
    }
  }
  EXPECT_GT(known, 100);
}

TEST(Specializer, PreservesValues) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    RandomTerms t(seed);
    const TermId root = t.assertion();
    Specializer specialize(t.terms);
    const auto& [name, width] = t.variables[0];
    const TermId constant = t.terms.constant(seed, width);
    const TermId special = specialize(root, {{t.terms.variable(name, width), constant}});
    TermSimulator simulator(t.terms);
    for (auto values : all_values(t)) {
      values[name] = t.terms[constant].value;
      simulator.add_sample(values);
    }
    ASSERT_EQ(simulator(root), simulator(special)) << seed;
  }
}

TEST(Specializer, MakesOneVariableOfShiftedProducts) {
  BvTerms terms;
  const TermId x = terms.variable("x", 4);
  const TermId y = terms.variable("y", 4);
  const auto wide = [&](TermId t) { return terms.zero_extend(t, 12); };
  // (16 + x) * y, and (32 + 2 x) * (2 y), in other words for 16 + x.
  const TermId one = terms.mul(wide(terms.concat(terms.constant(1, 1), x)), wide(y));
  const TermId other = terms.mul(wide(terms.concat(y, terms.constant(0, 1))),
                                 terms.shift_left(terms.add(wide(x), terms.constant(16, 12)), 1));
  const TermId equal = terms.eq(terms.shift_left(one, 2), other);
  Specializer specialize(terms);
  const TermId left = specialize.without_products(specialize(equal, {}));
  ASSERT_EQ(specialize.products().size(), 1U);
  const FreshProduct& p = specialize.products()[0];
  EXPECT_EQ(p.least, 0);
  EXPECT_EQ(p.largest, 31 * 15);
  TermSimulator simulator(terms);
  for (int product = 0; product <= p.largest; ++product) {
    simulator.add_sample({{terms[p.variable].name, product}});
  }
  for (const Integer& holds : simulator(left)) EXPECT_EQ(holds, 1);
}

TEST(SmallTerms, FoldToConstantsAndEqualTerms) {
  BvTerms terms;
  const TermId x = terms.variable("x", 6);
  const TermId y = terms.variable("y", 6);
  const TermId other = terms.variable("other", 6);
  const TermId difference = terms.add(x, terms.add(terms.bv_not(y), terms.constant(1, 6)));
  const TermId root = terms.bool_and({terms.eq(terms.add(difference, other), other),
                                      terms.eq(terms.add(y, terms.constant(3, 6)), other)});
  std::vector<Column> columns;
  for (std::uint64_t i = 0; i < 40; ++i) columns.push_back({i + 3, i});
  SmallTerms small(terms, {root}, {x, y});
  const Replaced folded = small.fold(columns);
  EXPECT_EQ(folded.at(difference), terms.constant(3, 6));
  EXPECT_EQ(folded.at(terms.add(y, terms.constant(3, 6))), x);
  EXPECT_FALSE(small.depend_on_sum({{1, 2}, {2, 1}}));
  const TermId sum = terms.eq(terms.add(terms.add(x, y), other), other);
  EXPECT_TRUE(SmallTerms(terms, {sum}, {x, y}).depend_on_sum({{1, 2}, {2, 1}}));
}

TEST(SmallTerms, DecideAlikeWhereMultiplexersAreConstant) {
  BvTerms terms;
  const TermId x = terms.variable("x", 6);
  const TermId y = terms.variable("y", 6);
  const TermId data = terms.variable("data", 8);
  const TermId shifted = terms.concat(terms.extract(data, 5, 0), terms.constant(0, 2));
  const TermId chosen = terms.ite(terms.ult(x, terms.constant(10, 6)), shifted, data);
  const TermId root = terms.eq(chosen, terms.zero_extend(terms.add(x, y), 8));
  std::vector<Column> columns;
  for (std::uint64_t i = 0; i < 64; ++i) columns.push_back({i, i});
  const auto decisions = SmallTerms(terms, {root}, {x, y}).decisions(columns);
  ASSERT_EQ(decisions.size(), 64U);
  for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(decisions[i], decisions[i < 10 ? 0 : 63]) << i;
  EXPECT_NE(decisions[0], decisions[63]);
}

class FusedMultiplyAdd : public testing::Test {
 protected:
  /// Whether two designs are proved equal, except for NaNs and the signs of zeros.
  /// `fixed`: changes the operands.
  static CaseReport compare(const std::string& first, const std::string& second,
                            const std::function<void(DotOperands&)>& fixed = {}) {
    const Instruction x = find_instruction(first);
    const Instruction y = find_instruction(second);
    const DotFormats& f = x.formats;
    Graph graph;
    const Graph::Building building(graph);
    DotOperands in = dot_inputs(f);
    if (fixed) fixed(in);
    const Int p = x.algorithm.build(f, in);
    const Int q = y.algorithm.build(f, in);
    const Unpacked of_p = unpack(*f.d, p);
    const Unpacked of_q = unpack(*f.d, q);
    const Bool differ =
        p != q && !(of_p.is_nan && of_q.is_nan) && !(of_p.is_zero() && of_q.is_zero());
    BvTerms terms;
    Encoder encoder(graph, terms);
    const Portfolio solvers("auto", {});
    return prove_by_cases(terms, encoder.boolean(differ.id()),
                          {{{"a[0]", f.a}, {"b[0]", f.b}, {"c", f.c}}}, solvers, 2,
                          Deadline::in(600));
  }
};

const std::string kFma = "design:sequential-fma(a=e5m2,b=e5m2,c=e5m2,d=e5m2,k=1";

const std::string kExact = "design:exact-dot-add(a=e5m2,b=e5m2,c=e5m2,d=e5m2,k=1)";

// 1.25 * b + c: differences of exponents.
TEST_F(FusedMultiplyAdd, OfAConstantFactorEqualsAnExactSum) {
  const CaseReport report = compare(kFma + ")", kExact, [](DotOperands& in) { in.a[0] = 0x3d; });
  EXPECT_TRUE(report.proved) << report.reason;
  EXPECT_GT(report.cases, 30);
}

// a * b + 1: products.
TEST_F(FusedMultiplyAdd, OfAConstantSummandEqualsAnExactSum) {
  const CaseReport report = compare(kFma + ")", kExact, [](DotOperands& in) { in.c = 0x3c; });
  EXPECT_TRUE(report.proved) << report.reason;
}

TEST_F(FusedMultiplyAdd, OfAnotherRoundingIsNotProved) {
  const CaseReport report = compare(kFma + ")", kFma + ",round=rz)");
  EXPECT_FALSE(report.proved);
  EXPECT_NE(report.reason, "");
}

// What the design computes, where enumeration shows it; a fault in its rounding is found.
TEST(FusedMultiplyAddDesign, IsComparedByTheCommand) {
  if (!cli_test::has_program("yosys")) GTEST_SKIP() << "there is no yosys";
  const std::vector<std::string> arguments{"rtl",
                                           MMASPEC_SOURCE_DIR "/tests/rtl/designs/fma.v",
                                           "--top",
                                           "fma",
                                           "--any-nan",
                                           "--against",
                                           "design:sequential-fma(a=e5m2,b=e5m2,c=f16,d=f16,k=1)"};
  for (const std::string c : {"1", "0x1p-24", "-0x1.004p-10"}) {
    std::vector<std::string> proved = arguments;
    proved.insert(proved.end(), {"--where", "c == " + c});
    EXPECT_EQ(cli_test::mmaspec(proved).status, 0) << c;
  }
  std::vector<std::string> wrong = arguments;
  wrong.insert(wrong.end(), {"--define", "WRONG_TIES"});
  const cli_test::Outcome o = cli_test::mmaspec(wrong);
  EXPECT_EQ(o.status, 1) << o.out << o.err;
}

}  // namespace
}  // namespace mmaspec::rtl::cases_test
