// The exact evaluator and its integers.

#include <gtest/gtest.h>

#include "concrete/evaluator.h"
#include "spec/lang/int.h"

namespace mmaspec::exact_test {
namespace {

TEST(Integers, AreShiftedTowardMinusInfinity) {
  EXPECT_EQ(floor_shift_right(Integer(-1), 1), -1);
  EXPECT_EQ(floor_shift_right(Integer(-8), 2), -2);
  EXPECT_EQ(floor_shift_right(Integer(-9), 2), -3);
  EXPECT_EQ(floor_shift_right(Integer(9), 2), 2);
  EXPECT_EQ(floor_shift_right(Integer(-9), 4000000000U), -1);
  EXPECT_EQ(floor_shift_right(Integer(9), 4000000000U), 0);
}

TEST(Integers, HaveALengthAndDigits) {
  EXPECT_EQ(bit_length(Integer(0)), 0U);
  EXPECT_EQ(bit_length(Integer(-8)), 4U);
  EXPECT_EQ(bit_length(Integer(7)), 3U);
  EXPECT_TRUE(is_power_of_two(Integer(-16)));
  EXPECT_FALSE(is_power_of_two(Integer(0)));
  EXPECT_FALSE(is_power_of_two(Integer(12)));
  EXPECT_EQ(to_hex(Integer(0xbeef), 6), "00beef");
  EXPECT_EQ(to_hex(Integer(0)), "0");
}

// Shifts to the right may be by any amount, also by an exponent of many bits.
TEST(Evaluator, ShiftsByHugeAmounts) {
  Graph graph;
  const Graph::Building building(graph);
  const Int x = input("x", 4);
  const Int n = input("n", 70);
  const Int shifted = floor_shift_right(x - 8, n);
  const ExactEvaluator evaluator(graph, {shifted.id()});
  ExactEvaluator::Values values = evaluator.scratch();
  for (unsigned k : {4U, 17U, 31U, 32U, 33U, 63U, 64U, 69U}) {
    for (int value : {0, 7, 8, 15}) {
      evaluator.evaluate({value, power_of_two(k)}, values);
      EXPECT_EQ(values[shifted.id()], value < 8 ? -1 : 0) << value << ' ' << k;
    }
  }
}

TEST(Evaluator, TreatsMissingInputsAsZeroAndReusesItsScratch) {
  Graph graph;
  const Graph::Building building(graph);
  const Int x = input("x", 4);
  const Int y = input("y", 4);
  const Int sum = 3 * x + y + 7;
  const ExactEvaluator evaluator(graph, {sum.id()});
  ExactEvaluator::Values values = evaluator.scratch();
  evaluator.evaluate({2, 5}, values);
  EXPECT_EQ(values[sum.id()], 18);
  evaluator.evaluate({2}, values);
  EXPECT_EQ(values[sum.id()], 13);
}

TEST(Evaluator, NamesTheNodeThatLeavesItsRange) {
  Graph graph;
  const Graph::Building building(graph);
  const Int doubled = 2 * input("x", 4);
  const ExactEvaluator evaluator(graph, {doubled.id()});
  ExactEvaluator::Values values = evaluator.scratch();
  evaluator.evaluate({5}, values);
  EXPECT_NO_THROW(evaluator.check_ranges(values));
  values[doubled.id()] = 31;
  EXPECT_THROW(evaluator.check_ranges(values), std::logic_error);
}

}  // namespace
}  // namespace mmaspec::exact_test
