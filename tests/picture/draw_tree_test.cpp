// Trees: their nodes, read back from the SVG, and that no two boxes overlap.

#include "report/picture/draw_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

namespace mmaspec::draw_tree_test {
namespace {

using ::testing::HasSubstr;

struct Box {
  int depth;
  std::string way;
  std::string text;
  double x, y, width, height;
};

std::vector<Box> boxes_of(const std::string& svg) {
  const std::regex node(
      "<g class=\"node\" data-depth=\"([0-9]+)\" data-way=\"([^\"]*)\" "
      "data-text=\"([^\"]*)\">(?:.|\n)*?<rect x=\"([0-9.]+)\" y=\"([0-9.]+)\" "
      "width=\"([0-9.]+)\" height=\"([0-9.]+)\" class=\"(?:box|result)\"/>");
  std::vector<Box> all;
  for (std::sregex_iterator i(svg.begin(), svg.end(), node), end; i != end; ++i) {
    all.push_back({std::stoi((*i)[1]), (*i)[2], (*i)[3], std::stod((*i)[4]), std::stod((*i)[5]),
                   std::stod((*i)[6]), std::stod((*i)[7])});
  }
  return all;
}

TEST(Tree, PlacesNodesWithoutOverlap) {
  const DrawnNode root{
      "",
      {"input 1"},
      {{"0x3c00", {"A hopper", "A also"}, {}},
       {"0x4000", {"input 2"}, {{"0x0000", {"B"}, {}}, {"0x1 & more", {"C"}, {}}}}}};
  const std::string svg = draw_tree("suite", "two inputs", root);
  const std::vector<Box> boxes = boxes_of(svg);
  ASSERT_EQ(boxes.size(), 5U);
  EXPECT_EQ(boxes[0].text, "input 1");
  EXPECT_EQ(boxes[1].text, "A hopper; A also");
  EXPECT_EQ(boxes[2].way, "0x4000");
  EXPECT_EQ(boxes[4].way, "0x1 &amp; more");
  EXPECT_EQ(boxes[4].depth, 2);
  EXPECT_LT(boxes[0].x + boxes[0].width, boxes[1].x);
  EXPECT_LT(boxes[2].x + boxes[2].width, boxes[3].x);
  for (const Box& a : boxes) {
    for (const Box& b : boxes) {
      const bool apart = a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y ||
                         b.y + b.height <= a.y;
      EXPECT_TRUE(&a == &b || apart) << a.text << " and " << b.text;
    }
  }
  EXPECT_THAT(svg, HasSubstr("<title>suite</title>"));
}

TEST(Tree, MayBeOneNode) { EXPECT_EQ(boxes_of(draw_tree("one", "", {"", {"A"}, {}})).size(), 1U); }

}  // namespace
}  // namespace mmaspec::draw_tree_test
