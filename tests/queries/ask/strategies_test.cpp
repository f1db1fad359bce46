// Strategies: each gives the answer of trying every input, and errors lead to a contradiction, not
// to a wrong answer.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "queries/ask/dot_question.h"
#include "queries/ask/question.h"
#include "queries/numbers/difference.h"
#include "spec/catalog/instruction.h"
#include "tests/support/case_selection.h"
#include "tests/support/lang/backends.h"
#include "tests/support/lang/solve.h"

namespace mmaspec::strategies_test {
namespace {

using lang_test::scripted;

Portfolio solvers() { return Portfolio("auto", Limits{120}); }

/// A question with so few inputs that all can be tried.
class Small {
 public:
  using Conditions = std::function<std::vector<Bool>(const DotOperands&, Int, Int)>;

  /// Do the two designs differ if `also` holds? c is one of 16 patterns.
  Small(const std::string& first, const std::string& second, const Conditions& also = {}) {
    const Graph::Building building(graph_);
    const Instruction x = find_instruction(first);
    const Instruction y = find_instruction(second);
    formats_ = x.formats;
    operands_ = dot_inputs(formats_);
    // Of c's 256 patterns, those with one fraction bit and three exponent bits near 1.
    const Int c = input("small c", 5);
    operands_->c = bits(c, 4, 1) * 128 + (bits(c, 0, 4) + 24) * 2;
    const Int d1 = x.algorithm.build(formats_, *operands_);
    const Int d2 = y.algorithm.build(y.formats, *operands_);
    std::vector<Bool> conditions;
    if (also) conditions = also(*operands_, d1, d2);
    conditions.push_back(differ({}, *formats_.d, d1, *y.formats.d, d2));
    for (Bool b : conditions) conditions_.push_back(b.id());
    frontier_ = shared_frontier(graph_, d1.id(), d2.id());
    dominators_ = shared_dominators(graph_, d1.id(), d2.id());
  }

  const Graph& graph() const { return graph_; }
  NodeId c() const { return input_named("small c"); }
  /// A sum on which the conditions depend.
  NodeId some_sum() const {
    const std::vector<NodeId> cone = graph_.cone(conditions_);
    for (NodeId n : sums()) {
      if (std::binary_search(cone.begin(), cone.end(), n)) return n;
    }
    throw std::logic_error("no sum is left");
  }

  Question question() const {
    Question q{&graph_, conditions_};
    q.candidates = [this](unsigned seed) -> Candidates {
      return [this, random = std::mt19937_64(seed)](Lanes& lanes) mutable {
        for (std::size_t i = 0; i < lanes.rows(); ++i) {
          const std::uint64_t mask = (std::uint64_t{1} << graph_[graph_.inputs()[i]].width) - 1;
          for (std::size_t lane = 0; lane < lanes.lanes(); ++lane) lanes[i][lane] = random() & mask;
        }
      };
    };
    q.restrictions = dot_restrictions(formats_);
    q.cuts = {havoc(graph_, frontier_), havoc(graph_, sums()), havoc(graph_, dominators_)};
    return q;
  }

  bool some_input_answers() const {
    std::vector<unsigned> widths;
    unsigned all = 0;
    for (NodeId i : graph_.inputs()) {
      // c itself is an input on which nothing depends.
      widths.push_back(graph_.input_name(i) == "c" ? 0 : graph_[i].width);
      all += widths.back();
    }
    EXPECT_LE(all, 22U);
    const BatchEvaluator evaluator(graph_, conditions_);
    BatchEvaluator::Scratch scratch;
    constexpr unsigned kLanes = 12;
    Lanes inputs(widths.size(), std::size_t{1} << kLanes);
    Lanes holds(conditions_.size(), std::size_t{1} << kLanes);
    for (std::uint64_t block = 0; block < std::uint64_t{1} << (all - kLanes); ++block) {
      for (std::uint64_t lane = 0; lane < inputs.lanes(); ++lane) {
        std::uint64_t rest = (block << kLanes) + lane;
        for (std::size_t i = 0; i < widths.size(); ++i) {
          inputs[i][lane] = rest & ((std::uint64_t{1} << widths[i]) - 1);
          rest >>= widths[i];
        }
      }
      evaluator.evaluate(inputs, holds, scratch);
      for (std::size_t lane = 0; lane < holds.lanes(); ++lane) {
        bool every = true;
        for (std::size_t r = 0; every && r < holds.rows(); ++r) every = holds[r][lane] != 0;
        if (every) return true;
      }
    }
    return false;
  }

