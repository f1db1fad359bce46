// Copies of random expressions: with replaced nodes they still agree with the original.

#include "spec/lang/substitute.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "concrete/evaluator.h"
#include "encoder/encode.h"
#include "spec/lang/print.h"
#include "tests/support/lang/random.h"

namespace mmaspec::lang_test::substitute_test {
namespace {

using Named = std::map<std::string, Integer>;

const std::vector<unsigned> kWidths{3, 3, 2};

/// The original's values of all nodes under its roots.
class Original {
 public:
  explicit Original(const RandomGraph& r)
      : graph_(*r.graph), evaluator_(graph_, r.roots), values_(evaluator_.scratch()) {}
  const ExactEvaluator::Values& at(const std::vector<Integer>& inputs) {
    evaluator_.evaluate(inputs, values_);
    return values_;
  }
  Named named(const std::vector<Integer>& inputs) const {
    Named all;
    for (std::size_t i = 0; i < graph_.inputs().size(); ++i) {
      all[graph_.input_name(graph_.inputs()[i])] = inputs[i];
    }
    return all;
  }
  const std::vector<NodeId>& nodes() const { return evaluator_.nodes(); }

 private:
  const Graph& graph_;
  ExactEvaluator evaluator_;
  ExactEvaluator::Values values_;
};

/// A copy of all roots, with the facts on which it relies.
class Copied {
 public:
  template <typename Change>
  Copied(const RandomGraph& r, const Change& change) {
    const Graph::Building building(graph_);
    Substitution copy(*r.graph);
    change(copy);
    for (NodeId root : r.roots) {
      roots_.push_back(is_boolean((*r.graph)[root].op) ? copy.boolean(root).id()
                                                       : copy.integer(root).id());
    }
    for (Bool fact : copy.facts()) facts_.push_back(fact.id());
    std::vector<NodeId> all = roots_;
    all.insert(all.end(), facts_.begin(), facts_.end());
    evaluator_.emplace(graph_, all);
    values_ = evaluator_->scratch();
  }

  void evaluate(const Named& inputs) {
    std::vector<Integer> given;
    for (NodeId i : graph_.inputs()) given.push_back(inputs.at(graph_.input_name(i)));
    evaluator_->evaluate(given, values_);  // ClaimViolated: a claim that is not a fact
    evaluator_->check_ranges(values_);
  }
  bool facts_hold() const {
    return std::all_of(facts_.begin(), facts_.end(), [&](NodeId f) { return values_[f] == 1; });
  }
  std::size_t facts() const { return facts_.size(); }
  const Integer& root(std::size_t i) const { return values_[roots_[i]]; }
  const Graph& graph() const { return graph_; }
  const std::vector<NodeId>& roots() const { return roots_; }

