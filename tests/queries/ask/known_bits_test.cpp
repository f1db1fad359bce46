// Bits that conditions fix: found, and inserted without changing the question.

#include "queries/ask/lemmas/known_bits.h"

#include <gtest/gtest.h>

#include "concrete/evaluator.h"

namespace mmaspec::known_bits_test {
namespace {

Portfolio solvers() { return Portfolio("auto", Limits{20}); }
Portfolio nobody() { return Portfolio(std::vector<std::unique_ptr<Backend>>(), Limits{20}); }

TEST(KnownBits, AreTheBitsCommonToAllPatterns) {
  Graph graph;
  const Graph::Building building(graph);
  const Int x = input("x", 8);
  const Int y = input("y", 8);
  const Int z = input("z", 8);
  const Bool all = all_of({x >= 0x40, x < 0x60, bits(y, 2, 3) == 5, z < y, z != 7});
  const std::vector<KnownBits> found = fixed_bits(graph, {all.id()}, nobody());
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].input, x.id());
  EXPECT_EQ(found[0].mask, 0xe0);
  EXPECT_EQ(found[0].value, 0x40);
  EXPECT_EQ(found[1].input, y.id());
  EXPECT_EQ(found[1].mask, 0x1c);
  EXPECT_EQ(found[1].value, 0x14);
}

TEST(KnownBits, OfWideInputsAreConfirmedByASolver) {
  Graph graph;
  const Graph::Building building(graph);
  const Int x = input("x", 32);
  const NodeId zero = (bits(x, 0, 31) == 0).id();
  const std::vector<KnownBits> found = fixed_bits(graph, {zero}, solvers());
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].mask, power_of_two(31) - 1);
  EXPECT_EQ(found[0].value, 0);
  EXPECT_TRUE(fixed_bits(graph, {zero}, nobody()).empty());
  // According to samples bit 3 is never set together with bit 20: it is, in one of many patterns.
  const Bool rare = bits(x, 0, 31) == 0 || x == Integer(0x00123408);
  const std::vector<KnownBits> others = fixed_bits(graph, {rare.id()}, solvers());
  ASSERT_EQ(others.size(), 1U);
  EXPECT_EQ(others[0].mask, power_of_two(31) - 1 - 0x00123408);
  EXPECT_EQ(others[0].value, 0);
  // No sample is the only pattern.
  const std::vector<KnownBits> one = fixed_bits(graph, {(x == 12345677).id()}, solvers());
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0].mask, power_of_two(32) - 1);
  EXPECT_EQ(one[0].value, 12345677);
}

TEST(KnownBits, DoNotExistForUnsatisfiableConditions) {
  Graph graph;
  const Graph::Building building(graph);
  const Int x = input("x", 8);
  const NodeId none = (bits(x, 0, 4) > bits(x, 0, 4) * 2 + 1).id();
  EXPECT_TRUE(fixed_bits(graph, {none}, nobody()).empty());
}

TEST(KnownBits, InsertedLeaveTheOtherBitsFree) {
  Graph graph;
  NodeId x = 0;
  {
    const Graph::Building building(graph);
    x = input("x", 8).id();
  }
  Graph copied;
  const Graph::Building building(copied);
  Substitution copy(graph);
  put_in({{x, 0x3c, 0x14}}, graph, copy);
  const NodeId y = copy.integer(x).id();
  const ExactEvaluator evaluator(copied, {y});
  ExactEvaluator::Values values = evaluator.scratch();
  for (int pattern = 0; pattern < 256; ++pattern) {
    evaluator.evaluate({pattern}, values);
    EXPECT_EQ(values[y], (pattern & ~0x3c) | 0x14);
  }
}

}  // namespace
}  // namespace mmaspec::known_bits_test
