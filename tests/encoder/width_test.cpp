// Words are as narrow as ranges allow.

#include <gtest/gtest.h>

#include "concrete/dot/model.h"
#include "encoder/encode.h"
#include "spec/catalog/instruction.h"
#include "spec/lang/int.h"

namespace mmaspec::width_test {
namespace {

TEST(WidthOf, IsTheLeastWordThatHoldsTheRange) {
  const auto width = [](Integer low, Integer high) {
    return width_of({std::move(low), std::move(high)});
  };
  EXPECT_EQ(width(0, 0), 1U);
  EXPECT_EQ(width(0, 1), 1U);
  EXPECT_EQ(width(5, 7), 3U);
  EXPECT_EQ(width(8, 8), 4U);
  EXPECT_EQ(width(-1, 0), 1U);
  EXPECT_EQ(width(-1, -1), 1U);
  EXPECT_EQ(width(-1, 1), 2U);
  EXPECT_EQ(width(-2, 1), 2U);
  EXPECT_EQ(width(-8, 7), 4U);
  EXPECT_EQ(width(-8, 8), 5U);
  EXPECT_EQ(width(-9, 0), 5U);
  EXPECT_EQ(width(-300, -290), 10U);
  EXPECT_EQ(width(0, power_of_two(200)), 201U);
  EXPECT_EQ(width(-power_of_two(200), 0), 201U);
}

TEST(WidthStatistics, CountTheConeAlone) {
  Graph graph;
  const Graph::Building building(graph);
  const Int x = input("x", 4);
  const Int y = input("y", 9);
  const Int doubled = 2 * x;
  const Bool less = doubled < 9;
  const WidthStatistics all = width_statistics(graph, {less.id(), y.id()});
  EXPECT_EQ(all.widest, 9U);
  const WidthStatistics one = width_statistics(graph, {doubled.id()});
  EXPECT_EQ(one.nodes, 2U);
  EXPECT_EQ(one.widest, 5U);
  EXPECT_EQ(one.bits, 9U);
}

TEST(WidthStatistics, ExactSumOfHopperIsNarrow) {
  const Instruction hopper = find_instruction("hopper/mma.m16n8k16.f32.f16.f16.f32");
  const DotModel model(hopper.algorithm, hopper.formats);
  const WidthStatistics s = width_statistics(model.graph(), {model.result()});
  EXPECT_LE(s.widest, 40U);
  EXPECT_GE(s.widest, 32U);  // its result
  EXPECT_GT(s.nodes, 100U);
}

// The encoder creates words of exactly the counted width.
TEST(WidthStatistics, AreThoseOfTheWords) {
  const Instruction volta = find_instruction("volta/mma.m8n8k4.f32.f16.f16.f32");
  const DotModel model(volta.algorithm, volta.formats);
  BvTerms terms;
  Encoder encoder(model.graph(), terms);
  for (NodeId id : model.graph().cone({model.result()})) {
    const Node& node = model.graph()[id];
    if (is_boolean(node.op)) {
      EXPECT_EQ(terms.width(encoder.boolean(id)), 0U) << id;
    } else {
      EXPECT_EQ(terms.width(encoder.word(id)), width_of(node.range)) << id;
    }
  }
}

}  // namespace
}  // namespace mmaspec::width_test
