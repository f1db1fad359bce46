// The proof kernel: ranges and circuits against plain arithmetic on all inputs of random graphs;
// what it admits against the truth on all inputs; and proofs forged in every part.

#include "proof/kernel/kernel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <random>

#include "proof/kernel/proof.h"
#include "proof/kernel/ranges.h"
#include "proof/recorded/cadical.h"
#include "tests/proof/propagation.h"
#include "tests/support/cli/process.h"

namespace mmaspec::kernel::kernel_test {
namespace {

using cli_test::Folder;
using testing::HasSubstr;

/// What an operation is, on numbers; written for this test, from spec/lang/graph.h alone.
Integer value_of(const Node& n, const std::vector<Integer>& values, const Integer& input) {
  const auto arg = [&](std::size_t i) { return values[n.args[i]]; };
  const auto amount = [&] { return arg(1).convert_to<unsigned>(); };
  switch (n.op) {
    case Op::constant:
    case Op::boolean:
      return n.value;
    case Op::input:
      return input;
    case Op::sum: {
      Integer all = n.value;
      for (std::size_t i = 0; i < n.args.size(); ++i) all += n.coefficients[i] * arg(i);
      return all;
    }
    case Op::product: {
      Integer all = 1;
      for (std::size_t i = 0; i < n.args.size(); ++i) all *= arg(i);
      return all;
    }
    case Op::absolute:
      return arg(0) < 0 ? Integer(-arg(0)) : arg(0);
    case Op::negate_if:
      return arg(0) != 0 ? Integer(-arg(1)) : arg(1);
    case Op::select:
      return arg(0) != 0 ? arg(1) : arg(2);
    case Op::minimum:
    case Op::maximum: {
      Integer best = arg(0);
      for (std::size_t i = 1; i < n.args.size(); ++i) {
        if (n.op == Op::minimum ? arg(i) < best : arg(i) > best) best = arg(i);
      }
      return best;
    }
    case Op::shift_left:
      return arg(0) * power_of_two(amount());
    case Op::floor_shift_right: {
      Integer quotient = arg(0) / power_of_two(amount());
      if (quotient * power_of_two(amount()) > arg(0)) --quotient;
      return quotient;
    }
    case Op::bits:
      return (arg(0) / power_of_two(n.low)) % power_of_two(n.width);
    case Op::bit_length: {
      Integer length = 0;
      for (Integer x = arg(0); x > 0; x /= 2) ++length;
      return length;
    }
    case Op::claim:
      return arg(0);
    case Op::less:
      return arg(0) < arg(1) ? 1 : 0;
    case Op::equal:
      return arg(0) == arg(1) ? 1 : 0;
    case Op::logical_not:
      return arg(0) == 0 ? 1 : 0;
    case Op::logical_and: {
      bool all = true;
      for (std::size_t i = 0; i < n.args.size(); ++i) all = all && arg(i) != 0;
      return all ? 1 : 0;
    }
    case Op::logical_xor: {
      bool odd = false;
      for (std::size_t i = 0; i < n.args.size(); ++i) odd = odd != (arg(i) != 0);
      return odd ? 1 : 0;
    }
  }
  throw std::logic_error("no such operation");
}

/// Graphs drawn node by node, over inputs of a few bits.
class DrawnGraph {
 public:
  DrawnGraph(unsigned seed, std::size_t nodes) : random_(seed) {
    const unsigned inputs = 1 + below(3);
    for (unsigned i = 0; i < inputs; ++i) {
      Node n{};
      n.op = Op::input;
      n.width = 1 + below(inputs == 1 ? 5 : 2);
      add(n, "x" + std::to_string(i));
    }
    for (int value : {0, 1, -3}) {
      Node n{};
      n.op = Op::constant;
      n.value = value;
      add(n);
    }
    for (unsigned tries = 0; goal.graph.nodes.size() < nodes && tries < 50 * nodes; ++tries) {
      draw();
    }
  }

