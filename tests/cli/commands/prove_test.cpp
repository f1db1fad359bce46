// prove: its answers, exit statuses, files and refusals.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "queries/property/property.h"
#include "tests/support/cli/process.h"
#include "tests/support/prove_designs.h"
#include "util/json.h"

namespace mmaspec::cli_test::proving_test {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

const std::string kVolta = "volta/mma.m8n8k4.f32.f16.f16.f32";
const std::string kHopper = "hopper/mma.m16n8k16.f32.f16.f16.f32";
const std::string kAmpere = "ampere/mma.m16n8k16.f32.f16.f16.f32";
const std::string kFiveTerms = "design:fused-dot-add(a=f16,b=f16,c=f32,d=f32,k=4,fraction_bits=23)";

Outcome prove(std::vector<std::string> arguments, const std::vector<std::string>& more = {}) {
  arguments.insert(arguments.begin(), "prove");
  arguments.insert(arguments.end(), more.begin(), more.end());
  return mmaspec(arguments);
}

Json answer_of(std::vector<std::string> arguments, int status) {
  arguments.insert(arguments.begin(), "prove");
  return json_of(std::move(arguments), status);
}

std::string by_commas(const std::string& patterns) {
  std::string text = "0x";
  for (const char c : patterns) text += c == ' ' ? ",0x" : std::string(1, c);
  return text;
}

/// The output of eval for a run of a witness.
Outcome evaluated(const Json& run, const std::vector<std::string>& more) {
  std::vector<std::string> command{
      "eval", run.at("instr"),        "--a", by_commas(run.at("a")),
      "--b",  by_commas(run.at("b")), "--c", "0x" + run.at("c").get<std::string>()};
  command.insert(command.end(), more.begin(), more.end());
  return mmaspec(command);
}

TEST(Prove, ListsAllProperties) {
  const Outcome text = prove({"--list"});
  EXPECT_EQ(text.status, 0);
  EXPECT_EQ(lines_of(text.out).size(), properties().size());
  const Outcome lines = prove({"--list", "--json"});
  EXPECT_EQ(lines.status, 0);
  std::size_t i = 0;
  for (const std::string& line : lines_of(lines.out)) {
    const Json object = Json::parse(line);
    EXPECT_EQ(object.at("property"), properties().at(i)->name());
    EXPECT_NE(object.at("says"), "");
    EXPECT_NE(object.at("source"), "");
    EXPECT_EQ(object.at("names"), properties().at(i)->of_two() ? 2 : 1);
    EXPECT_THAT(text.out, HasSubstr(object.at("says").get<std::string>()));
    ++i;
  }
  EXPECT_EQ(i, properties().size());
}

TEST(Prove, RefutesWithAWitness) {
  const Json answer = answer_of({"monotone-c", kVolta}, 1);
  EXPECT_EQ(answer.at("property"), "monotone-c");
  EXPECT_EQ(answer.at("instr"), kVolta);
  EXPECT_EQ(answer.at("verdict"), "refuted");
  EXPECT_NE(answer.at("how"), "");
  EXPECT_GE(answer.at("seconds").get<double>(), 0);
  EXPECT_EQ(answer.at("cases"), 1);
  ASSERT_EQ(answer.at("witness").size(), 2U);
  EXPECT_FALSE(answer.at("attempts").empty());
  for (const Json& run : answer.at("witness")) EXPECT_NE(run.at("run"), "");
  const Outcome text = prove({"monotone-c", kVolta});
  EXPECT_EQ(text.status, 1);
  EXPECT_EQ(text.err, "");
  EXPECT_THAT(text.out,
              AllOf(StartsWith("refuted: monotone-c of " + kVolta), HasSubstr("\n  k=0 "),
                    HasSubstr("\n  d "), HasSubstr("stages at which the two evaluations differ")));
  EXPECT_THAT(prove({"accumulator-preserved", "ada/mma.m16n8k16.f32.e4m3.e4m3.f32"}).out,
              AllOf(HasSubstr("exact, to nearest"), HasSubstr("stages")));
}

TEST(Prove, ProvesWithoutASolver) {
  // This solver cannot answer, so no solver was asked.
  const Json answer = answer_of({"permutation-invariant", kHopper, "--solver", "smtlib:false"}, 0);
  EXPECT_EQ(answer.at("verdict"), "proved");
  EXPECT_THAT(answer.at("how").get<std::string>(), HasSubstr("no solver"));
  EXPECT_EQ(answer.at("cases"), 15);
  EXPECT_EQ(answer.at("cases_proved"), 15);
  EXPECT_TRUE(answer.at("witness").empty());
  EXPECT_FALSE(answer.contains("within"));
  EXPECT_THAT(
      prove({"commutative", kHopper}).out,
      AllOf(StartsWith("proved: commutative of " + kHopper), HasSubstr(", inputs finite (")));
}

TEST(Prove, PermutesWithinBlocks) {
  const Json answer = answer_of({"permutation-invariant", kAmpere, "--within", "8"}, 0);
  EXPECT_EQ(answer.at("within"), 8);
  EXPECT_EQ(answer.at("verdict"), "proved");
  const Json whole = answer_of({"permutation-invariant", kAmpere}, 1);
  EXPECT_EQ(whole.at("case"), "k = 7 and 8 swapped");
}

TEST(Prove, IsUndecidedWhereNoSolverAnswers) {
  const std::string design = prove_test::cut("8", "12");
  const Json answer =
      answer_of({"no-spurious-nan", design, "--no-search", "--solver", "smtlib:echo unknown"}, 3);
  EXPECT_EQ(answer.at("verdict"), "undecided");
  EXPECT_NE(answer.at("how"), "");
  EXPECT_TRUE(answer.at("witness").empty());
  const Outcome text = prove({"no-spurious-nan", design, "--no-search", "--solver",
                              "smtlib:sleep 60", "--timeout", "0.2"});
  EXPECT_EQ(text.status, 3);
  EXPECT_THAT(text.out, StartsWith("undecided: no-spurious-nan of "));
}

TEST(Prove, ConfirmsByASecondSolver) {
  const Json answer =
      answer_of({"no-spurious-nan", prove_test::cut("1", "12"), "--no-search", "--confirm"}, 0);
  EXPECT_EQ(answer.at("verdict"), "proved");
  const auto how = answer.at("how").get<std::string>();
  const auto by = answer.at("confirmed_by").get<std::string>();
  for (const char* solver : {"z3", "cvc5", "bitwuzla"}) {
    EXPECT_FALSE(how.ends_with(solver) && by.ends_with(solver)) << how << " / " << by;
  }
}

TEST(Prove, SaysIfAPropertyDoesNotApply) {
  const std::vector<std::string> asked{"commutative",
                                       "design:fused-dot-add(a=e5m2,b=e4m3,k=2,fraction_bits=9)"};
  const Outcome text = prove(asked);
  EXPECT_EQ(text.status, 0);
  EXPECT_THAT(text.out, AllOf(StartsWith("not applicable: "), HasSubstr("different formats")));
  EXPECT_EQ(answer_of(asked, 0).at("verdict"), "not applicable");
}

TEST(Prove, AcceptsABoundOrFindsTheLeastOne) {
  const Json refuted = answer_of({"carry-bits", kFiveTerms, "--bound", "2"}, 1);
  EXPECT_EQ(refuted.at("bound"), "2");
  EXPECT_EQ(refuted.at("verdict"), "refuted");
  EXPECT_EQ(answer_of({"carry-bits", kFiveTerms, "--bound", "3"}, 0).at("verdict"), "proved");
  for (const std::vector<std::string>& least :
       std::vector<std::vector<std::string>>{{"--least"}, {"--tightest"}, {}}) {
    std::vector<std::string> arguments{"carry-bits", kFiveTerms};
    arguments.insert(arguments.end(), least.begin(), least.end());
    const Json answer = answer_of(arguments, 0);
    EXPECT_EQ(answer.at("verdict"), "proved");
    EXPECT_EQ(answer.at("proved"), "3");
    EXPECT_EQ(answer.at("refuted"), "2");
    EXPECT_EQ(answer.at("proof").at("verdict"), "proved");
    EXPECT_EQ(answer.at("refutation").at("verdict"), "refuted");
    EXPECT_FALSE(answer.at("refutation").at("witness").empty());
  }
  EXPECT_THAT(prove({"carry-bits", kFiveTerms, "--least"}).out,
              AllOf(StartsWith("proved: carry-bits of "), HasSubstr(" is at most 3 "),
                    HasSubstr(" is more than 2 ")));
}

// JSON has bounds as fractions if no short decimal is exact. The command reads them back.
TEST(Prove, TakesAFractionAsABound) {
  const std::string design = "design:fused-dot-add(a=e2m1,c=f16,d=f16,k=2,fraction_bits=20)";
  const Json decimal = answer_of({"error-bound", design, "--bound", "64449/4096"}, 0);
  EXPECT_EQ(decimal.at("bound"), "15.734619140625");
  const Json fraction = answer_of({"error-bound", design, "--bound", "47/3"}, 0);
  EXPECT_EQ(fraction.at("bound"), "47/3");
  EXPECT_EQ(
      answer_of({"error-bound", design, "--bound", fraction.at("bound").text()}, 0).at("verdict"),
      "proved");
  expect_refused(mmaspec({"prove", "error-bound", design, "--bound", "1/0"}), {"1/0"});
}

TEST(Prove, TakesTheStrategiesThatHelpNames) {
  EXPECT_EQ(prove({"commutative", kHopper, "--strategies", "all"}).status, 0);
}

TEST(Prove, KeepsToTheConditionGiven) {
  const Json answer =
      answer_of({"monotone-c", kVolta, "--where", "c > 1 && c < 64", "--where", "!zero(a[3])"}, 1);
  EXPECT_EQ(answer.at("where").size(), 2U);
  const Json& run = answer.at("witness").at(0);
  const Integer c("0x" + run.at("c").get<std::string>());
  EXPECT_GT(c, 0x3f800000);
  EXPECT_LT(c, 0x42800000);
  EXPECT_NE(run.at("a").get<std::string>().substr(15), "0000");
}

TEST(Prove, SaysWhereAProofIsVacuous) {
  const Json none = answer_of({"commutative", kVolta, "--where", "c > 1", "c < 1"}, 0);
  EXPECT_EQ(none.at("verdict"), "proved");
  EXPECT_EQ(none.at("vacuous"), true);
  EXPECT_EQ(answer_of({"commutative", kVolta, "--where", "c > 1"}, 0).at("vacuous"), false);
  EXPECT_FALSE(answer_of({"commutative", kVolta}, 0).contains("vacuous"));
  EXPECT_THAT(prove({"commutative", kVolta, "--where", "c > 1", "c < 1"}).out,
              AllOf(StartsWith("proved, vacuously: commutative of "),
                    HasSubstr(", no input satisfies the precondition (")));
  const Json least = answer_of({"carry-bits", kFiveTerms, "--least", "--where", "c != c"}, 0);
  EXPECT_EQ(least.at("vacuous"), true);
}

TEST(Prove, AcceptsConditionsAsSeveralWordsAndOneListOfStrategies) {
  const Json answer = answer_of({"monotone-c", kVolta, "--where", "c > 1", "c < 64"}, 1);
  EXPECT_EQ(answer.at("where").size(), 2U);
  expect_refused(prove({"--where", "c > 1", "monotone-c", kVolta}), {"--where", "put it last"});
  EXPECT_EQ(prove({"--strategies", "search,steps", "monotone-c", kVolta}).status, 1);
}

TEST(Prove, WritesRunsThatVerifyAccepts) {
  const Folder folder;
  const std::string file = folder / "w.jsonl";
  const Json answer = answer_of({"monotone-c", kVolta, "--out", file}, 1);
  const std::vector<std::string> lines = lines_of(content_of(file));
  ASSERT_EQ(lines.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    Json run = answer.at("witness").at(i);
    run.erase("run");
    run.erase("values");
    EXPECT_EQ(Json::parse(lines[i]), run);
  }
  EXPECT_THAT(mmaspec({"verify", file}).out, EndsWith("2 passed, 0 failed\n"));
  EXPECT_EQ(prove({"commutative", kHopper, "--out", file}).status, 0);
  EXPECT_EQ(content_of(file), "");  // witnesses of an earlier run are removed
  EXPECT_EQ(folder.files(), 1U);
}

TEST(Prove, WitnessesHaveTheResultsOfEval) {
  std::mt19937_64 random(20);
  const auto& designs = prove_test::designs();
  for (int i = 0; i < 20; ++i) {
    const prove_test::Design& design = designs[random() % designs.size()];
    std::vector<std::string> arguments{design.property};
    arguments.insert(arguments.end(), design.breaks.begin(), design.breaks.end());
    arguments.insert(arguments.end(), {"--seed", std::to_string(random() % 1000)});
    if (!design.bound.empty()) arguments.insert(arguments.end(), {"--bound", design.bound});
    if (random() % 2 == 0) arguments.emplace_back("--no-shrink");
    SCOPED_TRACE(testing::PrintToString(arguments));
    const Json answer = answer_of(arguments, 1);
    for (const Json& run : answer.at("witness")) {
      const Outcome object = evaluated(run, {"--trace", "--json"});
      ASSERT_EQ(object.status, 0) << object.err;
      EXPECT_EQ(Json::parse(object.out).at("d"), run.at("d"));
      const Outcome text = evaluated(run, {"--trace"});
      EXPECT_THAT(text.out, HasSubstr("0x" + run.at("d").get<std::string>()));
    }
  }
}

TEST(Prove, RefusesBadUsage) {
  expect_refused(prove({}), {"expected a property and an instruction", "--list"});
  expect_refused(prove({"monotne-c", kVolta}), {"monotne-c", "did you mean 'monotone-c'?"});
  expect_refused(prove({"nothing-like-it", kVolta}), {"nothing-like-it", "prove --list"});
  expect_refused(prove({"monotone-c"}), {"monotone-c", "1 instruction,", "got 0"});
  expect_refused(prove({"monotone-c", kVolta, kHopper}), {"1 instruction,", "got 2"});
  expect_refused(prove({"equivalent", kVolta}), {"2 instructions", "got 1"});
  expect_refused(prove({"monotone-c", "volta/mma.m8n8k4.f32.f16.f16.f33"}),
                 {"did you mean '" + kVolta + "'?"});
  expect_refused(prove({"equivalent", kVolta, "volta/mma.m8n8k4.f16.f16.f16.f16"}), {"formats"});
  expect_refused(prove({"monotone-c", kVolta, "--bound", "3"}),
                 {"cannot be combined with --bound"});
  expect_refused(prove({"monotone-c", kVolta, "--least"}), {"cannot be combined with --bound"});
  expect_refused(prove({"carry-bits", kFiveTerms, "--bound", "x"}), {"x"});
  expect_refused(prove({"carry-bits", kFiveTerms, "--bound", ""}), {"--bound"});
  expect_refused(prove({"carry-bits", kFiveTerms, "--bound", "1.5"}), {"number of bits"});
  expect_refused(prove({"carry-bits", kFiveTerms, "--bound", "-1"}), {"negative"});
  expect_refused(prove({"permutation-invariant", kVolta, "--within", "0"}), {"--within"});
  expect_refused(prove({"monotone-c", kVolta, "--where", "c <"}), {"--where", "position 4"});
  expect_refused(prove({"monotone-c", kVolta, "--where", "a[4] < 1"}), {"indices are 0 to 3"});
  expect_refused(prove({"monotone-c", kVolta, "--out", "/nowhere/at/all"}), {"/nowhere/at/all"});
  expect_refused(prove({"monotone-c", kVolta, "--solver", "yices"}), {"yices"});
  expect_refused(prove({"monotone-c", kVolta, "--timeout", "0"}), {"--timeout"});
  expect_refused(prove({"monotone-c", kVolta, "--strategies", "luck"}), {"luck"});
  expect_refused(prove({"monotone-c", kVolta, "--no-such-option"}), {"--no-such-option"});
}

TEST(Prove, IsAContradictionWhereASolverIsWrong) {
  const std::string liar =
      "echo sat; sed -n 's/^(declare-const \\(|[^|]*|\\) (_ BitVec [0-9]*))$/(\\1 #b0)/p'";
  const Outcome outcome = prove({"no-spurious-nan", prove_test::cut("1", "12"), "--strategies",
                                 "none", "--solver", "smtlib:" + liar});
  EXPECT_EQ(outcome.status, 70);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, StartsWith("mmaspec: internal contradiction"));
}

}  // namespace
}  // namespace mmaspec::cli_test::proving_test