  /// By the exact evaluator, independently of ask().
  bool holds(const InputValues& values) const {
    const ExactEvaluator evaluator(graph_, conditions_);
    ExactEvaluator::Values all = evaluator.scratch();
    evaluator.evaluate(values, all);
    return std::all_of(conditions_.begin(), conditions_.end(),
                       [&](NodeId c) { return all[c] == 1; });
  }

 private:
  std::vector<NodeId> sums() const {
    std::vector<NodeId> all;
    for (const Mark& m : graph_.marks()) {
      if (m.stage == "sum" && m.role != MarkRole::largest_exponent) all.push_back(m.node);
    }
    return all;
  }
  NodeId input_named(const std::string& name) const {
    for (NodeId i : graph_.inputs()) {
      if (graph_.input_name(i) == name) return i;
    }
    throw std::logic_error("no such input");
  }

  Graph graph_;
  DotFormats formats_{};
  std::optional<DotOperands> operands_;
  std::vector<NodeId> conditions_;
  std::vector<NodeId> frontier_;
  std::vector<NodeId> dominators_;
};

std::string fused(int k, const std::string& parameters) {
  return "design:fused-dot-add(a=e2m1,b=e2m1,c=e5m2,d=e5m2,k=" + std::to_string(k) +
         ",fraction_bits=" + parameters + ")";
}
std::string exact(int k, const std::string& parameters = "") {
  return "design:exact-dot-add(a=e2m1,b=e2m1,c=e5m2,d=e5m2,k=" + std::to_string(k) + parameters +
         ")";
}
std::string fma(int k) {
  return "design:sequential-fma(a=e2m1,b=e2m1,c=e5m2,d=e5m2,k=" + std::to_string(k) + ")";
}
std::string of_e3m2(const std::string& fraction_bits) {
  return "design:fused-dot-add(a=e3m2,b=e3m2,c=e5m2,d=e5m2,k=1,fraction_bits=" + fraction_bits +
         ")";
}

struct Case {
  std::string name;
  std::string first;
  std::string second;
  Small::Conditions also = {};
  friend void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all{
      {"two_bits_or_three", fused(2, "2"), fused(2, "3")},
      {"bits_enough", fused(1, "16"), fused(1, "20")},
      {"cut_or_exact", fused(2, "4"), exact(2, ",round=rz")},
      {"never_cut_or_exact", fused(1, "30"), exact(1, ",round=rz")},
      {"fma_or_exact", fma(2), exact(2)},
      {"one_fma_or_exact", fma(1), exact(1)},
      {"rounded_down_or_to_zero", fused(2, "2,align_round=rd"), fused(2, "2")},
      {"rounded_down_or_to_zero_of_positive", fused(1, "2,align_round=rd"), fused(1, "2"),
       [](const DotOperands& in, Int, Int) {
         return std::vector<Bool>{!bit(in.c, 7), !bit(in.a[0], 3), !bit(in.b[0], 3)};
       }},
      {"c_late_or_early", fused(2, "3,c_joins=late"), fused(2, "3")},
      {"one_by_one_or_together", fused(2, "6,block=1"), fused(2, "6")},
      {"flushed_or_not", fused(1, "12,flush_inputs=yes"), fused(1, "12")},
      {"flushed_or_not_of_normal", fused(1, "12,flush_inputs=yes"), fused(1, "12"),
       [](const DotOperands& in, Int, Int) {
         return std::vector<Bool>{bits(in.a[0], 1, 2) != 0, bits(in.b[0], 1, 2) != 0};
       }},
      {"larger_than_exact", fused(2, "3"), exact(2, ",round=rz"),
       [](const DotOperands& in, Int d1, Int d2) {
         return std::vector<Bool>{!bit(in.c, 7), d1 > d2, d1 < 128, d2 < 128};
       }},
      {"of_three_bits", of_e3m2("2"), of_e3m2("3")},
      {"of_three_bits_enough", of_e3m2("16"), of_e3m2("19"),
       [](const DotOperands& in, Int, Int) { return std::vector<Bool>{bits(in.b[0], 0, 2) == 0}; }},
      {"the_same", fused(2, "5"), fused(2, "5,block=2")},
  };
  return all;
}

/// A strategy of questions; `steps` exists only for properties.
Strategies alone(Strategy strategy) {
  Strategies s = Strategies::none();
  s.set(strategy, true);
  return s;
}

class Every : public testing::TestWithParam<Case> {};

TEST_P(Every, StrategyAgreesWithTryingAllInputs) {
  const Case& c = GetParam();
  const Small small(c.first, c.second, c.also);
  const Verdict known = small.some_input_answers() ? Verdict::satisfiable : Verdict::unsatisfiable;
  const auto expect_known = [&](const Strategies& s, const Question& question) {
    const Reply reply = ask(question, s, solvers());
    EXPECT_EQ(reply.verdict, known) << reply.justification.how();
    if (reply.verdict == Verdict::satisfiable) {
      EXPECT_TRUE(small.holds(reply.witness));
    }
    for (const AttemptReport& a : reply.attempts) {
      if (a.counts) {
        EXPECT_EQ(a.verdict, known) << a.name;
      }
    }
  };
  const auto at = static_cast<std::size_t>(&c - cases().data());
  if (is_selected(at + 1, 2)) {
    SCOPED_TRACE("all");
    Strategies all;
    all.to_the_end = true;
    expect_known(all, small.question());
  }
  // Each strategy alone; for each question a part of them.
  for (std::size_t i = 0; i < 2; ++i) {
    const Strategy strategy = all_strategies().at((2 * at + i) % 7);
    SCOPED_TRACE(to_string(strategy));
    expect_known(alone(strategy), small.question());
  }
  if (is_selected(at, 2)) {
    SCOPED_TRACE("none");
    expect_known(Strategies::none(), small.question());
  }
}

std::vector<Case> numbered() { return cases(); }
INSTANTIATE_TEST_SUITE_P(Questions, Every, testing::ValuesIn(numbered()),
                         [](const auto& test) { return test.param.name; });

TEST(Questions, HaveBothAnswersInTheCases) {
  int some = 0;
  for (const Case& c : cases()) {
    some += Small(c.first, c.second, c.also).some_input_answers() ? 1 : 0;
  }
  EXPECT_GE(some, 5);
  EXPECT_GE(static_cast<int>(cases().size()) - some, 5);
}

TEST(Given, AConsequenceOfTheConditionsChangesNoAnswer) {
  // c = 0x3c = 1: both the conditions and `given` say so.
  for (const auto& [second, known] : std::vector<std::pair<std::string, Verdict>>{
           {fused(2, "3"), Verdict::satisfiable}, {fused(2, "1"), Verdict::unsatisfiable}}) {
    const Small small(fused(2, "1"), second, [](const DotOperands& in, Int, Int) {
      return std::vector<Bool>{in.c == 0x3c};
    });
    Question question = small.question();
    question.given = [&](Substitution& copy) {
      copy.replace(small.c(), Int(6));
      return std::vector<Bool>();
    };
    Strategies s;
    s.to_the_end = true;
    const Reply reply = ask(question, s, solvers());
    EXPECT_EQ(reply.verdict, known) << reply.justification.how();
    if (known == Verdict::satisfiable) {
      EXPECT_TRUE(small.holds(reply.witness));
    }
  }
}

/// To the end, with the strategies that find witnesses and with the solvers.
Strategies thorough() {
  Strategies s;
  s.to_the_end = true;
  return s;
}

const std::string kFirst = fused(2, "2");
const std::string kSecond = fused(2, "3");  // they differ
const std::string kSame1 = fused(1, "16");
const std::string kSame2 = fused(1, "20");  // they are equal

Answer answer_of(Verdict verdict) {
  Answer answer;
  answer.verdict = verdict;
  return answer;
}

TEST(Wrong, ProofBesideAWitnessIsAContradiction) {
  const Small small(kFirst, kSecond);
  std::vector<std::unique_ptr<Backend>> backends;
  backends.push_back(
      scripted("liar", [](const Query&) { return answer_of(Verdict::unsatisfiable); }));
  const Portfolio liars(std::move(backends), Limits{60});
  EXPECT_THROW((void)ask(small.question(), thorough(), liars), Contradiction);
  // Without --to-the-end, search comes first and is right.
  EXPECT_EQ(ask(small.question(), {}, liars).verdict, Verdict::satisfiable);
}

TEST(Wrong, ModelIsAContradiction) {
  const Small small(kSame1, kSame2);
  const auto liars = [] {
    std::vector<std::unique_ptr<Backend>> backends;
    backends.push_back(
        scripted("liar", [](const Query&) { return answer_of(Verdict::satisfiable); }));
    return Portfolio(std::move(backends), Limits{60});
  };
  Strategies asking;
  asking.set(Strategy::enumerate, false);
  for (const Strategies& s : {Strategies::none(), asking, thorough()}) {
    EXPECT_THROW((void)ask(small.question(), s, liars()), Contradiction);
  }
  // All inputs are tried before solvers are asked.
  EXPECT_EQ(ask(small.question(), {}, liars()).verdict, Verdict::unsatisfiable);
}

TEST(Wrong, SolverBesideARightOneIsAContradiction) {
  const Small small(kFirst, kSecond);
  std::vector<std::unique_ptr<Backend>> backends;
  backends.push_back(z3_backend());
  backends.push_back(
      scripted("liar", [](const Query&) { return answer_of(Verdict::unsatisfiable); }));
  Strategies s = Strategies::none();
  s.to_the_end = true;
  try {
    (void)ask(small.question(), s, Portfolio(std::move(backends), Limits{60}));
    FAIL() << "was taken";
  } catch (const Contradiction& error) {
    EXPECT_THAT(error.what(), testing::AllOf(testing::HasSubstr("z3 found a witness"),
                                             testing::HasSubstr("liar proved")));
  }
}

TEST(Wrong, GivenThatExcludesAllIsAContradiction) {
  // The conditions have c = 1; `given` has another c.
  const Small small(kFirst, kSecond, [](const DotOperands& in, Int, Int) {
    return std::vector<Bool>{in.c == 0x3c};
  });
  Question question = small.question();
  question.given = [&](Substitution& copy) {
    copy.replace(small.c(), Int(3));
    return std::vector<Bool>();
  };
  EXPECT_THROW((void)ask(question, thorough(), solvers()), Contradiction);
}

// If no input satisfies the preconditions, facts may be false, and adding them to the conditions
// may make these satisfiable: a model of that is not a witness, and not a fault of the solver.
TEST(Given, ThatIsTooWeakFindsNoFalseWitness) {
  const Small small(kSame1, kSame2);
  Question question = small.question();
  question.given = [&](Substitution& copy) {
    havoc(small.graph(), small.some_sum(), copy);
    return std::vector<Bool>();
  };
  EXPECT_EQ(ask(question, Strategies::none(), solvers()).verdict, Verdict::unknown);
  EXPECT_EQ(ask(question, thorough(), solvers()).verdict, Verdict::unsatisfiable);
}

TEST(Wrong, CutIsAContradiction) {
  const Small small(kFirst, kSecond);
  Question question = small.question();
  question.cuts.push_back([](Substitution&) { return std::vector<Bool>{Bool(false)}; });
  EXPECT_THROW((void)ask(question, thorough(), solvers()), Contradiction);
}

TEST(Wrong, RestrictionIsAContradiction) {
  const Small small(kSame1, kSame2);
  Question question = small.question();
  question.restrictions.push_back({"no restriction", [&](const Graph&, Substitution& copy) {
                                     havoc(small.graph(), small.some_sum(), copy);
                                   }});
  EXPECT_THROW((void)ask(question, thorough(), solvers()), Contradiction);
}

TEST(Wrong, ReplacementThatContradictsARangeDecidesNothing) {
  const Small small(kSame1, kSame2);
  Question question = small.question();
  question.cuts = {[&](Substitution& copy) {
    copy.replace(small.c(), Int(-5));
    return std::vector<Bool>();
  }};
  const Reply reply = ask(question, thorough(), solvers());
  EXPECT_EQ(reply.verdict, Verdict::unsatisfiable) << reply.justification.how();
  bool found = false;
  for (const AttemptReport& a : reply.attempts) {
    if (!a.name.starts_with("cut 1")) continue;
    found = true;
    EXPECT_FALSE(a.counts);
    EXPECT_THAT(a.outcome, testing::StartsWith("does not apply: "));
  }
  EXPECT_TRUE(found);
}

}  // namespace
}  // namespace mmaspec::strategies_test
