// All inputs of a question, if few bits are free: the answer is that of trying each pattern.

#include <gtest/gtest.h>

#include "concrete/evaluator.h"
#include "queries/ask/search.h"
#include "util/split_mix.h"

namespace mmaspec::enumeration_test {
namespace {

Portfolio solvers() { return Portfolio("auto", Limits{20}); }

bool holds(const Question& question, const Answer& answer) {
  InputValues values;
  for (const NodeId i : question.graph->inputs()) {
    values.push_back(answer.model.at(question.graph->input_name(i)));
  }
  const ExactEvaluator evaluator(*question.graph, question.conditions);
  ExactEvaluator::Values all = evaluator.scratch();
  evaluator.evaluate(values, all);
  return std::all_of(question.conditions.begin(), question.conditions.end(),
                     [&](NodeId c) { return all[c] != 0; });
}

// The conditions fix all of x except its sign, z occurs in no condition, and y is small.
TEST(Enumeration, CountsNoBitThatConditionsFix) {
  Graph graph;
  const Graph::Building building(graph);
  const Int x = input("x", 32);
  const Int y = input("y", 9);
  input("z", 60);
  const Bool zero = bits(x, 0, 31) == 0;
  const auto ask = [&](Bool condition) {
    const Question question{&graph, {zero.id(), condition.id()}};
    const Enumeration all(question, solvers(), {});
    EXPECT_TRUE(all.is_possible());
    const Answer answer = all.run();
    EXPECT_TRUE(answer.verdict != Verdict::satisfiable || holds(question, answer));
    return answer.verdict;
  };
  EXPECT_EQ(ask(x + y == power_of_two(31) + 511), Verdict::satisfiable);
  EXPECT_EQ(ask(x + y == power_of_two(31) + 512), Verdict::unsatisfiable);
  EXPECT_EQ(ask(x + y == power_of_two(31) - 1), Verdict::unsatisfiable);
  EXPECT_EQ(ask(x + y == 0), Verdict::satisfiable);
  // No solver confirms the fixed bits, or no bits are fixed.
  const Question question{&graph, {zero.id(), (x + y == 3).id()}};
  EXPECT_FALSE(Enumeration(question, no_solvers(), {}).is_possible());
  const Question wide{&graph, {(x > 7).id(), (x + y == 3).id()}};
  EXPECT_FALSE(Enumeration(wide, solvers(), {}).is_possible());
}

// Fixed bits are anywhere: all values of the free bits are tried.
TEST(Enumeration, FindsTheOnlyInput) {
  SplitMix random(3);
  for (int round = 0; round < 200; ++round) {
    Graph graph;
    const Graph::Building building(graph);
    std::vector<NodeId> conditions;
    std::vector<Int> inputs;
    std::vector<Integer> wanted;
    int free = 0;
    for (const unsigned width : {14U, 16U, 11U}) {
      const Int x = input("x" + std::to_string(width), width);
      const std::uint64_t value = random() & ((1U << width) - 1);
      std::uint64_t fixed = 0;
      for (int i = 0; i < 3; ++i) fixed |= random();
      for (unsigned i = 0; i < width; ++i) {
        if ((fixed >> i & 1) == 0 && ++free <= 12) continue;
        conditions.push_back((bits(x, i, 1) == Int(static_cast<int>(value >> i & 1))).id());
      }
      inputs.push_back(x);
      wanted.emplace_back(value);
    }
    const Int sum = inputs[0] + 3 * inputs[1] * inputs[2];
    const Integer found = wanted[0] + 3 * wanted[1] * wanted[2];
    std::vector<NodeId> with = conditions;
    with.push_back(all_of({sum == found, inputs[0] == wanted[0], inputs[1] == wanted[1]}).id());
    const Question question{&graph, with};
    const Answer answer = Enumeration(question, no_solvers(), {}).run();
    ASSERT_EQ(answer.verdict, Verdict::satisfiable) << round;
    EXPECT_TRUE(holds(question, answer));
    with.push_back((inputs[0] + inputs[1] != Integer(wanted[0] + wanted[1])).id());
    const Question none{&graph, with};
    EXPECT_EQ(Enumeration(none, no_solvers(), {}).run().verdict, Verdict::unsatisfiable);
  }
}

TEST(Enumeration, EndsWithTheDeadline) {
  Graph graph;
  const Graph::Building building(graph);
  const Int x = input("x", 20);
  const Question question{&graph, {(x * x == 7).id()}};
  const Enumeration all(question, no_solvers(), {});
  ASSERT_TRUE(all.is_possible());
  EXPECT_EQ(all.run(Deadline::in(0)).verdict, Verdict::unknown);
  EXPECT_EQ(all.run().verdict, Verdict::unsatisfiable);
}

}  // namespace
}  // namespace mmaspec::enumeration_test
