// Claims: true ones are proved, false ones are caught by the evaluator and by the solvers.

#include <gtest/gtest.h>

#include "concrete/evaluator.h"
#include "spec/lang/int.h"
#include "tests/support/lang/solve.h"

namespace mmaspec::lang_test::claims_test {
namespace {

class Claims : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (is_missing(GetParam())) GTEST_SKIP() << "there is no " << GetParam() << " here";
  }
  Answer ask_violation(Int claimed) {
    BvTerms terms;
    Encoder encoder(graph, terms);
    return ask(GetParam(), {&terms, {encoder.violation(claimed.id())}});
  }
  void evaluate(NodeId root, const std::vector<Integer>& inputs) {
    const ExactEvaluator evaluator(graph, {root});
    ExactEvaluator::Values values = evaluator.scratch();
    evaluator.evaluate(inputs, values);
    evaluator.check_ranges(values);
  }

  Graph graph;
  Graph::Building building{graph};
  Int x = input("x", 6);
  Int y = input("y", 6);
  Int square = (x - y) * (x - y);
};

TEST_P(Claims, AreProvedIfTrue) {
  const Int claimed = claim(square, 0, 63 * 63);
  EXPECT_EQ(claimed.range(), (Range{0, 3969}));
  EXPECT_EQ(ask_violation(claimed).verdict, Verdict::unsatisfiable);
  for (const auto& inputs : all_inputs({6, 6})) {
    ASSERT_NO_THROW(evaluate(claimed.id(), inputs));
  }
}

// A normalized significand: the leading bit is set unless the number is 0.
TEST_P(Claims, OfNormalisedSignificandsAreProved) {
  const Int normalised = shift_left(x, 6 - bit_length(x));
  const Int claimed = claim(select(x == 0, 32, normalised), 32, 63);
  ASSERT_EQ(graph[claimed.id()].op, Op::claim);
  EXPECT_EQ(ask_violation(claimed).verdict, Verdict::unsatisfiable);
}

TEST_P(Claims, FalseUpperBoundsAreCaughtBySolverAndEvaluator) {
  const Int claimed = claim(square, 0, 63 * 63 - 1);
  const Answer answer = ask_violation(claimed);
  ASSERT_EQ(answer.verdict, Verdict::satisfiable) << answer.reason;
  EXPECT_THROW(evaluate(claimed.id(), inputs_of(graph, answer)), ClaimViolated);
  EXPECT_THROW(evaluate(claimed.id(), {63, 0}), ClaimViolated);
  EXPECT_NO_THROW(evaluate(claimed.id(), {62, 0}));
}

TEST_P(Claims, FalseLowerBoundsAreCaughtBySolverAndEvaluator) {
  const Int claimed = claim(x - y, -62, 63);
  const Answer answer = ask_violation(claimed);
  ASSERT_EQ(answer.verdict, Verdict::satisfiable) << answer.reason;
  EXPECT_EQ(inputs_of(graph, answer), (std::vector<Integer>{0, 63}));
  EXPECT_THROW(evaluate(claimed.id(), inputs_of(graph, answer)), ClaimViolated);
}

TEST_P(Claims, OfASignAreCaughtWhereTheNumberIsNegative) {
  const Int claimed = claim(x - y, 0, 63);
  const Answer answer = ask_violation(claimed);
  ASSERT_EQ(answer.verdict, Verdict::satisfiable) << answer.reason;
  EXPECT_THROW(evaluate(claimed.id(), inputs_of(graph, answer)), ClaimViolated);
}

// Claims of arguments are assumed: each has its own obligation.
TEST_P(Claims, AreProvedFromTheClaimsOfTheirArguments) {
  const Int inner = claim(x - y, 0, 63);  // false
  const Int outer = claim(inner * inner - 2 * inner, -1, 63 * 61);
  ASSERT_EQ(graph[outer.id()].op, Op::claim);
  EXPECT_EQ(ask_violation(inner).verdict, Verdict::satisfiable);
  EXPECT_EQ(ask_violation(outer).verdict, Verdict::unsatisfiable);
}

TEST_P(Claims, AboutBitsOfNarrowWordsAreProved) {
  const Int claimed = claim(x - 2 * floor_shift_right(x, 1), 0, 1);
  ASSERT_EQ(graph[claimed.id()].op, Op::claim);
  EXPECT_EQ(ask_violation(claimed).verdict, Verdict::unsatisfiable);
  const Int point = claim(x - x * 1 + square - square * 1 + (x - y) * 0 + bits(2 * x, 0, 1), 0, 0);
  EXPECT_EQ(point.range(), (Range{0, 0}));
}

INSTANTIATE_TEST_SUITE_P(Solvers, Claims, testing::Values("z3", "cvc5", "bitwuzla"),
                         [](const auto& test) { return std::string(test.param); });

TEST(Claim, OfAKnownRangeCreatesNoNode) {
  Graph graph;
  const Graph::Building building(graph);
  const Int x = input("x", 6);
  EXPECT_TRUE(claim(x, -5, 63).same_as(x));
  EXPECT_FALSE(claim(x, 1, 63).same_as(x));
  EXPECT_TRUE(claim(x, 1, 63).same_as(claim(x, 1, 100)));
  EXPECT_FALSE(claim(x, 1, 63).same_as(claim(x, 2, 63)));
}

}  // namespace
}  // namespace mmaspec::lang_test::claims_test