  /// Values of all nodes, for each assignment of the inputs on which all claims hold.
  std::vector<std::vector<Integer>> all_values() const {
    std::vector<std::vector<Integer>> all{{}};
    for (const Node& n : goal.graph.nodes) {
      std::vector<std::vector<Integer>> longer;
      for (std::vector<Integer>& values : all) {
        const unsigned choices = n.op == Op::input ? 1U << n.width : 1;
        for (unsigned x = 0; x < choices; ++x) {
          values.push_back(value_of(n, values, x));
          if (n.op != Op::claim || n.range.holds(values.back())) longer.push_back(values);
          values.pop_back();
        }
      }
      all = std::move(longer);
    }
    return all;
  }

  std::vector<NodeId> booleans() const {
    std::vector<NodeId> all;
    for (std::size_t i = 0; i < goal.graph.nodes.size(); ++i) {
      if (is_boolean(goal.graph.nodes[i].op)) all.push_back(static_cast<NodeId>(i));
    }
    return all;
  }

  unsigned below(std::size_t n) { return static_cast<unsigned>(random_() % n); }

  Goal goal;  ///< without conditions
  std::vector<Range> ranges;

 private:
  bool add(Node n, const std::string& name = "") {
    try {
      goal.graph.add(std::move(n), name);
      extend_ranges(goal.graph, ranges);
      if (kernel::width_of(ranges.back()) <= 24) return true;
      ranges.pop_back();
    } catch (const std::invalid_argument&) {
    }
    goal.graph.nodes.resize(ranges.size());
    return false;
  }

  NodeId node() {
    // Newer ones more often, so that graphs are deep.
    const std::size_t size = goal.graph.nodes.size();
    return static_cast<NodeId>(std::max(below(size), below(size)));
  }
  NodeId boolean() {
    const std::vector<NodeId> all = booleans();
    return all.empty() ? node() : all[below(all.size())];
  }

  void draw() {
    constexpr auto kDrawn = std::to_array<Op>(
        {Op::sum, Op::sum, Op::product, Op::absolute, Op::negate_if, Op::select, Op::minimum,
         Op::maximum, Op::shift_left, Op::floor_shift_right, Op::bits, Op::bit_length, Op::claim,
         Op::less, Op::less, Op::equal, Op::logical_not, Op::logical_and, Op::logical_xor});
    Node n{};
    n.op = kDrawn.at(below(kDrawn.size()));
    switch (n.op) {
      case Op::sum:
        for (unsigned i = 1 + below(3); i > 0; --i) {
          n.args.push_back(node());
          n.coefficients.emplace_back(static_cast<int>(below(9)) - 4);
        }
        n.value = static_cast<int>(below(9)) - 4;
        break;
      case Op::product:
      case Op::minimum:
      case Op::maximum:
        for (unsigned i = 1 + below(3); i > 0; --i) n.args.push_back(node());
        break;
      case Op::logical_and:
      case Op::logical_xor:
        for (unsigned i = 1 + below(3); i > 0; --i) n.args.push_back(boolean());
        break;
      case Op::negate_if:
        n.args = {boolean(), node()};
        break;
      case Op::select:
        n.args = {boolean(), node(), node()};
        break;
      case Op::logical_not:
        n.args = {boolean()};
        break;
      case Op::absolute:
      case Op::bit_length:
        n.args = {node()};
        break;
      case Op::bits:
        n.args = {node()};
        n.low = below(4);
        n.width = 1 + below(4);
        break;
      case Op::claim:
        n.args = {node()};
        n.range.low = static_cast<int>(below(9)) - 6;
        n.range.high = n.range.low + below(9);
        break;
      default:
        n.args = {node(), node()};
        break;
    }
    add(std::move(n));
  }

