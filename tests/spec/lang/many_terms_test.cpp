// Sums and extrema of thousands of terms: the same forms and ranges as for few.

#include <gtest/gtest.h>

#include "spec/lang/int.h"

namespace mmaspec::many_terms_test {
namespace {

Int numbered(const char* name, std::size_t i, unsigned width) {
  return input(std::string(name) + std::to_string(i), width);
}

TEST(Extremum, OfManyIsRelatedToEachMember) {
  for (const std::size_t count : {std::size_t{3}, kManyMembers, kManyMembers + 50}) {
    Graph graph;
    const Graph::Building building(graph);
    std::vector<Int> members;
    for (std::size_t i = 0; i < count; ++i) {
      members.push_back(numbered("x", i, 5) + numbered("y", i, 4) - 3);
    }
    const Int largest = max(members);
    const Int least = min(members);
    for (const std::size_t i : {std::size_t{0}, count / 2, count - 1}) {
      EXPECT_EQ((largest - members[i]).range(), (Range{0, 46})) << count << " " << i;
      EXPECT_EQ((members[i] - largest + 7).range(), (Range{-39, 7})) << count << " " << i;
      EXPECT_EQ((least - members[i]).range(), (Range{-46, 0})) << count << " " << i;
      // For the member x + y - 3, y - 3 remains.
      EXPECT_EQ((largest - numbered("x", i, 5)).range(), (Range{-3, 43})) << count << " " << i;
      EXPECT_EQ((3 * largest - 2 * members[i]).range().low, -3) << count << " " << i;
    }
    // Not a member: only the range of a difference of two numbers.
    EXPECT_EQ((largest - numbered("z", 0, 5)).range(), (Range{-34, 43})) << count;
  }
}

TEST(Total, IsTheSumOneByOne) {
  Graph graph;
  const Graph::Building building(graph);
  std::vector<Int> terms;
  Int sum = 5;
  for (std::size_t i = 0; i < 50; ++i) {
    // Each number occurs several times, with both signs; some cancel.
    const Int x = numbered("x", i * 7 % 13, 6);
    terms.push_back(i % 3 == 0 ? -x : Int(static_cast<int>(i % 4)) * x + 1);
    terms.push_back(i % 5 == 0 ? x - numbered("y", i, 3) : Int(2));
    sum = sum + terms[2 * i] + terms[2 * i + 1];
  }
  terms.emplace_back(5);
  EXPECT_TRUE(total(terms).same_as(sum));
  const Int x = numbered("x", 0, 6);
  const Int y = numbered("w", 0, 6);
  EXPECT_TRUE(total({x, y, -x}).same_as(y));
  EXPECT_TRUE(total({x, -x}).same_as(0));
  EXPECT_TRUE(total({x, y, -x, -y, x}).same_as(x));
  EXPECT_TRUE(total({}).same_as(0));
}

}  // namespace
}  // namespace mmaspec::many_terms_test
