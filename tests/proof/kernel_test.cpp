// The proof kernel: ranges and circuits compared with plain arithmetic for all inputs of random
// graphs, and accepted steps compared with the truth for all inputs.

#include "proof/kernel/kernel.h"

#include <gtest/gtest.h>

#include "proof/recorded/cadical.h"
#include "tests/proof/drawn_graph.h"
#include "tests/proof/propagation.h"
#include "tests/support/cli/process.h"

namespace mmaspec::kernel::kernel_test {
namespace {

using cli_test::Folder;

TEST(KernelRanges, HoldAllValues) {
  std::size_t checked = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    const DrawnGraph drawn(seed, 24);
    for (const std::vector<Integer>& values : drawn.all_values()) {
      for (std::size_t i = 0; i < values.size(); ++i, ++checked) {
        ASSERT_TRUE(drawn.ranges[i].holds(values[i]))
            << "seed " << seed << ": " << to_json(drawn.goal.graph, static_cast<NodeId>(i));
      }
    }
  }
  EXPECT_GT(checked, 500'000U);
}

// Bounds that interval arithmetic does not find.
TEST(KernelRanges, KnowMembersBranchesAndLengths) {
  Goal goal;
  std::vector<Range> ranges;
  const auto add = [&](Node n, const std::string& name = "") {
    const NodeId id = goal.graph.add(std::move(n), name);
    extend_ranges(goal.graph, ranges);
    return id;
  };
  const auto input = [&](const std::string& name) {
    Node n{};
    n.op = Op::input;
    n.width = 4;
    return add(n, name);
  };
  const auto sum = [&](std::vector<NodeId> args, std::vector<Integer> coefficients, int value) {
    Node n{};
    n.op = Op::sum;
    n.args = std::move(args);
    n.coefficients = std::move(coefficients);
    n.value = value;
    return add(n);
  };
  const auto of = [&](Op op, std::vector<NodeId> args) {
    Node n{};
    n.op = op;
    n.args = std::move(args);
    return add(n);
  };
  const NodeId x = input("x");
  const NodeId y = input("y");
  const NodeId z = input("z");
  const NodeId largest = of(Op::maximum, {x, y, z});
  const NodeId fewer = of(Op::maximum, {x, y});
  EXPECT_EQ(ranges[sum({largest, x}, {1, -1}, 0)], (Range{0, 15}));
  EXPECT_EQ(ranges[sum({largest, fewer}, {1, -1}, 0)], (Range{0, 15}));
  EXPECT_EQ(ranges[sum({of(Op::minimum, {x, y}), x}, {1, -1}, 0)], (Range{-15, 0}));
  const NodeId condition = of(Op::less, {x, y});
  const NodeId one = of(Op::select, {condition, x, y});
  EXPECT_EQ(ranges[sum({one, of(Op::select, {condition, sum({x}, {1}, 1), y})}, {-1, 1}, 0)],
            (Range{0, 1}));
  const NodeId length = of(Op::bit_length, {x});
  EXPECT_EQ(ranges[of(Op::shift_left, {x, sum({length}, {-1}, 4)})], (Range{0, 15}));
  EXPECT_EQ(ranges[of(Op::floor_shift_right, {x, length})], (Range{0, 0}));
  EXPECT_EQ(ranges[of(Op::shift_left, {of(Op::floor_shift_right, {x, y}), y})].high, 15);
}

// With all inputs fixed, unit propagation finds exactly the value of each node.
TEST(KernelCircuits, ComputeTheNodes) {
  std::size_t checked = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    DrawnGraph drawn(seed, 14);
    const auto all = drawn.all_values();
    const auto root = static_cast<NodeId>(drawn.goal.graph.nodes.size() - 1);
    for (const std::vector<Integer>& values : all) {
      Kernel kernel(drawn.goal);
      Step step;
      for (std::size_t i = 0; i <= root; ++i) {
        if (drawn.goal.graph.nodes[i].op != Op::input) continue;
        const NodeId value = kernel.define(constant(values[i]));
        step.refuted.push_back({kernel.define(binary(Op::equal, static_cast<NodeId>(i), value))});
      }
      const NodeId value = kernel.define(constant(values[root]));
      const NodeId is_value = kernel.define(binary(Op::equal, root, value));
      step.refuted.push_back({is_value});
      EXPECT_EQ(propagate(kernel.clauses_of(step)), Propagated::model) << seed;
      step.refuted.back().negated = true;
      EXPECT_EQ(propagate(kernel.clauses_of(step)), Propagated::conflict) << seed;
      ++checked;
    }
  }
  EXPECT_GT(checked, 4000U);
}

/// Random steps, which are added if CaDiCaL finds a proof.
TEST(Kernel, AdmitsOnlyTrueLemmas) {
  if (cadical_program().empty()) GTEST_SKIP() << "there is no cadical here";
  const Folder folder;
  std::size_t admitted = 0;
  std::size_t with_premises = 0;
  std::size_t with_free_nodes = 0;
  for (unsigned seed = 0; seed < 160; ++seed) {
    DrawnGraph drawn(seed, 20);
    const std::vector<NodeId> booleans = drawn.booleans();
    if (booleans.empty()) continue;
    const auto all = drawn.all_values();
    Kernel kernel(drawn.goal);
    std::vector<Step> known;
    for (int i = 0; i < 6; ++i) {
      Step step;
      for (unsigned n = 1 + drawn.below(3); n > 0; --n) {
        step.refuted.push_back({booleans[drawn.below(booleans.size())], drawn.below(2) == 0});
      }
      if (drawn.below(2) == 0) {
        for (unsigned n = 1 + drawn.below(2); n > 0; --n) {
          step.free.push_back(drawn.below(drawn.goal.graph.nodes.size()));
        }
      }
      if (!known.empty() && drawn.below(2) == 0) step.premises.push_back(drawn.below(known.size()));
      const bool is_true = std::none_of(all.begin(), all.end(), [&](const auto& values) {
        return std::all_of(step.refuted.begin(), step.refuted.end(),
                           [&](const Literal& x) { return (values[x.node] != 0) != x.negated; });
      });
      const Cnf clauses = kernel.clauses_of(step);
      const CheckedProof proof = prove_unsatisfiable(clauses, to_dimacs(clauses), folder / "step");
      // The whole circuit, if no claim cuts a word: everything that is true has a proof.
      const bool has_claims =
          std::any_of(drawn.goal.graph.nodes.begin(), drawn.goal.graph.nodes.end(),
                      [](const Node& n) { return n.op == Op::claim; });
      if (step.free.empty() && !has_claims) {
        EXPECT_EQ(proof.lrat.empty(), !is_true) << seed;
      }
      if (proof.lrat.empty()) {
        EXPECT_THROW(kernel.admit(step, "1 0 1 0\n"), Rejected);
        continue;
      }
      EXPECT_TRUE(is_true) << "seed " << seed;
      kernel.admit(step, proof.lrat);
      known.push_back(step);
      ++admitted;
      with_premises += step.premises.empty() ? 0 : 1;
      with_free_nodes += step.free.empty() ? 0 : 1;
    }
  }
  EXPECT_GT(admitted, 80U);
  EXPECT_GT(with_premises, 20U);
  EXPECT_GT(with_free_nodes, 20U);
}

/// Random steps with rewritten words: of nodes that are equal for all inputs, or for those for
/// which a literal is true.
TEST(Kernel, AdmitsOnlyTrueLemmasAfterRewriting) {
  if (cadical_program().empty()) GTEST_SKIP() << "there is no cadical here";
  const Folder folder;
  std::size_t admitted = 0;
  std::size_t rewritten = 0;
  std::size_t with_condition = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    DrawnGraph drawn(seed, 20);
    const std::vector<NodeId> booleans = drawn.booleans();
    if (booleans.empty()) continue;
    const auto all = drawn.all_values();
    Kernel kernel(drawn.goal);
    const std::size_t size = drawn.goal.graph.nodes.size();
    const Literal condition{booleans[drawn.below(booleans.size())], drawn.below(2) == 0};
    const auto holds = [](const Literal& x, const std::vector<Integer>& values) {
      return (values[x.node] != 0) != x.negated;
    };
    const auto are_equal = [&](NodeId x, NodeId y, bool always) {
      return std::all_of(all.begin(), all.end(), [&](const auto& values) {
        return (!always && !holds(condition, values)) || values[x] == values[y];
      });
    };
    std::vector<Rewrite> rewrites;
    for (int i = 0; i < 40 && rewrites.size() < 3; ++i) {
      const auto x = static_cast<NodeId>(drawn.below(size));
      const auto y = static_cast<NodeId>(drawn.below(size));
      const bool always = drawn.below(2) == 0;
      const bool is_bool = is_boolean(drawn.goal.graph.nodes[x].op);
      if (x == y || is_bool != is_boolean(drawn.goal.graph.nodes[y].op) ||
          !are_equal(x, y, always)) {
        continue;
      }
      const NodeId says = kernel.define(binary(is_bool ? Op::logical_xor : Op::equal, x, y));
      Step step{{{says, !is_bool}}};
      if (!always) step.refuted.push_back(condition);
      const Cnf clauses = kernel.clauses_of(step);
      const CheckedProof proof = prove_unsatisfiable(clauses, to_dimacs(clauses), folder / "step");
      if (proof.lrat.empty()) continue;  // it needs a claim
      rewrites.push_back({x, y, kernel.admit(step, proof.lrat)});
      with_condition += always ? 0 : 1;
    }
    for (int i = 0; i < 6 && !rewrites.empty(); ++i) {
      Step step;
      for (unsigned n = 1 + drawn.below(2); n > 0; --n) {
        step.refuted.push_back({booleans[drawn.below(booleans.size())], drawn.below(2) == 0});
      }
      if (drawn.below(4) != 0) step.refuted.push_back(condition);
      if (drawn.below(3) == 0) step.free.push_back(drawn.below(size));
      for (const Rewrite& r : rewrites) {
        if (drawn.below(3) != 0) step.rewrites.push_back(r);
      }
      const bool is_true = std::none_of(all.begin(), all.end(), [&](const auto& values) {
        return std::all_of(step.refuted.begin(), step.refuted.end(),
                           [&](const Literal& x) { return holds(x, values); });
      });
      try {
        const Cnf clauses = kernel.clauses_of(step);
        const CheckedProof proof =
            prove_unsatisfiable(clauses, to_dimacs(clauses), folder / "step");
        if (proof.lrat.empty()) continue;
        EXPECT_TRUE(is_true) << "seed " << seed;
        kernel.admit(step, proof.lrat);
        ++admitted;
        rewritten += step.rewrites.empty() ? 0 : 1;
      } catch (const Rejected&) {
        // The condition is missing, a node has two words, or a word is built from itself.
      }
    }
  }
  EXPECT_GT(admitted, 100U);
  EXPECT_GT(rewritten, 60U);
  EXPECT_GT(with_condition, 40U);
}

