#pragma once
/// Decision trees: inputs asked in sequence, each chosen by the earlier answers. The goal is the
/// least average number of questions, with all classes equally likely.

#include <optional>
#include <vector>

#include "queries/studies/suite/partition.h"
#include "util/deadline.h"

namespace mmaspec {

/// A question, or the classes that are left if no further question helps.
struct TreeNode {
  std::vector<std::size_t> classes;   ///< classes that fit the answers so far, ascending
  std::optional<std::size_t> input;   ///< the input to ask; nullopt: `classes` is the answer
  std::vector<std::size_t> children;  ///< node indices, one for each answer, ordered by the first
                                      ///< of its classes
};

struct DecisionTree {
  std::vector<TreeNode> nodes;  ///< the root is first
  std::size_t questions = 0;    ///< total over all classes
  bool is_least = false;        ///< no tree of these inputs has a smaller total
  double expected() const;      ///< average number of questions
  std::size_t deepest() const;  ///< largest number of questions
};

/// The best tree by dynamic programming over the sets of classes that answers leave. After `steps`
/// steps or the deadline, further questions are those that split most evenly.
DecisionTree best_tree(const std::vector<Partition>& inputs, std::size_t classes,
                       std::size_t steps = 2'000'000, const Deadline& deadline = {});

}  // namespace mmaspec
