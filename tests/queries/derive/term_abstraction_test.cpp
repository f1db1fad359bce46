// Merging terms that sums use only together: satisfiable conditions remain satisfiable, by all
// inputs of small random graphs; terms that are used separately remain.

#include "queries/derive/term_abstraction.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "concrete/evaluator.h"
#include "queries/ask/question.h"
#include "spec/lang/int.h"

namespace mmaspec::term_abstraction_test {
namespace {

std::vector<NodeId> ids(const std::vector<Bool>& conditions) {
  std::vector<NodeId> all;
  for (Bool b : conditions) all.push_back(b.id());
  return all;
}

bool satisfies(const ExactEvaluator& evaluator, const std::vector<NodeId>& conditions,
               const InputValues& inputs, ExactEvaluator::Values& values) {
  try {
    evaluator.evaluate(inputs, values);
  } catch (const ClaimViolated&) {
    return false;  // the claim's condition does not hold
  }
  return std::all_of(conditions.begin(), conditions.end(),
                     [&](NodeId c) { return values[c] != 0; });
}

/// By trying all inputs.
bool is_satisfiable(const Graph& graph, const std::vector<NodeId>& conditions) {
  const ExactEvaluator evaluator(graph, conditions);
  ExactEvaluator::Values values = evaluator.scratch();
  InputValues inputs(graph.inputs().size());
  while (true) {
    if (satisfies(evaluator, conditions, inputs, values)) return true;
    std::size_t i = 0;
    for (; i < inputs.size(); ++i) {
      if (++inputs[i] < power_of_two(graph[graph.inputs()[i]].width)) break;
      inputs[i] = 0;
    }
    if (i == inputs.size()) return false;
  }
}

std::size_t inputs_of(const Graph& graph, const std::vector<NodeId>& conditions) {
  std::size_t count = 0;
  for (NodeId n : graph.cone(conditions)) count += graph[n].op == Op::input ? 1 : 0;
  return count;
}

TEST(MergedTerms, AreOneVariableForEachPart) {
  Graph graph;
  std::vector<NodeId> conditions;
  {
    const Graph::Building building(graph);
    const Int c = input("c", 4) - 8;
    Int first = c;
    Int second = 0;
    for (int i = 0; i < 4; ++i) {
      const Int product = input("a" + std::to_string(i), 2) * input("b" + std::to_string(i), 2);
      (i < 2 ? first : second) = (i < 2 ? first : second) + product;
    }
    conditions = ids({min(min(first, 7) + second, 7) != min(first + second, 7)});
  }
  ASSERT_EQ(inputs_of(graph, conditions), 9U);
  Graph merged;
  const Graph::Building building(merged);
  const auto all = with_terms_merged(graph, conditions);
  ASSERT_TRUE(all.has_value());
  EXPECT_EQ(inputs_of(merged, *all), 2U);  // c and the first two products; the others
  EXPECT_FALSE(is_satisfiable(merged, *all));
}

TEST(MergedTerms, AreNotUsedElsewhere) {
  Graph graph;
  std::vector<NodeId> conditions;
  {
    const Graph::Building building(graph);
    const Int x = input("x", 2);
    const Int y = input("y", 2);
    const Int z = input("z", 2);
    conditions = ids({min(x + y + z, 4) == min(x + y, 3) + z, max(x, y) < z});
  }
  Graph merged;
  const Graph::Building building(merged);
  EXPECT_FALSE(with_terms_merged(graph, conditions).has_value());
}

TEST(MergedTerms, PreserveSatisfiability) {
  std::mt19937 random(7);
  const auto drawn = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  int merged_some = 0;
  int is_unsat = 0;
  for (int i = 0; i < 400; ++i) {
    Graph graph;
    std::vector<NodeId> conditions;
    {
      const Graph::Building building(graph);
      std::vector<Int> terms;
      std::vector<Bool> all;
      for (int t = 0; t < 4; ++t) {
        const Int x = input("x" + std::to_string(t), 2);
        const Int low = drawn(3) - 2;
        terms.push_back(drawn(3) == 0 ? x * (x + low) : x + low);
        if (drawn(3) == 0) all.push_back(x <= 1 + drawn(2));
      }
      const std::vector<int> factors{1, 1, 2, -1, 3};
      std::vector<Int> sums;
      std::vector<int> factor;
      for (int t = 0; t < 4; ++t) factor.push_back(factors[static_cast<std::size_t>(drawn(5))]);
      for (int s = 0; s < 2; ++s) {
        Int sum = drawn(5) - 2;
        for (std::size_t t = 0; t < terms.size(); ++t) {
          const bool half = s == 0 && t >= 2;
          if (!half) sum = sum + terms[t] * factor[t];
        }
        sums.push_back(sum);
      }
      const Int saturated =
          min(sums[0], Int(drawn(6))) + terms[2] * factor[2] + terms[3] * factor[3];
      all.push_back(min(saturated, 5) > min(sums[1], 5) + drawn(4) - 1);
      if (drawn(4) == 0) all.push_back(abs(terms[0]) < 2);
      conditions = ids(all);
    }
    Graph merged;
    const Graph::Building building(merged);
    const auto all = with_terms_merged(graph, conditions);
    if (!all) continue;
    ++merged_some;
    const bool of_merged = is_satisfiable(merged, *all);
    is_unsat += of_merged ? 0 : 1;
    EXPECT_TRUE(of_merged || !is_satisfiable(graph, conditions)) << i;
  }
  EXPECT_GT(merged_some, 100);
  EXPECT_GT(is_unsat, 10);
}

}  // namespace
}  // namespace mmaspec::term_abstraction_test