  std::mt19937 random_;
};

Node binary(Op op, NodeId x, NodeId y) {
  Node n{};
  n.op = op;
  n.args = {x, y};
  return n;
}

Node constant(const Integer& value) {
  Node n{};
  n.op = Op::constant;
  n.value = value;
  return n;
}

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

// Bounds that interval arithmetic does not see.
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

// With all inputs fixed, unit propagation finds the value of each node, and no other one.
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

/// Steps drawn and, where CaDiCaL finds a proof, admitted.
TEST(Kernel, AdmitsOnlyWhatIsTrue) {
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
      // The whole circuit, where no claim cuts a word: everything that is true has a proof.
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

Goal goal_of_text(const std::string& nodes, int condition) {
  return goal_of("{\"version\":1,\"nodes\":[\n" + nodes + "\n],\"conditions\":[" +
                 std::to_string(condition) + "]}\n");
}

// That a condition is never false is the opposite of the goal.
TEST(Kernel, TakesNoNegatedConditionForTheGoal) {
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

// A definition adds no input, and no claim, which would narrow what the goal is about.
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

/// A goal whose proof has a definition, a lemma, cases and free nodes: of 4-bit x and y, the
/// product x * y is not the larger of x and y plus 300.
struct Proved {
  std::string goal;
  std::string proof;
  std::vector<std::string> lrat;
};

class KernelProofs : public testing::Test {
 protected:
  void SetUp() override {
    if (cadical_program().empty()) GTEST_SKIP() << "there is no cadical here";
    Goal goal;
    Node x{};
    x.op = Op::input;
    x.width = 4;
    goal.graph.add(x, "x");
    goal.graph.add(x, "y");
    goal.graph.add(binary(Op::product, 0, 1));
    goal.graph.add(binary(Op::maximum, 0, 1));
    Node sum{};
    sum.op = Op::sum;
    sum.args = {3};
    sum.coefficients = {1};
    sum.value = 300;
    goal.graph.add(sum);
    goal.conditions = {goal.graph.add(binary(Op::equal, 2, 4))};
    proved_.goal = to_json(goal);
    Kernel kernel(goal);
    const auto define = [&](Node n) {
      const NodeId id = kernel.define(std::move(n));
      proved_.proof += define_line(kernel.graph(), id);
      return id;
    };
    const auto admit = [&](const Step& step) {
      const Cnf clauses = kernel.clauses_of(step);
      const CheckedProof found = prove_unsatisfiable(clauses, to_dimacs(clauses), folder_ / "step");
      ASSERT_NE(found.lrat, "") << found.why;
      proved_.proof += step_line(step, clauses);
      proved_.lrat.push_back(found.lrat);
      kernel.admit(step, found.lrat);
    };
    const NodeId limit = define(constant(225));
    const NodeId above = define(binary(Op::less, limit, 2));
    const NodeId order = define(binary(Op::less, 0, 1));
    admit({{{above}}, {}, {}});                             // a lemma: x * y <= 225
    admit({{{5}, {order}, {above, true}}, {2}, {}});        // a case, of free products
    admit({{{5}, {order, true}, {above, true}}, {2}, {}});  // the other one
    admit({{{5}}, {2, 3, 5, above, order}, {0, 1, 2}});     // both, of free Booleans
    EXPECT_EQ(kernel.theorem().steps(), 4U);
  }

  Theorem checked(const Proved& p) {
    return check(goal_of(p.goal), p.proof,
                 [&](std::size_t step, const Cnf&) { return p.lrat.at(step - 1); });
  }
  bool is_accepted(const Proved& p) {
    try {
      checked(p);
      return true;
    } catch (const Rejected&) {
      return false;
    } catch (const std::invalid_argument&) {
      return false;
    } catch (const std::out_of_range&) {
      return false;  // of the test's own list
    }
  }

  Folder folder_;
  Proved proved_;
};

/// Line `index` with a text replaced.
std::string changed(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST_F(KernelProofs, AreAccepted) {
  const Theorem theorem = checked(proved_);
  EXPECT_EQ(theorem.steps(), 4U);
  EXPECT_EQ(theorem.claims(), 0U);
  EXPECT_EQ(to_json(theorem.goal()), proved_.goal);
}

TEST_F(KernelProofs, AreRejectedWithoutAnyOfTheirParts) {
  // A premise, a case, the lemma, a hypothesis, a definition.
  for (const auto& [from, to] : std::to_array<std::pair<const char*, const char*>>(
           {{"\"premises\":[1,2,3]", "\"premises\":[1,2]"},
            {"\"premises\":[1,2,3]", "\"premises\":[2,3]"},
            {"\"premises\":[1,2,3]", "\"premises\":[1,2,2]"},
            {"\"premises\":[1,2,3]", "\"premises\":[1,2,4]"},
            {"\"premises\":[1,2,3]", "\"premises\":[]"},
            {"\"refuted\":[6,9,-8]", "\"refuted\":[6,9]"},
            {"\"refuted\":[6,9,-8]", "\"refuted\":[6,-9,-8]"},
            {"\"refuted\":[6,9,-8]", "\"refuted\":[6,9,8]"},
            {"\"refuted\":[8]", "\"refuted\":[-8]"},
            {"\"refuted\":[6],", "\"refuted\":[8],"},
            {"[\"less\",[7,3]]", "[\"less\",[3,7]]"},
            {"[\"constant\",\"225\"]", "[\"constant\",\"224\"]"},
            {"[\"constant\",\"225\"]", "[\"input\",\"z\",4]"},
            {"[\"constant\",\"225\"]", "[\"claim\",[3],\"0\",\"225\"]"}})) {
    Proved forged = proved_;
    forged.proof = changed(proved_.proof, from, to);
    EXPECT_FALSE(is_accepted(forged)) << from << " -> " << to;
  }
}

// The digest in a line is no more than a message: with it made to fit, the proof is rejected too.
TEST_F(KernelProofs, AreRejectedWithDigestsThatFit) {
  Kernel kernel(goal_of(proved_.goal));
  kernel.define(constant(225));
  kernel.define(binary(Op::less, 6, 2));
  kernel.define(binary(Op::less, 0, 1));
  const Step lemma{{{7}}, {}, {}};
  // Free where the proof needs the product; another lemma; another proof.
  for (const Step& step : {Step{{{7}}, {2}, {}}, Step{{{7, true}}, {}, {}}, Step{{{8}}, {}, {}}}) {
    EXPECT_THROW(kernel.admit(step, proved_.lrat[0]), Rejected);
  }
  EXPECT_THROW(kernel.admit(lemma, proved_.lrat[1]), Rejected);
  EXPECT_THROW(kernel.admit(lemma, ""), Rejected);
  EXPECT_THROW(kernel.theorem(), Rejected);
  kernel.admit(lemma, proved_.lrat[0]);
  EXPECT_THROW(kernel.theorem(), Rejected) << "a lemma is not the goal";
}

TEST_F(KernelProofs, AreRejectedWithMalformedSteps) {
  Kernel kernel(goal_of(proved_.goal));
  for (const Step& step : {Step{{}, {}, {}}, Step{{{2}}, {}, {}}, Step{{{99}}, {}, {}},
                           Step{{{5}}, {99}, {}}, Step{{{5}}, {}, {0}}}) {
    EXPECT_THROW(kernel.clauses_of(step), Rejected);
  }
  EXPECT_THROW(kernel.define(binary(Op::less, 0, 99)), Rejected);
  Node n{};
  n.op = Op::shift_left;
  n.args = {0, kernel.define(constant(-1))};
  EXPECT_THROW(kernel.define(n), Rejected);
  EXPECT_EQ(kernel.graph().nodes.size(), kernel.ranges().size());
}

TEST_F(KernelProofs, AreOfNoOtherGoal) {
  // Each is false, or has another graph.
  for (const auto& [from, to] : std::to_array<std::pair<const char*, const char*>>(
           {{"\"300\"", "\"0\""},
            {"\"300\"", "\"200\""},
            {"[\"equal\",[3,5]]", "[\"less\",[3,5]]"},
            {"[\"product\",[1,2]]", "[\"sum\",[1,2],[\"1\",\"1\"],\"0\"]"},
            {"\"x\",4", "\"x\",5"}})) {
    Proved forged = proved_;
    forged.goal = changed(proved_.goal, from, to);
    EXPECT_FALSE(is_accepted(forged)) << from << " -> " << to;
  }
}

TEST_F(KernelProofs, AreRejectedWithAnyByteChanged) {
  std::mt19937 random(3);
  const auto flip = [&](std::string& text) {
    text[random() % text.size()] ^= static_cast<char>(1 + random() % 127);
  };
  std::size_t harmless = 0;
  for (int i = 0; i < 600; ++i) {
    Proved forged = proved_;
    switch (random() % 3) {
      case 0:
        flip(forged.goal);
        break;
      case 1:
        flip(forged.proof);
        break;
      default:
        flip(forged.lrat[random() % forged.lrat.size()]);
        break;
    }
    if (!is_accepted(forged)) continue;
    // Another name of an input, or another proof of the same.
    ++harmless;
    const Theorem theorem = checked(forged);
    EXPECT_EQ(theorem.goal().graph.nodes.size(), 6U);
  }
  EXPECT_LE(harmless, 60U);
}

TEST(KernelGoals, AreReadAsTheyAreWritten) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    DrawnGraph drawn(seed, 20);
    if (drawn.booleans().empty()) continue;
    drawn.goal.conditions = {drawn.booleans().back()};
    const std::string text = to_json(drawn.goal);
    EXPECT_EQ(to_json(goal_of(text)), text);
  }
}

TEST(KernelGoals, OfOtherTextAreRefused) {
  const std::string head = "{\"version\":1,\"nodes\":[\n";
  const auto refusal = [&](const std::string& nodes, const std::string& conditions) -> std::string {
    try {
      goal_of(head + nodes + "\n],\"conditions\":" + conditions + "}\n");
      return "";
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
  };
  EXPECT_EQ(refusal("[\"boolean\",\"1\"]", "[1]"), "");
  EXPECT_THAT(refusal("[\"boolean\",\"2\"]", "[1]"), HasSubstr("a Boolean is 0 or 1"));
  EXPECT_THAT(refusal("[\"boolean\",\"1\"]", "[2]"), HasSubstr("not there"));
  EXPECT_THAT(refusal("[\"boolean\",\"1\"]", "[]"), HasSubstr("without conditions"));
  EXPECT_THAT(refusal("[\"constant\",\"1\"]", "[1]"), HasSubstr("not Boolean"));
  EXPECT_THAT(refusal("[\"constant\",\"01\"],\n[\"boolean\",\"1\"]", "[2]"),
              HasSubstr("not a decimal integer"));
  EXPECT_THAT(refusal("[\"not\",[1]]", "[1]"), HasSubstr("not there"));
  EXPECT_THAT(refusal("[\"input\",\"x\",1],\n[\"not\",[1]]", "[2]"), HasSubstr("not Boolean"));
  EXPECT_THAT(refusal("[\"input\",\"x\",1],\n[\"input\",\"x\",1],\n[\"less\",[1,2]]", "[3]"),
              HasSubstr("two inputs"));
  EXPECT_THAT(refusal("[\"input\",\"x\",9999],\n[\"less\",[1,1]]", "[2]"), HasSubstr("4096"));
  EXPECT_THAT(refusal("[\"input\",\"x\",4],\n[\"less\",[1]]", "[2]"), HasSubstr("operands"));
  EXPECT_THAT(refusal("[\"frob\",[1]]", "[1]"), HasSubstr("not an operation"));
  EXPECT_NE(refusal("[\"boolean\", \"1\"]", "[1]"), "") << "spaces";
}

TEST(KernelGoals, MustBeDefinedForAllInputs) {
  const auto fault = [](const std::string& nodes, int condition) -> std::string {
    try {
      Kernel kernel(goal_of("{\"version\":1,\"nodes\":[\n" + nodes + "\n],\"conditions\":[" +
                            std::to_string(condition) + "]}\n"));
      return "";
    } catch (const OutOfDomain& error) {
      return error.what();
    }
  };
  const std::string x = "[\"input\",\"x\",4],\n[\"sum\",[1],[\"1\"],\"-1\"],\n";
  EXPECT_THAT(fault(x + "[\"shift_left\",[1,2]],\n[\"equal\",[1,3]]", 4), HasSubstr("negative"));
  EXPECT_THAT(fault(x + "[\"bits\",[2],0,1],\n[\"equal\",[1,3]]", 4), HasSubstr("negative"));
  EXPECT_THAT(fault(x + "[\"bit_length\",[2]],\n[\"equal\",[1,3]]", 4), HasSubstr("negative"));
  EXPECT_THAT(fault(x + "[\"claim\",[2],\"99\",\"100\"],\n[\"equal\",[1,3]]", 4),
              HasSubstr("contradicts"));
  EXPECT_THAT(fault("[\"input\",\"x\",16],\n[\"shift_left\",[1,1]],\n[\"equal\",[1,2]]", 3),
              HasSubstr("longest"));
}

}  // namespace
}  // namespace mmaspec::kernel::kernel_test
