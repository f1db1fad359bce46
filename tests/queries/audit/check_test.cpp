// check: a claim that was made false on purpose is caught by the solver and by the evaluator; true
// claims are proved.

#include "queries/audit/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "queries/ask/question.h"

namespace mmaspec::check_test {
namespace {

using testing::HasSubstr;

Portfolio solvers() { return Portfolio("auto", {}); }

/// An instruction with the claim 0 <= d <= `high` about its result.
Instruction with_claim(const Instruction& instruction, const Integer& high) {
  Instruction claiming = instruction;
  claiming.algorithm = Custom{"claiming", [given = instruction.algorithm, high](
                                              const DotFormats& formats, const DotOperands& in) {
                                return claim(given.build(formats, in), 0, high);
                              }};
  return claiming;
}

const Instruction& volta() {
  static const Instruction instruction = find_instruction("volta/mma.m8n8k4.f32.f16.f16.f32");
  return instruction;
}

TEST(Check, ProvesTrueClaims) {
  // 0xff800000, -infinity, is the largest pattern: the only NaN has no sign.
  const CheckResult result = check(with_claim(volta(), Integer(0xff800000)), 32, 0, solvers());
  EXPECT_EQ(result.verdict, CheckVerdict::sound) << result.problem;
  EXPECT_GE(result.claims, 1U);
  EXPECT_EQ(result.claims_proved, result.claims);
  EXPECT_EQ(result.samples, 32U);
  EXPECT_EQ(result.encoder_samples, 8U);
  EXPECT_EQ(result.problem, "");
}

TEST(Check, HasTheSolverCatchAFalseClaim) {
  const CheckResult result = check(with_claim(volta(), Integer(0xff7fffff)), 32, 0, solvers());
  EXPECT_EQ(result.verdict, CheckVerdict::unsound);
  EXPECT_EQ(result.claims_proved + 1, result.claims);
  EXPECT_THAT(result.problem,
              testing::AllOf(HasSubstr("is false"), HasSubstr("a[0]=0x"), HasSubstr("4286578687")));
}

TEST(Check, GivesInputsOnWhichTheClaimFails) {
  const Instruction claiming = with_claim(volta(), Integer(0x7fffffff));
  const DotModel model(claiming.algorithm, claiming.formats);
  DotValues values;
  values.a.resize(4, 0);
  values.b.resize(4, 0);
  values.c = 1;
  EXPECT_EQ(model.run(values), 1);
  values.c = Integer(0x80000001);
  EXPECT_THROW(model.run(values), ClaimViolated);
}

TEST(Check, HasTheEvaluatorCatchAFalseClaim) {
  const CheckResult result = check(with_claim(volta(), 0x7fffffff), 200, 0, no_solvers());
  EXPECT_EQ(result.verdict, CheckVerdict::unsound);
  EXPECT_THAT(result.problem, HasSubstr("a claim of the specification is false"));
  EXPECT_LT(result.samples, 200U);
}

TEST(Check, IsUndecidedWithoutSolvers) {
  const CheckResult result = check(with_claim(volta(), Integer(0xff800000)), 10, 0, no_solvers());
  EXPECT_EQ(result.verdict, CheckVerdict::undecided);
  EXPECT_EQ(result.claims_proved, 0U);
}

TEST(CheckClaims, TellsEachFalseOneOfSeveral) {
  Graph graph;
  std::vector<NodeId> roots;
  {
    const Graph::Building building(graph);
    const Int x = input("x", 8);
    const Int y = input("y", 8);
    const Int square = x * x - 2 * (x * y) + y * y;
    roots.push_back(claim(square, 0, 65025).id());  // (x - y)^2: interval arithmetic does not find
                                                    // it
    roots.push_back(claim(square, 0, 65024).id());  // false only for 0 and 255
    roots.push_back(claim(x - y, -254, 255).id());  // false for 0 - 255
    roots.push_back(claim(x + 3 * y, 0, 1020).id());
  }
  const CheckResult result = check_claims(graph, roots, solvers());
  EXPECT_EQ(result.verdict, CheckVerdict::unsound);
  EXPECT_GE(result.claims, 3U);
  EXPECT_EQ(result.claims - result.claims_proved, 2U) << result.problem;
  EXPECT_THAT(result.problem, HasSubstr("65024] is false"));
  EXPECT_THAT(result.problem, HasSubstr("[-254, 255] is false x=0x0 y=0xff"));
}

TEST(CheckClaims, OfNoClaimIsSound) {
  Graph graph;
  NodeId root = 0;
  {
    const Graph::Building building(graph);
    root = (input("x", 4) + 1).id();
  }
  const CheckResult result = check_claims(graph, {root}, no_solvers());
  EXPECT_EQ(result.verdict, CheckVerdict::sound);
  EXPECT_EQ(result.claims, 0U);
}

TEST(Distinct, ContainsEachParameterSetOnce) {
  const std::vector<Instruction> all = distinct(catalogue());
  EXPECT_LT(all.size(), catalogue().size() * (variants().size() + 1));
  EXPECT_EQ(distinct(all).size(), all.size());
  const auto named = [&](std::string_view name) {
    return std::count_if(all.begin(), all.end(),
                         [&](const Instruction& i) { return i.name() == name; });
  };
  EXPECT_EQ(named("volta/mma.m8n8k4.f32.f16.f16.f32"), 1);
  // Blackwell's has the same algorithm as Hopper's.
  EXPECT_EQ(named("hopper/mma.m16n8k16.f32.f16.f16.f32"), 1);
  EXPECT_EQ(named("blackwell/mma.m16n8k16.f32.f16.f16.f32"), 0);
}

}  // namespace
}  // namespace mmaspec::check_test