 private:
  Graph graph_;
  std::vector<NodeId> roots_;
  std::vector<NodeId> facts_;
  std::optional<ExactEvaluator> evaluator_;
  ExactEvaluator::Values values_;
};

void expect_roots(const Copied& copied, const RandomGraph& r, std::size_t i) {
  ASSERT_TRUE(copied.facts_hold());
  for (std::size_t k = 0; k < r.roots.size(); ++k) {
    ASSERT_EQ(copied.root(k), r.values[i][k]) << print(*r.graph, {r.roots[k]});
  }
}

template <typename Test>
void for_random_graphs(int count, const Test& test) {
  for (int seed = 0; seed < rounds(count); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto s = static_cast<std::uint64_t>(seed);
    const RandomGraph r = random_graph(s, kWidths, 30);
    std::mt19937_64 random(s);
    test(r, random);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(Substitution, CopiesAreEqual) {
  for_random_graphs(60, [](const RandomGraph& r, std::mt19937_64&) {
    Original original(r);
    Copied copied(r, [](Substitution&) {});
    EXPECT_EQ(copied.facts(), 0U);
    for (std::size_t i = 0; i < r.inputs.size(); ++i) {
      ASSERT_NO_THROW(copied.evaluate(original.named(r.inputs[i])));
      expect_roots(copied, r, i);
    }
  });
}

// A node is replaced by a variable of whole bits, whose range is larger than the node's: lost
// knowledge about users must be stated as facts, which hold whenever the variable has the node's
// value.
TEST(Substitution, FreeVariablesPreserveFacts) {
  std::size_t facts = 0;
  for_random_graphs(150, [&](const RandomGraph& r, std::mt19937_64& random) {
    Original original(r);
    std::map<NodeId, Integer> freed;  // and the number from which the variables are counted
    Copied copied(r, [&](Substitution& copy) {
      const std::size_t count = 1 + random() % 4;
      for (std::size_t n = 0; n < count; ++n) {
        const NodeId node = original.nodes()[random() % original.nodes().size()];
        const Node& from = (*r.graph)[node];
        if (copy.determines(node) || from.range.is_point()) continue;
        const std::string name = "free " + std::to_string(node);
        if (is_boolean(from.op)) {
          copy.replace(node, input(name, 1) == 1);
          freed[node] = 0;
        } else {
          const Integer size = from.range.high - from.range.low;
          copy.replace(node, input(name, bit_length(size)) + from.range.low);
          freed[node] = from.range.low;
        }
      }
    });
    facts += copied.facts();
    for (std::size_t i = 0; i < r.inputs.size(); ++i) {
      const ExactEvaluator::Values& values = original.at(r.inputs[i]);
      Named named = original.named(r.inputs[i]);
      for (const auto& [node, low] : freed) {
        named["free " + std::to_string(node)] = values[node] - low;
      }
      ASSERT_NO_THROW(copied.evaluate(named));
      expect_roots(copied, r, i);
    }
  });
  EXPECT_GT(facts, 100U);  // otherwise the test is not meaningful
}

TEST(Substitution, ConstantsFold) {
  for_random_graphs(40, [](const RandomGraph& r, std::mt19937_64& random) {
    for (int n = 0; n < 8; ++n) {
      const std::size_t i = random() % r.inputs.size();
      Copied copied(r, [&](Substitution& copy) {
        for (std::size_t x = 0; x < kWidths.size(); ++x) {
          copy.replace(r.graph->inputs()[x], Int(r.inputs[i][x]));
        }
      });
      ASSERT_TRUE(copied.graph().inputs().empty());
      for (std::size_t k = 0; k < r.roots.size(); ++k) {
        const Range& range = copied.graph()[copied.roots()[k]].range;
        ASSERT_TRUE(range.is_point()) << print(*r.graph, {r.roots[k]});
        ASSERT_EQ(range.low, r.values[i][k]) << print(*r.graph, {r.roots[k]});
      }
    }
  });
}

TEST(Substitution, ReplacesAnInputByAConstant) {
  for_random_graphs(60, [](const RandomGraph& r, std::mt19937_64& random) {
    const Integer value = random() % 8;
    Original original(r);
    Copied copied(r, [&](Substitution& copy) { copy.replace(r.graph->inputs()[1], Int(value)); });
    for (std::size_t i = 0; i < r.inputs.size(); ++i) {
      if (r.inputs[i][1] != value) continue;
      ASSERT_NO_THROW(copied.evaluate(original.named(r.inputs[i])));
      expect_roots(copied, r, i);
    }
  });
}

// Values known under a question's conditions; other inputs are not considered.
TEST(Substitution, KnownValuesAreCorrect) {
  for_random_graphs(100, [](const RandomGraph& r, std::mt19937_64& random) {
    Original original(r);
    const NodeId node = original.nodes()[random() % original.nodes().size()];
    const Integer value = original.at(r.inputs[random() % r.inputs.size()])[node];
    Copied copied(r, [&](Substitution& copy) {
      if (copy.determines(node)) return;
      if (is_boolean((*r.graph)[node].op)) {
        copy.replace(node, Bool(value != 0));
      } else {
        copy.replace(node, Int(value));
      }
    });
    for (std::size_t i = 0; i < r.inputs.size(); ++i) {
      if (original.at(r.inputs[i])[node] != value) continue;
      ASSERT_NO_THROW(copied.evaluate(original.named(r.inputs[i])));
      expect_roots(copied, r, i);
    }
  });
}

/// A graph with expressions that depend on a sum to be replaced.
struct Sums {
  Graph graph;
  NodeId x, y, sum, negated, shifted, negated_and_shifted, doubled, other;
  Sums() {
    const Graph::Building building(graph);
    const Int a = input("x", 4);
    const Int b = input("y", 4);
    x = a.id();
    y = b.id();
    sum = (3 * a - 2 * b + 5).id();
    negated = (2 * b - 3 * a - 5).id();
    shifted = (3 * a - 2 * b - 100).id();
    negated_and_shifted = (2 * b - 3 * a + 7).id();
    doubled = (6 * a - 4 * b + 10).id();
    other = (3 * a + 2 * b).id();
  }
};

TEST(Substitution, ReplacesSumsThatDifferBySignOrConstant) {
  const Sums from;
  Graph to;
  const Graph::Building building(to);
  Substitution copy(from.graph);
  const Int v = input("v", 9) - 60;
  copy.replace(from.sum, v);
  for (NodeId n : {from.sum, from.negated, from.shifted, from.negated_and_shifted}) {
    EXPECT_TRUE(copy.determines(n));
  }
  for (NodeId n : {from.x, from.doubled, from.other}) EXPECT_FALSE(copy.determines(n));
  // Claims of the original's range may be about them.
  const std::vector<NodeId> roots{copy.integer(from.sum).id(), copy.integer(from.negated).id(),
                                  copy.integer(from.shifted).id(),
                                  copy.integer(from.negated_and_shifted).id()};
  EXPECT_EQ(to.inputs().size(), 1U);  // x and y are not needed
  const ExactEvaluator evaluator(to, roots);
  ExactEvaluator::Values values = evaluator.scratch();
  for (int sum = -25; sum <= 50; ++sum) {
    evaluator.evaluate({sum + 60}, values);
    EXPECT_EQ(values[roots[0]], sum);
    EXPECT_EQ(values[roots[1]], -sum);
    EXPECT_EQ(values[roots[2]], sum - 105);
    EXPECT_EQ(values[roots[3]], 12 - sum);
  }
}

TEST(Substitution, ReplacesSumsWhoseFirstCoefficientIsNegative) {
  const Sums from;
  Graph to;
  const Graph::Building building(to);
  Substitution copy(from.graph);
  copy.replace(from.negated_and_shifted, Int(4));  // 3x - 2y = 3
  EXPECT_EQ(copy.integer(from.sum).range(), (Range{8, 8}));
  EXPECT_EQ(copy.integer(from.negated).range(), (Range{-8, -8}));
  EXPECT_EQ(copy.integer(from.shifted).range(), (Range{-97, -97}));
  EXPECT_TRUE(copy.facts().empty());
}

TEST(Substitution, RefusesWhatContradictsARange) {
  const Sums from;
  Graph to;
  const Graph::Building building(to);
  Substitution copy(from.graph);
  copy.replace(from.sum, Int(1000));  // at most 50
  EXPECT_THROW((void)copy.integer(from.shifted), std::logic_error);
}

TEST(Substitution, StatesALostRangeAsAFact) {
  const Sums from;
  Graph to;
  const Graph::Building building(to);
  Substitution copy(from.graph);
  copy.replace(from.sum, input("v", 9) - 60);
  const Int shifted = copy.integer(from.shifted);
  EXPECT_EQ(shifted.range(), from.graph[from.shifted].range);
  ASSERT_EQ(copy.facts().size(), 1U);
  const NodeId fact = copy.facts()[0].id();
  const ExactEvaluator evaluator(to, {fact});
  ExactEvaluator::Values values = evaluator.scratch();
  for (int v = 0; v < 512; ++v) {
    evaluator.evaluate({v}, values);
    EXPECT_EQ(values[fact] == 1, -25 <= v - 60 && v - 60 <= 50) << v;
  }
}

TEST(Substitution, KeepsTheNamesOfInputs) {
  const Sums from;
  Graph to;
  const Graph::Building building(to);
  Substitution copy(from.graph);
  (void)copy.integer(from.other);
  ASSERT_EQ(to.inputs().size(), 2U);
  EXPECT_EQ(copy.integer(from.x).id(), to.input("x", 4));
  EXPECT_EQ(copy.integer(from.y).id(), to.input("y", 4));
}

}  // namespace
}  // namespace mmaspec::lang_test::substitute_test
