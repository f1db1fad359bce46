// Histograms: their numbers, read back from the SVG.

#include "report/picture/draw_histogram.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <regex>

namespace mmaspec::draw_histogram_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

struct Drawn {
  std::string label;
  std::size_t count;
  double length;
};

std::vector<Drawn> rows_of(const std::string& svg) {
  const std::regex row(
      "<g class=\"row\" data-label=\"([^\"]*)\" data-count=\"([0-9]+)\">((?:.|\n)*?)</g>");
  const std::regex bar(
      "<rect x=\"[0-9.]+\" y=\"[0-9.]+\" width=\"([0-9.]+)\" height=\"[0-9.]+\" "
      "class=\"bar\"/>");
  std::vector<Drawn> all;
  for (std::sregex_iterator i(svg.begin(), svg.end(), row), end; i != end; ++i) {
    const std::string inside = (*i)[3];
    std::smatch found;
    const bool has_bar = std::regex_search(inside, found, bar);
    all.push_back({(*i)[1], std::stoul((*i)[2]), has_bar ? std::stod(found[1]) : 0});
  }
  return all;
}

TEST(Histogram, DrawsTheCounts) {
  const std::string svg = draw_histogram("x and y", "ulp apart",
                                         {{"equal", 65'535}, {"1", 255}, {"2", 0}, {"3 - 4", 1}});
  const std::vector<Drawn> rows = rows_of(svg);
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0].label, "equal");
  EXPECT_EQ(rows[1].count, 255U);
  EXPECT_EQ(rows[2].length, 0);
  // log2 of 65536, 256 and 2 are 16, 8 and 1.
  EXPECT_NEAR(rows[0].length / rows[1].length, 2, 0.01);
  EXPECT_NEAR(rows[0].length / rows[3].length, 16, 0.01);
  EXPECT_THAT(svg, HasSubstr("255  0.388 %"));
}

TEST(Histogram, NeedsNoCounts) {
  EXPECT_EQ(rows_of(draw_histogram("nothing", "", {{"equal", 0}}))[0].count, 0U);
  EXPECT_TRUE(rows_of(draw_histogram("nothing", "", {})).empty());
}

TEST(Histogram, EscapesNames) {
  const std::string svg = draw_histogram("<a & b>", "", {{"\"", 1}});
  EXPECT_THAT(svg, Not(HasSubstr("<a &")));
  EXPECT_THAT(svg, HasSubstr("data-label=\"&quot;\""));
}

}  // namespace
}  // namespace mmaspec::draw_histogram_test
