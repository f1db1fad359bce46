#include "queries/studies/suite/decision_tree.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace mmaspec {
namespace {

using Classes = std::vector<std::size_t>;

class TreeSearch {
 public:
  TreeSearch(const std::vector<Partition>& inputs, std::size_t steps, const Deadline& deadline)
      : inputs_(inputs), steps_(steps), deadline_(deadline) {}

  DecisionTree run(std::size_t classes) {
    Classes all(classes);
    std::iota(all.begin(), all.end(), 0);
    DecisionTree tree;
    tree.questions = cost(all);
    add(tree, all);
    tree.is_least = !cut_short_;
    return tree;
  }

 private:
  struct Best {
    std::size_t questions = 0;
    std::optional<std::size_t> input;
  };

  std::vector<Classes> split(const Classes& set, std::size_t input) const {
    std::map<std::uint16_t, std::size_t> place;
    std::vector<Classes> parts;
    for (std::size_t c : set) {
      const auto [it, is_new] = place.try_emplace(inputs_[input][c], parts.size());
      if (is_new) parts.emplace_back();
      parts[it->second].push_back(c);
    }
    return parts;
  }

  bool splits(const Classes& set, std::size_t input) const {
    return std::any_of(set.begin(), set.end(),
                       [&](std::size_t c) { return inputs_[input][c] != inputs_[input][set[0]]; });
  }

  /// A lower bound for the number of questions that a set still needs with any inputs: one for each
  /// class if any input splits the set.
  std::size_t at_least(const Classes& set) const {
    if (set.size() < 2) return 0;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      if (splits(set, i)) return set.size();
    }
    return 0;
  }

  std::size_t at_least(const std::vector<Classes>& parts, std::size_t from) const {
    std::size_t sum = 0;
    for (std::size_t i = from; i < parts.size(); ++i) sum += at_least(parts[i]);
    return sum;
  }

  /// The total number of questions for all classes of the set.
  std::size_t cost(const Classes& set) {
    if (set.size() < 2) return 0;
    const auto known = best_.find(set);
    if (known != best_.end()) return known->second.questions;
    struct Choice {
      std::size_t input;
      std::size_t bound;
    };
    std::vector<Choice> choices;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      if (!splits(set, i)) continue;
      choices.push_back({i, set.size() + at_least(split(set, i), 0)});
    }
    std::stable_sort(choices.begin(), choices.end(),
                     [](const Choice& x, const Choice& y) { return x.bound < y.bound; });
    Best best;
    for (const Choice& choice : choices) {
      if (best.input && choice.bound >= best.questions) break;
      if (best.input && is_over()) break;
      const std::vector<Classes> parts = split(set, choice.input);
      std::size_t questions = set.size();
      for (std::size_t i = 0; i < parts.size(); ++i) {
        if (best.input && questions + at_least(parts, i) >= best.questions) {
          questions = best.questions;  // it cannot be better
          break;
        }
        questions += cost(parts[i]);
      }
      if (!best.input || questions < best.questions) best = {questions, choice.input};
    }
    return best_.emplace(set, best).first->second.questions;
  }

  bool is_over() {
    if (steps_ > 0) --steps_;
    if (steps_ == 0 || (steps_ % 64 == 0 && deadline_.passed())) cut_short_ = true;
    return cut_short_;
  }

  std::size_t add(DecisionTree& tree, const Classes& set) {
    const std::size_t number = tree.nodes.size();
    tree.nodes.push_back({set, {}, {}});
    const auto best = best_.find(set);
    if (best == best_.end() || !best->second.input) return number;
    tree.nodes[number].input = best->second.input;
    for (const Classes& part : split(set, *best->second.input)) {
      const std::size_t child = add(tree, part);
      tree.nodes[number].children.push_back(child);
    }
    return number;
  }

  const std::vector<Partition>& inputs_;
  std::size_t steps_;
  const Deadline deadline_;
  std::map<Classes, Best> best_;
  bool cut_short_ = false;
};

std::size_t depth(const DecisionTree& tree, std::size_t node) {
  std::size_t deepest = 0;
  for (std::size_t child : tree.nodes[node].children) {
    deepest = std::max(deepest, depth(tree, child) + 1);
  }
  return deepest;
}

}  // namespace

double DecisionTree::expected() const {
  const std::size_t classes = nodes.empty() ? 0 : nodes[0].classes.size();
  return classes == 0 ? 0 : static_cast<double>(questions) / static_cast<double>(classes);
}

std::size_t DecisionTree::deepest() const { return nodes.empty() ? 0 : depth(*this, 0); }

DecisionTree best_tree(const std::vector<Partition>& inputs, std::size_t classes, std::size_t steps,
                       const Deadline& deadline) {
  return TreeSearch(inputs, steps, deadline).run(classes);
}

}  // namespace mmaspec
