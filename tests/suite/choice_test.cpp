// The smallest choices of inputs and the best trees, compared with all choices and all trees.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "queries/studies/suite/cover.h"
#include "queries/studies/suite/decision_tree.h"
#include "queries/studies/suite/pool.h"
#include "util/split_mix.h"

namespace mmaspec::choice_test {
namespace {

Partition random_partition(SplitMix& random, std::size_t classes, int answers) {
  std::vector<int> of;
  for (std::size_t c = 0; c < classes; ++c) of.push_back(random.below(answers));
  return partition_by(of, classes);
}

TEST(Partitions, NumberBlocksInOrder) {
  EXPECT_EQ(partition_by(std::vector<int>{7, 3, 7, 9, 3}, 5), (Partition{0, 1, 0, 2, 1}));
  EXPECT_EQ(blocks_of({0, 1, 0, 2, 1}), 3U);
  EXPECT_EQ(blocks_of({}), 0U);
  EXPECT_EQ(refined({0, 0, 1, 1}, {0, 1, 0, 0}), (Partition{0, 1, 2, 2}));
  EXPECT_EQ(parted_by({0, 0, 1}).count(), 2U);
  EXPECT_FALSE(parted_by({0, 0, 1})[pair_index(0, 1)]);
  EXPECT_EQ(ceil_log(1, 2), 0U);
  EXPECT_EQ(ceil_log(8, 2), 3U);
  EXPECT_EQ(ceil_log(9, 2), 4U);
  EXPECT_EQ(ceil_log(9, 9), 1U);
}

/// The pairs that a choice of inputs distinguishes.
PairSet parted_by_choice(const std::vector<Partition>& inputs, unsigned chosen) {
  PairSet all(pair_count(inputs[0].size()));
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if ((chosen >> i & 1U) != 0) all |= parted_by(inputs[i]);
  }
  return all;
}

TEST(Covers, AreTheSmallestOfAllChoices) {
  SplitMix random(1);
  for (int trial = 0; trial < 600; ++trial) {
    const auto classes = static_cast<std::size_t>(random.between(1, 9));
    const auto count = static_cast<std::size_t>(random.between(1, 9));
    std::vector<Partition> inputs;
    for (std::size_t i = 0; i < count; ++i) {
      inputs.push_back(random_partition(random, classes, random.between(1, 4)));
    }
    const unsigned everything = (1U << count) - 1;
    const PairSet all = parted_by_choice(inputs, everything);
    int least = static_cast<int>(count);
    std::set<unsigned> smallest;
    for (unsigned chosen = 0; chosen <= everything; ++chosen) {
      if (parted_by_choice(inputs, chosen) != all || std::popcount(chosen) > least) continue;
      if (std::popcount(chosen) < least) smallest.clear();
      least = std::popcount(chosen);
      smallest.insert(chosen);
    }
    const Cover cover = least_cover(inputs);
    EXPECT_EQ(cover.chosen.size(), static_cast<std::size_t>(least));
    EXPECT_TRUE(cover.is_least());
    std::set<unsigned> given;
    EXPECT_TRUE(each_cover(inputs, cover.chosen.size(), [&](const std::vector<std::size_t>& c) {
      unsigned chosen = 0;
      for (std::size_t i : c) chosen |= 1U << i;
      EXPECT_TRUE(given.insert(chosen).second) << "given twice";
      return true;
    }));
    EXPECT_EQ(given, smallest);
  }
}

TEST(Covers, StateTheProvedBoundIfTheSearchIsStopped) {
  SplitMix random(2);
  std::vector<Partition> inputs;
  for (int i = 0; i < 60; ++i) inputs.push_back(random_partition(random, 40, 2));
  const Cover cover = least_cover(inputs, 10);
  unsigned long parts = 0;
  PairSet all(pair_count(40));
  for (std::size_t i : cover.chosen) all |= parted_by(inputs[i]);
  for (const Partition& p : inputs) parts += (parted_by(p) - all).count();
  EXPECT_EQ(parts, 0U);
  EXPECT_LE(cover.least, cover.chosen.size());
  EXPECT_GE(cover.least, 6U) << "40 classes, 2 answers";
}

/// The smallest total number of questions for a set of classes, by trying all trees.
std::size_t questions_of_best_tree(const std::vector<Partition>& inputs,
                                   const std::vector<std::size_t>& set) {
  std::size_t best = 0;
  bool found = false;
  for (const Partition& input : inputs) {
    std::map<std::uint16_t, std::vector<std::size_t>> parts;
    for (std::size_t c : set) parts[input[c]].push_back(c);
    if (parts.size() < 2) continue;
    std::size_t sum = set.size();
    for (const auto& [block, part] : parts) sum += questions_of_best_tree(inputs, part);
    if (!found || sum < best) best = sum;
    found = true;
  }
  return best;
}

/// Follows the tree for a class. Returns the number of questions; the leaf must contain the class.
std::size_t questions_for(const DecisionTree& tree, const std::vector<Partition>& inputs,
                          std::size_t c) {
  std::size_t node = 0;
  std::size_t questions = 0;
  while (tree.nodes[node].input) {
    ++questions;
    const Partition& input = inputs[*tree.nodes[node].input];
    std::size_t next = 0;
    for (std::size_t child : tree.nodes[node].children) {
      if (input[tree.nodes[child].classes[0]] == input[c]) next = child;
    }
    EXPECT_NE(next, 0U);
    if (next == 0) return questions;
    node = next;
  }
  const auto& left = tree.nodes[node].classes;
  EXPECT_NE(std::find(left.begin(), left.end(), c), left.end());
  for (std::size_t other : left) {
    for (const Partition& input : inputs) EXPECT_EQ(input[other], input[c]);
  }
  return questions;
}

TEST(Trees, AskTheFewestQuestionsOfAllTrees) {
  SplitMix random(3);
  for (int trial = 0; trial < 300; ++trial) {
    const auto classes = static_cast<std::size_t>(random.between(1, 7));
    std::vector<Partition> inputs;
    for (int i = random.between(1, 5); i > 0; --i) {
      inputs.push_back(random_partition(random, classes, random.between(1, 3)));
    }
    std::vector<std::size_t> all;
    for (std::size_t c = 0; c < classes; ++c) all.push_back(c);
    const DecisionTree tree = best_tree(inputs, classes);
    EXPECT_TRUE(tree.is_least);
    EXPECT_EQ(tree.questions, questions_of_best_tree(inputs, all));
    std::size_t sum = 0;
    std::size_t deepest = 0;
    for (std::size_t c : all) {
      const std::size_t questions = questions_for(tree, inputs, c);
      sum += questions;
      deepest = std::max(deepest, questions);
    }
    EXPECT_EQ(sum, tree.questions);
    EXPECT_EQ(deepest, tree.deepest());
  }
}

TEST(Trees, AreValidIfTheSearchIsStopped) {
  SplitMix random(4);
  std::vector<Partition> inputs;
  for (int i = 0; i < 40; ++i) inputs.push_back(random_partition(random, 30, 2));
  const DecisionTree tree = best_tree(inputs, 30, 50);
  EXPECT_FALSE(tree.is_least);
  std::size_t sum = 0;
  for (std::size_t c = 0; c < 30; ++c) sum += questions_for(tree, inputs, c);
  EXPECT_EQ(sum, tree.questions);
}

TEST(Pools, DistinguishEveryPairThatSomeInputDistinguishes) {
  SplitMix random(5);
  for (const std::size_t most : {4U, 1000U}) {
    Pool pool(12, most);
    PairSet all(pair_count(12));
    for (int i = 0; i < 300; ++i) {
      const Partition p = random_partition(random, 12, random.between(1, 3));
      pool.add({i}, p);
      EXPECT_FALSE(pool.is_new(p));
      all |= parted_by(p);
      PairSet kept(pair_count(12));
      for (const PooledInput& known : pool.all()) {
        EXPECT_EQ(known.parted, parted_by(known.partition));
        kept |= known.parted;
      }
      ASSERT_EQ(kept, all);
      ASSERT_EQ(pool.parted(), all);
    }
    for (const PooledInput& x : pool.all()) {
      for (const PooledInput& y : pool.all()) {
        EXPECT_TRUE(&x == &y || !x.parted.is_subset_of(y.parted));
      }
    }
  }
}

}  // namespace
}  // namespace mmaspec::choice_test
