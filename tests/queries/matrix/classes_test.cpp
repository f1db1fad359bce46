// Classes: conclusions from answers about pairs.
#include "queries/studies/matrix/classes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "queries/ask/question.h"
#include "util/split_mix.h"

namespace mmaspec::classes_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

PairRow row(PairVerdict verdict) {
  PairRow r;
  r.verdict = verdict;
  r.by = "solver";
  return r;
}

const PairRow kEqual = row(PairVerdict::equal);
const PairRow kDiffer = row(PairVerdict::differ);
const PairRow kUndecided = row(PairVerdict::undecided);

std::vector<DesignPair> same(std::size_t designs) {
  std::vector<DesignPair> all;
  for (std::size_t d = 0; d < designs; ++d) all.push_back({d, d});
  return all;
}

std::vector<DesignPair> all_pairs(std::size_t designs) {
  std::vector<DesignPair> all;
  for (std::size_t x = 0; x < designs; ++x) {
    for (std::size_t y = x + 1; y < designs; ++y) all.push_back({x, y});
  }
  return all;
}

PairRow argued() {
  PairRow r = kEqual;
  r.by = by(Justification::Kind::argument);
  return r;
}
const PairRow kArgued = argued();

TEST(Classes, CompareTheFirstWithAllOthersThatMayBeEqual) {
  Classes c(same(3), {{0, 1}, {0, 2}, {1, 2}}, {});
  EXPECT_THAT(c.to_ask(), ElementsAre(DesignPair{0, 1}, DesignPair{0, 2}));
  c.take({0, 1}, kEqual);
  c.take({0, 2}, kEqual);
  EXPECT_THAT(c.to_ask(), IsEmpty());
  const Classes::Known known = c.known({1, 2});
  EXPECT_EQ(known.verdict, PairVerdict::equal);
  EXPECT_EQ(known.from.first, 0U);
}

TEST(Classes, CompareDesignsThatBothDifferFromAThird) {
  Classes c(same(3), {{0, 1}, {0, 2}, {1, 2}}, {});
  c.take({0, 1}, kDiffer);
  EXPECT_THAT(c.to_ask(), ElementsAre(DesignPair{0, 2}));
  c.take({0, 2}, kDiffer);
  EXPECT_THAT(c.to_ask(), ElementsAre(DesignPair{1, 2}));  // two that differ from a third
}

TEST(Classes, UndecidedIsNotEqualAndNotTransitive) {
  Classes c(same(3), {{0, 1}, {0, 2}, {1, 2}}, {});
  c.take({0, 1}, kUndecided);
  c.take({0, 2}, kUndecided);
  EXPECT_THAT(c.to_ask(), ElementsAre(DesignPair{1, 2}));
  c.take({1, 2}, kEqual);
  EXPECT_EQ(c.known({1, 2}).verdict, PairVerdict::equal);
  EXPECT_EQ(c.known({0, 2}).verdict, PairVerdict::undecided);
}

TEST(Classes, WitnessesHoldForWholeClasses) {
  // 0 and 1 are one expression; 2 differs from 0.
  Classes c({{0, 0}, {1, 0}, {2, 2}, {3, 3}}, {{0, 3}}, {{{0, 2}, kDiffer}});
  EXPECT_EQ(c.known({1, 2}).verdict, PairVerdict::differ);
  EXPECT_EQ(c.known({1, 2}).from, (DesignPair{0, 2}));
  c.take({0, 3}, kEqual);
  EXPECT_EQ(c.known({2, 3}).verdict, PairVerdict::differ);
  EXPECT_EQ(c.known({0, 1}).verdict, PairVerdict::equal);
}

TEST(Classes, ConclusionsFromArgumentsAreMarked) {
  const std::vector<DesignPair> open = all_pairs(4);
  Classes c(same(4), open, {});
  c.take({0, 1}, kArgued);
  c.take({0, 2}, kEqual);
  c.take({0, 3}, kEqual);
  EXPECT_TRUE(c.known({1, 2}).by_argument);
  EXPECT_TRUE(c.known({0, 1}).by_argument);
  EXPECT_FALSE(c.known({2, 3}).by_argument);
  EXPECT_EQ(c.known({2, 3}).from.first, 0U);
  // By way of 3, the equality of 0 and 1 no longer depends on an analytical proof.
  c.take({1, 3}, kEqual);
  EXPECT_FALSE(c.known({0, 1}).by_argument);
  EXPECT_FALSE(c.known({1, 2}).by_argument);
}

