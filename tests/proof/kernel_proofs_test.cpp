// Proofs for the kernel: changed in every part; also goals that are malformed or not defined for
// all inputs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "proof/kernel/proof.h"
#include "proof/recorded/cadical.h"
#include "tests/proof/drawn_graph.h"
#include "tests/support/cli/process.h"

namespace mmaspec::kernel::kernel_proofs_test {
namespace {

using cli_test::Folder;
using testing::HasSubstr;

/// A goal whose proof has a definition, a lemma, cases and free nodes: for 4-bit x and y, the
/// product x * y is not larger than the larger of x and y plus 300.
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
    admit({{{5}, {order}, {above, true}}, {2}, {}});        // a case, with free products
    admit({{{5}, {order, true}, {above, true}}, {2}, {}});  // the other case
    admit({{{5}}, {2, 3, 5, above, order}, {0, 1, 2}});     // both, with free Booleans
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
      return false;  // from the test's own list
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
            {"\"refuted\":[8]", "\"refuted\":[-9223372036854775808]"},
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

// The digest in a line is only for messages: with a correct digest the proof is rejected too.
TEST_F(KernelProofs, WithWrongLemmasAreRejectedEvenIfDigestsFit) {
  Kernel kernel(goal_of(proved_.goal));
  kernel.define(constant(225));
  kernel.define(binary(Op::less, 6, 2));
  kernel.define(binary(Op::less, 0, 1));
  const Step lemma{{{7}}, {}, {}};
  // The product is free although the proof needs it; another lemma; another proof.
  for (const Step& step : {Step{{{7}}, {2}, {}}, Step{{{7, true}}, {}, {}}, Step{{{8}}, {}, {}}}) {
    EXPECT_THROW(kernel.admit(step, proved_.lrat[0]), Rejected);
  }
  EXPECT_THROW(kernel.admit(lemma, proved_.lrat[1]), Rejected);
  EXPECT_THROW(kernel.admit(lemma, ""), Rejected);
  EXPECT_THROW(kernel.theorem(), Rejected);
  kernel.admit(lemma, proved_.lrat[0]);
  EXPECT_THROW(kernel.theorem(), Rejected) << "a lemma is not the goal";
}

/// For x and y of 4 bits: if x = y, then (x + 1)(x + 1) = (y + 1)(y + 1). Inputs are rewritten
/// where the condition x = y holds.
class KernelRewriting : public testing::Test {
 protected:
  void SetUp() override {
    if (cadical_program().empty()) GTEST_SKIP() << "there is no cadical here";
  }

  /// Nodes: x, y, x + 1, y + 1, their squares, "the squares differ", "x = y".
  static Goal goal() {
    Goal goal;
    Node x{};
    x.op = Op::input;
    x.width = 4;
    goal.graph.add(x, "x");
    goal.graph.add(x, "y");
    for (const NodeId of : {0U, 1U}) {
      Node sum{};
      sum.op = Op::sum;
      sum.args = {of};
      sum.coefficients = {1};
      sum.value = 1;
      goal.graph.add(sum);
    }
    goal.graph.add(binary(Op::product, 2, 2));
    goal.graph.add(binary(Op::product, 3, 3));
    goal.graph.add(binary(Op::less, 4, 5));
    goal.graph.add(binary(Op::equal, 0, 1));
    goal.conditions = {6, 7};
    return goal;
  }

  /// Steps 1 (the inputs are equal where x = y), 2 (so are the sums) and 3 (the goal).
  std::size_t admit(Kernel& kernel, const Step& step) {
    const Cnf clauses = kernel.clauses_of(step);
    const CheckedProof found = prove_unsatisfiable(clauses, to_dimacs(clauses), folder_ / "step");
    if (found.lrat.empty()) throw Rejected(found.why);
    text_ += step_line(step, clauses);
    lrat_.push_back(found.lrat);
    return kernel.admit(step, found.lrat);
  }

