// Two traces next to each other: lines of the same stage and label are pairs, and zeros are
// omitted.

#include "concrete/dot/trace.h"

#include <gtest/gtest.h>

namespace mmaspec::trace_test {
namespace {

std::string shown(const TraceLine* line) {
  return line == nullptr ? "-" : line->stage + "/" + line->label + "=" + line->integer.str();
}

std::vector<std::string> shown(const std::vector<TraceLine>& left,
                               const std::vector<TraceLine>& right) {
  std::vector<std::string> all;
  for (const TracePair& pair : side_by_side(left, right)) {
    all.push_back(shown(pair.left) + " " + shown(pair.right));
  }
  return all;
}

TEST(Traces, HaveTheSameStagesAndLabelsNextToEachOther) {
  const std::vector<TraceLine> left{{"step 0", "sum", 5, "0x5p0"}, {"step 1", "sum", 6, "0x6p0"}};
  const std::vector<TraceLine> right{
      {"step 1", "sum", 7, "0x7p0"}, {"step 1", "c", 8, "0x8p0"}, {"step 1", "sum", 9, "0x9p0"}};
  EXPECT_EQ(shown(left, right),
            (std::vector<std::string>{"step 0/sum=5 -", "step 1/sum=6 step 1/sum=7", "- step 1/c=8",
                                      "- step 1/sum=9"}));
}

TEST(Traces, OmitNumbersThatAreZeroOnBothSides) {
  const std::vector<TraceLine> left{
      {"s", "a", 0, "0x0p0"}, {"s", "b", 0, "0x0p0"}, {"s", "c", 1, "0x1p0"}};
  const std::vector<TraceLine> right{
      {"s", "a", 0, "0x0p0"}, {"s", "b", 2, "0x2p0"}, {"t", "a", 0, "0x0p0"}};
  EXPECT_EQ(shown(left, right), (std::vector<std::string>{"s/b=0 s/b=2", "s/c=1 -"}));
}

// An exponent or a pattern is not a number: 0 says something.
TEST(Traces, KeepIntegersThatAreZero) {
  EXPECT_EQ(shown({{"s", "exponent", 0, ""}}, {{"s", "exponent", 0, ""}}),
            (std::vector<std::string>{"s/exponent=0 s/exponent=0"}));
}

}  // namespace
}  // namespace mmaspec::trace_test
