#pragma once
/// Inputs asked one after the other, each chosen by the answers before: the tree with the fewest
/// questions on average, all classes being equally likely.

#include <optional>
#include <vector>

#include "queries/studies/suite/partition.h"
#include "util/deadline.h"

namespace mmaspec {

/// A question, or what is left when no further one helps.
struct TreeNode {
  std::vector<std::size_t> classes;   ///< that fit the answers so far; ascending
  std::optional<std::size_t> input;   ///< what is asked; none: `classes` is the answer
  std::vector<std::size_t> children;  ///< nodes, one for each answer, by the first of its classes
};

struct DecisionTree {
  std::vector<TreeNode> nodes;  ///< the root first
  std::size_t questions = 0;    ///< summed over all classes
  bool is_least = false;        ///< no tree of these inputs asks fewer
  double expected() const;      ///< questions, on average
  std::size_t deepest() const;  ///< questions, at most
};

/// The best tree by dynamic programming over the sets of classes that answers leave; where that
/// needs more than so many steps, or the deadline passes, further questions are those that split
/// most evenly.
DecisionTree best_tree(const std::vector<Partition>& inputs, std::size_t classes,
                       std::size_t steps = 2'000'000, const Deadline& deadline = {});

}  // namespace mmaspec