Goal goal_of_text(const std::string& nodes, int condition) {
  return goal_of("{\"version\":1,\"nodes\":[\n" + nodes + "\n],\"conditions\":[" +
                 std::to_string(condition) + "]}\n");
}

// That a condition is never false is the opposite of the goal.
TEST(Kernel, DoesNotAcceptANegatedConditionAsTheGoal) {
  if (cadical_program().empty()) GTEST_SKIP() << "there is no cadical here";
  const Folder folder;
  Kernel kernel(goal_of_text("[\"input\",\"x\",3],\n[\"equal\",[1,1]]", 2));
  const Step step{{{1, true}}, {}, {}};
  const Cnf clauses = kernel.clauses_of(step);
  const CheckedProof proof = prove_unsatisfiable(clauses, to_dimacs(clauses), folder / "step");
  ASSERT_NE(proof.lrat, "") << proof.why;
  kernel.admit(step, proof.lrat);
  EXPECT_THROW(kernel.theorem(), Rejected);
  EXPECT_THROW(kernel.admit({{{1}}, {}, {}}, proof.lrat), Rejected);
}

// Definitions of inputs are refused, and definitions of claims, which would weaken the goal.
TEST(Kernel, DefinesNoInputAndNoClaim) {
  Kernel kernel(goal_of_text("[\"input\",\"x\",3],\n[\"less\",[1,1]]", 2));
  Node input{};
  input.op = Op::input;
  input.width = 1;
  EXPECT_THROW(kernel.define(input), Rejected);
  Node claim{};
  claim.op = Op::claim;
  claim.args = {0};
  claim.range = {0, 3};
  EXPECT_THROW(kernel.define(claim), Rejected);
}

}  // namespace
}  // namespace mmaspec::kernel::kernel_test