TEST(Classes, CompareOthersIfOnlyAnArgumentJoinsThem) {
  const std::vector<DesignPair> open = all_pairs(4);
  Classes c(same(4), open, {}, true);
  c.take({0, 1}, kArgued);
  c.take({0, 2}, kEqual);
  EXPECT_THAT(c.to_ask(), ElementsAre(DesignPair{0, 3}));  // all others first
  c.take({0, 3}, kArgued);
  EXPECT_THAT(c.to_ask(), ElementsAre(DesignPair{1, 2}));  // one at a time
  c.take({1, 2}, kArgued);
  EXPECT_THAT(c.to_ask(), ElementsAre(DesignPair{1, 3}));
  c.take({1, 3}, kEqual);
  EXPECT_THAT(c.to_ask(), ElementsAre(DesignPair{2, 3}));
  c.take({2, 3}, kEqual);
  EXPECT_THAT(c.to_ask(), IsEmpty());
  EXPECT_FALSE(c.known({0, 1}).by_argument);  // by way of 2 and 3
  // All attempts fail.
  Classes argued_alone(same(4), open, {}, true);
  std::size_t asked = 0;
  for (; !argued_alone.to_ask().empty(); ++asked) {
    argued_alone.take(argued_alone.to_ask().front(), kArgued);
  }
  EXPECT_EQ(asked, open.size());
  EXPECT_TRUE(argued_alone.known({0, 1}).by_argument);
}

TEST(Classes, EqualExpressionsAreNotMarkedAsArguments) {
  // 0 and 1 are one expression, and so are 2 and 3.
  Classes c({{0, 0}, {1, 0}, {2, 2}, {3, 2}}, {{0, 2}}, {});
  c.take({0, 2}, kArgued);
  EXPECT_FALSE(c.known({0, 1}).by_argument);
  EXPECT_FALSE(c.known({2, 3}).by_argument);
  EXPECT_TRUE(c.known({1, 3}).by_argument);
}

TEST(Classes, AnswersThatContradictEachOtherAreFound) {
  Classes one(same(3), {{0, 1}, {0, 2}}, {{{1, 2}, kDiffer}});
  one.take({0, 1}, kEqual);
  EXPECT_THROW(one.take({0, 2}, kEqual), Contradiction);
  Classes other(same(3), {{0, 1}, {1, 2}}, {});
  other.take({0, 1}, kEqual);
  EXPECT_THROW(other.take({0, 1}, kDiffer), Contradiction);
}

TEST(Classes, NeverContradictTheTruth) {
  // Random truths: each design has a hidden class, and questions are answered according to it or
  // not at all.
  for (unsigned seed = 0; seed < 300; ++seed) {
    SplitMix random(seed);
    const auto n = static_cast<std::size_t>(random.between(2, 7));
    std::vector<int> truth;
    for (std::size_t d = 0; d < n; ++d) truth.push_back(random.below(3));
    std::vector<DesignPair> open;
    std::map<DesignPair, PairRow> rows;
    for (std::size_t j = 1; j < n; ++j) {
      for (std::size_t i = 0; i < j; ++i) {
        if (truth[i] != truth[j] && random.one_in(2)) {
          rows[{i, j}] = kDiffer;
        } else {
          open.push_back({i, j});
        }
      }
    }
    Classes c(same(n), open, rows);
    while (!c.to_ask().empty()) {
      const std::vector<DesignPair> asked = c.to_ask();
      const DesignPair p = asked[random.index(asked.size())];
      c.take(p, random.one_in(5)                    ? kUndecided
                : truth[p.first] == truth[p.second] ? kEqual
                                                    : kDiffer);
    }
    for (const DesignPair& p : open) {
      const PairVerdict told = c.known(p).verdict;
      if (told == PairVerdict::undecided) continue;
      EXPECT_EQ(told == PairVerdict::equal, truth[p.first] == truth[p.second]) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace mmaspec::classes_test
