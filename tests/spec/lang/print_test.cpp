// Graphs as text, and as a picture's source.

#include "spec/lang/print.h"

#include <gtest/gtest.h>

#include "spec/lang/int.h"

namespace mmaspec::lang_test::print_test {
namespace {

class Printed : public testing::Test {
 protected:
  std::string text(Int n) const { return describe(graph, n.id()); }
  std::string text(Bool n) const { return describe(graph, n.id()); }

  Graph graph;
  Graph::Building building{graph};
  Int x = input("x", 5);
  Int y = input("y", 5);
};

TEST_F(Printed, SumsHaveSignsAndCoefficients) {
  EXPECT_EQ(text(x + y), "x + y");
  EXPECT_EQ(text(3 - 2 * x + y), "3 - 2*x + y");
  EXPECT_EQ(text(y - x), "-x + y");
  EXPECT_EQ(text(5 * x - 7), "-7 + 5*x");
}

TEST_F(Printed, OperationsHaveTheirOperandsInParentheses) {
  EXPECT_EQ(text(min(x, y)), "min(x, y)");
  EXPECT_EQ(text(bits(x, 1, 2)), "bits[2:1](x)");
  EXPECT_EQ(text(bit_length(x)), "bit_length(x)");
  EXPECT_EQ(text(x < 3), "less(x, 3)");
  EXPECT_EQ(text(x), "x");
  EXPECT_EQ(text(Int(4)), "4");
  EXPECT_EQ(text(Bool(true)), "true");
}

TEST_F(Printed, NodesHaveRangesAndStages) {
  Int sum = 0;
  {
    const Stage stage("add");
    sum = x + y;
  }
  const auto n = [](NodeId id) { return "n" + std::to_string(id); };
  EXPECT_EQ(print(graph, {min(sum, 9).id()}),
            n(x.id()) + " = x   in [0, 31]\n" + n(y.id()) + " = y   in [0, 31]\n" + n(sum.id()) +
                " = x + y   in [0, 62]   {add}\n" + n(min(sum, 9).id()) + " = min(" + n(sum.id()) +
                ", 9)   in [0, 9]\nresult " + n(min(sum, 9).id()) + "\n");
}

TEST_F(Printed, PicturesEscapeTheirTitle) {
  const std::string dot = to_dot(graph, {(x + y).id()}, "a \"b\" \\");
  EXPECT_NE(dot.find("label=\"a \\\"b\\\" \\\\\";"), std::string::npos) << dot;
  EXPECT_NE(dot.find("n" + std::to_string(x.id()) + " -> n" + std::to_string((x + y).id()) + ";"),
            std::string::npos)
      << dot;
}

}  // namespace
}  // namespace mmaspec::lang_test::print_test