  Folder folder_;
  std::string text_;
  std::vector<std::string> lrat_;
};

TEST_F(KernelRewriting, MakesEqualExpressionsOneCircuit) {
  Kernel kernel(goal());
  const NodeId sums_equal = kernel.define(binary(Op::equal, 2, 3));
  text_ += define_line(kernel.graph(), sums_equal);
  const std::size_t first = admit(kernel, {{{7, true}, {7}}});
  const std::size_t second = admit(kernel, {{{sums_equal, true}, {7}}, {}, {}, {{1, 0, first}}});
  admit(kernel, {{{6}, {7}}, {2}, {}, {{3, 2, second}}});
  // Where both squares are one word, no multiplier is compared with another.
  EXPECT_LT(kernel.clauses_of({{{6}, {7}}, {2}, {}, {{3, 2, second}}}).clauses(),
            kernel.clauses_of({{{6}, {7}}, {2, 3}}).clauses());
  EXPECT_EQ(kernel.theorem().steps(), 3U);
  const auto lrat = [&](std::size_t step, const Cnf&) { return lrat_.at(step - 1); };
  EXPECT_EQ(check(goal(), text_, lrat).steps(), 3U);
  for (const auto& [from, to] : std::to_array<std::pair<const char*, const char*>>(
           {{"\"rewrites\":[[4,3,2]]", "\"rewrites\":[[4,3,1]]"},
            {"\"rewrites\":[[4,3,2]]", "\"rewrites\":[[6,5,2]]"},
            {"\"rewrites\":[[4,3,2]]", "\"rewrites\":[[4,3,3]]"},
            {"\"rewrites\":[[4,3,2]]", "\"rewrites\":[[4,3]]"},
            {"\"rewrites\":[[4,3,2]]", "\"rewrites\":[[4,3,2],[4,3,2]]"},
            {"\"rewrites\":[[4,3,2]]", "\"rewrites\":[[3,4,2],[4,3,2]]"},
            {"\"rewrites\":[[4,3,2]]", "\"rewrites\":[[99,3,2]]"},
            {",\"rewrites\":[[4,3,2]]", ""},
            {"\"refuted\":[7,8],\"free\":[3]", "\"refuted\":[7],\"free\":[3]"},
            {"\"refuted\":[7,8],\"free\":[3]", "\"refuted\":[7,8],\"free\":[4]"}})) {
    EXPECT_THROW(check(goal(), changed(text_, from, to), lrat), Rejected) << from << " -> " << to;
  }
}

TEST_F(KernelRewriting, NeedsAProofThatTheNodesAreEqual) {
  Kernel kernel(goal());
  const NodeId sums_equal = kernel.define(binary(Op::equal, 2, 3));
  const NodeId sums_less = kernel.define(binary(Op::less, 2, 3));
  const std::size_t under_condition = admit(kernel, {{{sums_equal, true}, {7}}});
  const std::size_t not_less = admit(kernel, {{{sums_less}, {7}}});
  const std::size_t not_equal = admit(kernel, {{{sums_equal}, {7, true}}});
  for (const Step& step :
       {Step{{{6}}, {}, {}, {{3, 2, under_condition}}},             // without the condition
        Step{{{6}, {7, true}}, {}, {}, {{3, 2, under_condition}}},  // with its negation
        Step{{{6}, {7}}, {}, {}, {{3, 2, not_less}}},               // about less
        Step{{{6}, {7, true}}, {}, {}, {{3, 2, not_equal}}},        // they differ
        Step{{{6}, {7}}, {}, {}, {{5, 4, under_condition}}},        // other nodes
        Step{{{6}, {7}}, {3}, {}, {{3, 2, under_condition}}},       // free too
        Step{{{6}, {7}}, {}, {}, {{3, 2, 99}}},
        Step{{{6}, {7}}, {}, {}, {{3, 2, under_condition}, {2, 3, under_condition}}}}) {
    EXPECT_THROW(kernel.clauses_of(step), Rejected);
  }
  EXPECT_NO_THROW(kernel.clauses_of({{{6}, {7}}, {}, {}, {{3, 2, under_condition}}}));
  EXPECT_NO_THROW(kernel.clauses_of({{{6}, {7}}, {}, {}, {{2, 3, under_condition}}}));
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

TEST_F(KernelProofs, AreRejectedForOtherGoals) {
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
    // Another name of an input, or another proof of the same goal.
    ++harmless;
    const Theorem theorem = checked(forged);
    EXPECT_EQ(theorem.goal().graph.nodes.size(), 6U);
  }
  EXPECT_LE(harmless, 60U);
}

TEST(KernelGoals, AreWrittenAndReadBack) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    DrawnGraph drawn(seed, 20);
    if (drawn.booleans().empty()) continue;
    drawn.goal.conditions = {drawn.booleans().back()};
    const std::string text = to_json(drawn.goal);
    EXPECT_EQ(to_json(goal_of(text)), text);
  }
}

TEST(KernelGoals, MalformedTextsAreRefused) {
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
}  // namespace mmaspec::kernel::kernel_proofs_test
