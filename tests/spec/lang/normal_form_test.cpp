// Expressions that are one node, and relations between ranges.

#include <gtest/gtest.h>

#include "spec/lang/int.h"

namespace mmaspec::normal_form_test {
namespace {

/// A graph with some inputs; x to z have 5 bits, m (a magnitude) 8.
class NormalForm : public testing::Test {
 protected:
  Graph graph;
  Graph::Building building{graph};
  Int x = input("x", 5);
  Int y = input("y", 5);
  Int z = input("z", 5);
  Int m = input("m", 8);
  Bool s = input("s", 1) == 1;
  Bool t = input("t", 1) == 1;
};

#define EXPECT_SAME(a, b) EXPECT_TRUE((a).same_as(b)) << #a " is not " #b

TEST_F(NormalForm, Sums) {
  EXPECT_SAME(-(x + y), (-x) + (-y));
  EXPECT_SAME(x + y + z, z + (y + x));
  EXPECT_SAME(3 * (x - 2 * y) + 6 * y, 3 * x);
  EXPECT_SAME(x - x, Int(0));
  EXPECT_SAME((x + 5) - (y + 5), x - y);
  EXPECT_SAME(total({x, y, 3, -x}), y + 3);
  EXPECT_SAME(total({}), Int(0));
  EXPECT_SAME(1 * x, x);
  EXPECT_SAME(-(-x), x);
}

TEST_F(NormalForm, Products) {
  EXPECT_SAME(x * y, y * x);
  EXPECT_SAME((x * y) * z, z * (x * y));
  EXPECT_SAME((-x) * y, -(x * y));
  EXPECT_SAME((3 * x) * (-2 * y), -6 * (x * y));
  EXPECT_SAME(x * 0, Int(0));
  EXPECT_SAME(Int(6) * Int(-7), Int(-42));
  EXPECT_EQ(((x - 3) * (y - 30)).range(), (Range{-30 * 28, 90}));
}

TEST_F(NormalForm, AbsoluteValues) {
  const Int d = x - y;
  EXPECT_SAME(abs(-d), abs(d));
  EXPECT_SAME(abs(y - x), abs(x - y));
  EXPECT_SAME(abs(x), x);
  EXPECT_SAME(abs(-x), x);
  EXPECT_SAME(abs(-3 * (x * (y - 9))), 3 * abs(x * (y - 9)));
  EXPECT_SAME(abs(negate_if(s, m)), m);
  EXPECT_SAME(abs(negate_if(s, d)), abs(d));
  EXPECT_EQ(abs(d).range(), (Range{0, 31}));
}

TEST_F(NormalForm, Signs) {
  EXPECT_SAME(negate_if(!s, m), -negate_if(s, m));
  EXPECT_SAME(negate_if(s, -m), -negate_if(s, m));
  EXPECT_SAME(negate_if(s, 4 * m), 4 * negate_if(s, m));
  EXPECT_SAME(negate_if(s, negate_if(t, m)), negate_if(s ^ t, m));
  EXPECT_SAME(negate_if(s, negate_if(s, m)), m);
  EXPECT_SAME(negate_if(true, m), -m);
  EXPECT_SAME(negate_if(s, 0), Int(0));
  // f(-c, -a, b) = -f(c, a, b): the signs of the products are inverted, and so is the sum.
  const Int sum = negate_if(s ^ t, x * y) + negate_if(t, m);
  const Int flipped = negate_if(!s ^ t, x * y) + negate_if(!t, m);
  EXPECT_SAME(flipped, -sum);
}

TEST_F(NormalForm, Comparisons) {
  EXPECT_SAME(x<y, y> x);
  EXPECT_SAME(x <= y, !(y < x));
  EXPECT_SAME(x < y, 0 < y - x);
  EXPECT_SAME(2 * x < 2 * y - 1, x < y);
  EXPECT_SAME(x + z < y + z, x < y);
  EXPECT_SAME(3 * x < 7, x < 3);
  EXPECT_SAME(-x<-3, x> 3);
  EXPECT_SAME(x == y, y == x);
  EXPECT_SAME(x == y, x - y == 0);
  EXPECT_SAME(2 * x == 2 * y + 6, x == y + 3);
  EXPECT_SAME(2 * x == 2 * y + 1, Bool(false));
  EXPECT_SAME(x < 32, Bool(true));
  EXPECT_SAME(x == 32, Bool(false));
  EXPECT_SAME(x < x, Bool(false));
  EXPECT_SAME(abs(x - y) == 0, x == y);
  EXPECT_SAME(negate_if(s, m) == 0, m == 0);
}

// A comparison keeps its form, whatever sums are built before it is built again.
TEST_F(NormalForm, ComparisonsKeepTheirForm) {
  const Bool less = x < y;
  const Bool equal = x == y + 2;
  const Bool one_sided = 0 < x + y - 7;
  (void)(x - y);
  (void)(y - x);
  (void)(x + y);
  EXPECT_SAME(x < y, less);
  EXPECT_SAME(x - y < 0, less);
  EXPECT_SAME(x == y + 2, equal);
  EXPECT_SAME(x - y == 2, equal);
  EXPECT_SAME(0 < x + y - 7, one_sided);
  EXPECT_SAME(x + y > 7, one_sided);
}

// A comparison that was built before is found by all terms of its sides.
TEST_F(NormalForm, ComparisonsOfSumsAreNotThoseOfTheirFirstTerms) {
  const Bool less = y < 3 * x;
  const Bool equal = y == 3 * x;
  EXPECT_NE((y + z < 3 * x).id(), less.id());
  EXPECT_NE((y + z == 3 * x).id(), equal.id());
}

TEST_F(NormalForm, Conditions) {
  const Bool u = x < 7;
  EXPECT_SAME(!!s, s);
  EXPECT_SAME(!s ^ !t, s ^ t);
  EXPECT_SAME(!s ^ t, !(s ^ t));
  EXPECT_SAME((s ^ t) ^ u, u ^ (t ^ s));
  EXPECT_SAME(s ^ s, Bool(false));
  EXPECT_SAME(s ^ t ^ s, t);
  EXPECT_SAME(s && t, t && s);
  EXPECT_SAME((s && t) && u, s && (u && t));
  EXPECT_SAME(s && s, s);
  EXPECT_SAME(s && !s, Bool(false));
  EXPECT_SAME(s || !s, Bool(true));
  EXPECT_SAME(!(s && t), !s || !t);
  EXPECT_SAME(all_of({}), Bool(true));
  EXPECT_SAME(any_of({}), Bool(false));
  EXPECT_SAME(select(s, t, !t), !(s ^ t));
  EXPECT_SAME(select(s, t, t), t);
}

TEST_F(NormalForm, Choices) {
  EXPECT_SAME(select(s, x, x), x);
  EXPECT_SAME(select(!s, x, y), select(s, y, x));
  EXPECT_SAME(select(s, select(s, x, y), z), select(s, x, z));
  EXPECT_SAME(select(s, x, select(s, y, z)), select(s, x, z));
  EXPECT_SAME(select(true, x, y), x);
  EXPECT_SAME(select(s, 1, 0) == 1, s);
  EXPECT_SAME(select(s, 4, 9) == 5, Bool(false));
  // Selects with the same condition choose the same side.
  EXPECT_EQ((select(s, x, 100) - select(s, x, 90)).range(), (Range{0, 10}));
}

TEST_F(NormalForm, Extrema) {
  EXPECT_SAME(max(x, y), max(y, x));
  EXPECT_SAME(max(max(x, y), z), max({z, x, y, x}));
  EXPECT_SAME(max(x, x), x);
  EXPECT_SAME(max(x, -1), x);
  EXPECT_SAME(max(x, 31), Int(31));
  EXPECT_SAME(max({x, m + 40, y}), m + 40);
  EXPECT_SAME(min({x, m + 40, y}), min(x, y));
  EXPECT_SAME(min(x, 0), Int(0));
  EXPECT_SAME(max({x, 3, 5}), max(x, 5));
  EXPECT_EQ(max({x, 5}).range(), (Range{5, 31}));
  const Int e_max = max({x, y, z});
  for (Int e : {x, y, z}) EXPECT_EQ((e_max - e).range(), (Range{0, 31}));
  for (Int e : {x, y, z}) EXPECT_EQ((min({x, y, z}) - e).range(), (Range{-31, 0}));
  // A member subtracted from a multiple of the maximum, with another term.
  EXPECT_EQ((3 * max(x, y) - 3 * y + z).range(), (Range{0, 124}));
}

TEST_F(NormalForm, ShiftsAndFields) {
  EXPECT_SAME(shift_left(x, 3), 8 * x);
  EXPECT_SAME(shift_left(0, x), Int(0));
  EXPECT_SAME(floor_shift_right(x, 0), x);
  EXPECT_SAME(floor_shift_right(32 * y + x, 5), y);
  EXPECT_SAME(floor_shift_right(32 * y - x - 1, 5), y - 1);
  EXPECT_SAME(floor_shift_right(64 * y + 3 * x, 2), 16 * y + floor_shift_right(3 * x, 2));
  EXPECT_SAME(floor_shift_right(floor_shift_right(m, 2), 3), floor_shift_right(m, 5));
  EXPECT_SAME(floor_shift_right(m, 8), Int(0));
  EXPECT_SAME(floor_shift_right(m - 256, 8), Int(-1));
  const Int packed = 1024 * y + 32 * x + z;
  EXPECT_SAME(bits(packed, 0, 5), z);
  EXPECT_SAME(bits(packed, 5, 5), x);
  EXPECT_SAME(bits(packed, 10, 5), y);
  EXPECT_SAME(bits(bits(m, 1, 6), 2, 3), bits(m, 3, 3));
  EXPECT_SAME(bits(m, 3, 0), Int(0));
  EXPECT_SAME(bits(m, 9, 4), Int(0));
  EXPECT_SAME(bit(packed, 2), bit(z, 2));
  EXPECT_SAME(bit_length(m + 256), Int(9));
  // A field that extends beyond its word is a shift.
  EXPECT_SAME(bits(m, 4, 9), floor_shift_right(m, 4));
  EXPECT_SAME(bits(m, 4, 4), floor_shift_right(m, 4));
  EXPECT_EQ(bits(m, 4, 9).range(), (Range{0, 15}));
}

TEST_F(NormalForm, NormalisationKeepsTheWidth) {
  const Int length = bit_length(m);
  EXPECT_EQ(shift_left(floor_shift_right(m, x), x).range(), m.range());
  EXPECT_EQ(shift_left(m, 8 - length).range(), (Range{0, 255}));
  EXPECT_EQ(shift_left(m, 30 - length).range().high, power_of_two(30) - 1);
  EXPECT_EQ(floor_shift_right(m, max(length - 3, 0)).range().high, 7);
}

TEST_F(NormalForm, EqualExpressionsAreOneNode) {
  const auto build = [&] {
    return floor_shift_right(select(x < y, x * y, abs(x - m)), min(z, 9)) + bit_length(m);
  };
  const Int first = build();
  const std::size_t size = graph.size();
  EXPECT_SAME(build(), first);
  EXPECT_EQ(graph.size(), size);
  EXPECT_SAME(input("x", 5), x);
  EXPECT_EQ(graph.inputs().size(), 6U);
  EXPECT_EQ(graph.input_name(x.id()), "x");
}

TEST_F(NormalForm, InvalidExpressionsThrow) {
  EXPECT_THROW((void)shift_left(x, y - 1), std::logic_error);
  EXPECT_THROW((void)floor_shift_right(x, y - z), std::logic_error);
  EXPECT_THROW((void)floor_shift_right(x, -1), std::logic_error);
  EXPECT_THROW((void)shift_left(x, shift_left(1, x)), std::logic_error);  // by up to 2^31
  EXPECT_THROW((void)bits(x - 1, 0, 3), std::logic_error);
  EXPECT_THROW((void)bit(x - y, 2), std::logic_error);
  EXPECT_THROW((void)bit_length(x - 1), std::logic_error);
  EXPECT_THROW((void)claim(x, 40, 50), std::logic_error);
  EXPECT_THROW((void)claim(x, 9, 8), std::logic_error);
  EXPECT_THROW((void)max(std::vector<Int>{}), std::logic_error);
  EXPECT_THROW((void)min(std::vector<Int>{}), std::logic_error);
  EXPECT_THROW((void)input("x", 6), std::logic_error);
  EXPECT_THROW((void)input("empty", 0), std::logic_error);
}

TEST_F(NormalForm, ErrorsStateTheRangeOfTheOperand) {
  try {
    (void)shift_left(x, y - 3);
    FAIL() << "a negative amount was taken";
  } catch (const std::logic_error& error) {
    EXPECT_STREQ(error.what(), "a shift by an amount in [-3, 28]: it must not be negative");
  }
}

TEST(Graph, IsNeededToBuildAnExpression) { EXPECT_THROW((void)Int(3), std::logic_error); }

TEST(Graph, BuildingMayBeNested) {
  Graph outer;
  Graph inner;
  const Graph::Building building(outer);
  const Int x = input("x", 3);
  {
    const Graph::Building nested(inner);
    (void)(input("y", 4) + 1);
  }
  EXPECT_EQ(&Graph::current(), &outer);
  EXPECT_EQ(outer.size(), 1U);
  EXPECT_EQ(inner.input_name(inner.inputs()[0]), "y");
  EXPECT_EQ(x.range(), (Range{0, 7}));
}

TEST(Graph, ConeIsAscendingAndLeavesOutTheRest) {
  Graph graph;
  const Graph::Building building(graph);
  const Int x = input("x", 3);
  const Int y = input("y", 3);
  const Int product = x * y;
  const Int other = x + y;
  const std::vector<NodeId> cone = graph.cone({product.id(), x.id()});
  EXPECT_EQ(cone, (std::vector<NodeId>{x.id(), y.id(), product.id()}));
  EXPECT_GT(other.id(), product.id());
  EXPECT_TRUE(graph.cone({}).empty());
}

TEST(Graph, KeepsTheFirstStageOfANode) {
  Graph graph;
  const Graph::Building building(graph);
  const Int x = input("x", 3);
  Int doubled = 0;
  {
    const Stage align("align");
    doubled = 2 * x;
    const Stage sum("sum");
    (void)(x + 1);
    mark("total", x + 1);
  }
  EXPECT_EQ(graph.stages()[graph[doubled.id()].stage], "align");
  EXPECT_EQ(graph.stages()[graph[(x + 1).id()].stage], "sum");
  EXPECT_EQ(graph.current_stage(), "");
  ASSERT_EQ(graph.marks().size(), 1U);
  EXPECT_EQ(graph.marks()[0].stage, "sum");
  EXPECT_EQ(graph.marks()[0].label, "total");
}

}  // namespace
}  // namespace mmaspec::normal_form_test
