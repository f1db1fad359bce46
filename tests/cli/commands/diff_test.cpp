// diff: witnesses, proofs, and its output if it finds neither.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "concrete/rows/row.h"
#include "queries/numbers/difference.h"
#include "solver/solver.h"
#include "spec/catalog/instruction.h"
#include "spec/formats/text.h"
#include "tests/support/cli/process.h"
#include "util/json.h"

namespace mmaspec::cli_test::diff_test {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

const std::string kVolta = "volta/mma.m8n8k4.f32.f16.f16.f32";
const std::string kFiner = "design:fused-dot-add(k=4,fraction_bits=24,floor=-132)";
const std::string kFiner8 = "turing/mma.m16n8k8.f32.f16.f16.f32";

/// f32 has no two numbers this far apart: true, but only a solver can prove it.
const std::vector<std::string> kNever{"--ulp", "4294967295"};

Outcome diff(std::vector<std::string> arguments, const std::vector<std::string>& more = {}) {
  arguments.insert(arguments.begin(), "diff");
  arguments.insert(arguments.end(), more.begin(), more.end());
  return mmaspec(arguments);
}

/// The JSON output of `diff`, whose exit status must be `status`.
Json answer_of(std::vector<std::string> arguments, int status) {
  arguments.insert(arguments.begin(), "diff");
  return json_of(std::move(arguments), status);
}

std::string by_commas(const std::string& patterns) {
  std::string text = "0x";
  for (const char c : patterns) text += c == ' ' ? ",0x" : std::string(1, c);
  return text;
}

/// The instruction's result for the witness, by eval.
std::string evaluated(const std::string& name, const Json& witness,
                      const std::vector<std::string>& more = {}) {
  std::vector<std::string> command{"eval",
                                   name,
                                   "--json",
                                   "--a",
                                   by_commas(witness.at("a")),
                                   "--b",
                                   by_commas(witness.at("b")),
                                   "--c",
                                   "0x" + witness.at("c").get<std::string>()};
  command.insert(command.end(), more.begin(), more.end());
  const Outcome outcome = mmaspec(command);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  return Json::parse(outcome.out).at("d");
}

Rational value(const Json& pattern) {
  return decode(formats::f32, Integer("0x" + pattern.get<std::string>())).value();
}

TEST(Diff, FindsAWitnessThatEvalConfirms) {
  const Json answer = answer_of({kVolta, kFiner}, 1);
  EXPECT_EQ(answer.at("verdict"), "witness");
  EXPECT_EQ(answer.at("first"), kVolta);
  EXPECT_EQ(answer.at("second"), kFiner);
  ASSERT_EQ(answer.at("witnesses").size(), 1U);
  const Json& witness = answer.at("witnesses").at(0);
  EXPECT_EQ(witness.at("instr"), kVolta);
  EXPECT_EQ(witness.at("other"), kFiner);
  EXPECT_NE(witness.at("d"), witness.at("d_other"));
  EXPECT_EQ(evaluated(kVolta, witness), witness.at("d"));
  EXPECT_EQ(evaluated(kFiner, witness), witness.at("d_other"));
  EXPECT_GE(witness.at("ulp").get<int>(), 1);
}

void expect_that_it_parts_sums_of_1_and_3_bits(const std::string& solver) {
  SCOPED_TRACE(solver);
  const std::string design = "design:fused-dot-add(a=e2m1,c=e5m2,d=e5m2,k=1,fraction_bits=";
  const Json answer =
      answer_of({design + "1)", design + "3)", "--strategies", "none", "--solver", solver}, 1);
  const Json& witness = answer.at("witnesses").at(0);
  EXPECT_EQ(evaluated(design + "1)", witness), witness.at("d"));
  EXPECT_EQ(evaluated(design + "3)", witness), witness.at("d_other"));
}

class DiffWithSolver : public testing::TestWithParam<std::string> {};

TEST_P(DiffWithSolver, FindsAWitness) {
  const std::string& solver = GetParam();
  if (solver == "bitwuzla" && bitwuzla_program().empty()) GTEST_SKIP() << "Bitwuzla is missing";
  if (solver.starts_with("smtlib:")) {
    const std::string program = solver.substr(7, solver.find(' ') - 7);
    if (!has_program(program)) GTEST_SKIP() << "the program " << program << " is missing";
  }
  expect_that_it_parts_sums_of_1_and_3_bits(solver);
}

INSTANTIATE_TEST_SUITE_P(Solvers, DiffWithSolver,
                         testing::Values("auto", "z3", "cvc5", "bitwuzla", "smtlib:z3 -in",
                                         "smtlib:cvc5 --lang smt2 --produce-models"));

TEST(Diff, PrintsInputsAndBothResultsAsText) {
  const Outcome outcome = diff({kVolta, kFiner});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out, AllOf(StartsWith(kVolta + " and " + kFiner + " differ"),
                                 HasSubstr("\n  k=0 "), HasSubstr("\n  c "),
                                 HasSubstr("\n  " + kVolta + " "), HasSubstr("\n  " + kFiner + " "),
                                 HasSubstr(" ulp apart\nevidence: " + kVolta + " ")));
}

TEST(Diff, ProvesEqualExpressionsWithoutASolver) {
  const std::string rest = "/mma.m16n8k16.f32.f16.f16.f32";
  // This solver cannot answer, so no solver was asked.
  const Json answer = answer_of(
      {"hopper" + rest, "blackwell" + rest, "--inputs", "any", "--solver", "smtlib:false"}, 0);
  EXPECT_EQ(answer.at("verdict"), "proved");
  EXPECT_THAT(answer.at("how").get<std::string>(), HasSubstr("no solver"));
  EXPECT_TRUE(answer.at("witnesses").empty());
  const Outcome text = diff({"h100" + rest, "b200" + rest});
  EXPECT_EQ(text.status, 0);
  EXPECT_THAT(text.out, StartsWith("proved: "));
}

TEST(Diff, ProvesWithASolver) {
  const Outcome outcome = diff({kVolta, kFiner}, kNever);
  EXPECT_EQ(outcome.status, 0) << outcome.out;
  EXPECT_THAT(outcome.out, StartsWith("proved: "));
}

TEST(Diff, IsUndecidedWhereNoSolverAnswers) {
  for (const std::string command :
       {"echo unknown", "true", "echo sat", "false", "echo '(error'", "printf '\\377\\000'"}) {
    SCOPED_TRACE(command);
    // Without search, which runs in parallel with the solvers until the time limit.
    std::vector<std::string> arguments{kVolta, kFiner, "--no-search", "--solver",
                                       "smtlib:" + command};
    arguments.insert(arguments.end(), kNever.begin(), kNever.end());
    const Json answer = answer_of(arguments, 3);
    EXPECT_EQ(answer.at("verdict"), "undecided");
    EXPECT_NE(answer.at("how"), "");
  }
  const Outcome late =
      diff({kVolta, kFiner, "--solver", "smtlib:sleep 60", "--timeout", "0.2"}, kNever);
  EXPECT_EQ(late.status, 3);
  EXPECT_THAT(late.out, AllOf(StartsWith("undecided: "), HasSubstr("timed out")));
}

TEST(Diff, IsAContradictionWhereASolverIsWrong) {
  // It answers "satisfiable" to every question, with zeros for all variables.
  const std::string liar =
      "echo sat; sed -n 's/^(declare-const \\(|[^|]*|\\) (_ BitVec [0-9]*))$/(\\1 #b0)/p'";
  const Outcome outcome = diff({kVolta, kFiner, "--solver", "smtlib:" + liar}, kNever);
  EXPECT_EQ(outcome.status, 70);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, StartsWith("mmaspec: internal contradiction"));
}

TEST(Diff, WritesWitnessesThatVerifyReads) {
  const Folder folder;
  const std::string file = folder / "w.jsonl";
  const Json answer = answer_of({kVolta, kFiner, "--count", "5", "--out", file}, 1);
  EXPECT_EQ(folder.files(), 1U);
  const std::vector<std::string> lines = lines_of(content_of(file));
  ASSERT_EQ(lines.size(), 5U);
  for (std::size_t i = 0; i < 5; ++i) {
    Json witness = answer.at("witnesses").at(i);
    witness.erase("values");
    EXPECT_EQ(Json::parse(lines[i]), witness);
  }
  const Outcome verified = mmaspec({"verify", file});
  EXPECT_EQ(verified.status, 0);
  EXPECT_THAT(verified.out, EndsWith("5 passed, 0 failed\n"));
}

TEST(Diff, RemovesAnOldWitnessFromTheFile) {
  const Folder folder;
  const std::string file = folder.write("w.jsonl", "of an earlier run\n");
  EXPECT_EQ(diff({kVolta, "v100" + kVolta.substr(5), "--out", file}).status, 0);
  EXPECT_EQ(content_of(file), "");
  EXPECT_EQ(folder.files(), 1U);
}

TEST(Diff, WritesThroughLinksAndToDevices) {
  const Folder folder;
  const std::string target = folder.write("target", "");
  std::filesystem::create_symlink(target, folder / "link");
  EXPECT_EQ(diff({kVolta, kFiner, "--out", folder / "link"}).status, 1);
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_THAT(content_of(target), StartsWith("{\"instr\""));
  EXPECT_EQ(diff({kVolta, kFiner, "--out", "/dev/null"}).status, 1);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(Diff, FindsWitnessesThatDifferInEveryPair) {
  const Json answer = answer_of({kVolta, kFiner, "--count", "12"}, 1);
  std::set<std::pair<Integer, Integer>> kinds;  // signs and exponents of the results
  for (const Json& w : answer.at("witnesses")) {
    const auto kind = [&](const char* key) {
      return Integer(Integer("0x" + w.at(key).get<std::string>()) >> 23U);
    };
    EXPECT_TRUE(kinds.emplace(kind("d"), kind("d_other")).second) << w;
  }
  EXPECT_EQ(kinds.size(), 12U);
}

TEST(Diff, KeepsTheBounds) {
  const Json by_ulp = answer_of({kVolta, kFiner, "--ulp", "5"}, 1);
  EXPECT_GT(by_ulp.at("witnesses").at(0).at("ulp").get<long>(), 5);

  const Json w = answer_of({kVolta, kFiner, "--abs", "0.2"}, 1).at("witnesses").at(0);
  const Rational far = value(w.at("d")) - value(w.at("d_other"));
  EXPECT_GT(boost::multiprecision::abs(far), Rational(1, 5));

  const Json r = answer_of({kVolta, kFiner, "--rel", "1e-6"}, 1).at("witnesses").at(0);
  const Rational off = value(r.at("d")) - value(r.at("d_other"));
  EXPECT_GT(boost::multiprecision::abs(off),
            boost::multiprecision::abs(value(r.at("d"))) / Rational(1000000));

  const Outcome text = diff({kVolta, kFiner, "--ulp", "1", "--abs", "0.0001"});
  EXPECT_THAT(text.out, HasSubstr("by more than 1 ulp and by more than 0.0001"));
}

TEST(Diff, KeepsToTheGivenInputs) {
  for (const std::string inputs : {"finite", "normal"}) {
    for (const std::string search : {"--no-search", "--no-shrink"}) {
      const Json w =
          answer_of({kVolta, kFiner, "--inputs", inputs, search}, 1).at("witnesses").at(0);
      for (const char* key : {"a", "b"}) {
        const std::string patterns = w.at(key);
        for (std::size_t at = 0; at < patterns.size(); at += 5) {
          const Integer pattern("0x" + patterns.substr(at, 4));
          const Integer magnitude = pattern % 0x8000;
          EXPECT_LT(magnitude, 0x7c00);
          if (inputs == "normal") {
            EXPECT_TRUE(magnitude == 0 || magnitude >= 0x400) << w;
          }
        }
      }
    }
  }
}

TEST(Diff, KeepsToTheConditionGiven) {
  for (const std::string search : {"--no-search", "--no-shrink"}) {
    const Json answer =
        answer_of({kVolta, kFiner, "--where", "c > 1 && d < 0", "--where", "b[*] >= 0", search}, 1);
    EXPECT_EQ(answer.at("where"), Json({"c > 1 && d < 0", "b[*] >= 0"}));
    const Json& w = answer.at("witnesses").at(0);
    EXPECT_GT(value(w.at("c")), 1);
    EXPECT_LT(value(w.at("d")), 0);
    const std::string b = w.at("b");
    for (std::size_t at = 0; at < b.size(); at += 5) {
      const Integer pattern("0x" + b.substr(at, 4));
      EXPECT_TRUE(pattern <= 0x8000) << w;  // -0 counts as 0
    }
  }
  const Outcome none = diff({kVolta, kFiner, "--where", "c > 1 && c < 1"});
  EXPECT_EQ(none.status, 0);
  EXPECT_THAT(none.out, StartsWith("proved, vacuously: "));
  EXPECT_THAT(
      none.out,
      HasSubstr(", inputs finite, where c > 1 && c < 1 (no input satisfies the precondition; "));
  for (const bool maximize : {false, true}) {
    std::vector<std::string> arguments{kVolta, kFiner, "--where", "a[0] < b[0] && b[0] < a[0]"};
    if (maximize) arguments.insert(arguments.begin() + 2, {"--maximize", "ulp"});
    EXPECT_EQ(answer_of(arguments, 0).at("vacuous"), true);
  }
  const Outcome text = diff({kVolta, kFiner, "--where", "c != 0"});
  EXPECT_THAT(text.out, HasSubstr(" differ, inputs finite, where c != 0 (found by "));
  expect_refused(diff({kVolta, kFiner, "--where", "c = 0"}), {"--where", "position 3"});
  expect_refused(diff({kVolta, kFiner, "--maximize", "ulp", "--signed-zero"}), {"--signed-zero"});
  expect_refused(diff({kVolta, kFiner, "--where", "a[9] < 0"}), {"indices are 0 to 3"});
}

// Only values of TF32 are compared: other values the plan rounds to nearest and the unit truncates.
TEST(Diff, StatesTheInputsItCovers) {
  const std::string unit = "hopper/mma.m16n8k8.f32.tf32.tf32.f32";
  const std::string plan = "plan:multiword(" + unit + ",words=1)";
  const Outcome outcome = diff({plan, unit});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              HasSubstr("inputs finite; only values that both formats hold (a, b: f32, "
                        "tf32); a and b rounded to 1 word of tf32 by multiword; tf32 "
                        "operands without their low 13 bits"));
  EXPECT_THAT(outcome.out, HasSubstr("\nevidence: " + unit + " "));
  const Json answer = answer_of({plan, unit}, 0);
  EXPECT_THAT(answer.at("inputs").get<std::string>(),
              HasSubstr("only values that both formats hold"));
  ASSERT_EQ(answer.at("evidence").size(), 1U);
  EXPECT_EQ(answer.at("evidence").at(0).at("unit"), unit);
  EXPECT_EQ(answer_of({plan, unit, "--match", "bits"}, 1).at("verdict"), "witness");
  const Outcome open = diff(
      {"design:fused-dot-add(k=2,fraction_bits=24)", "design:fused-dot-add(k=2,fraction_bits=25)"});
  EXPECT_THAT(open.out, testing::Not(HasSubstr("evidence")));
}

// 0: the bound is attained; 1: larger differences up to the bound remain possible; 3: no bound is
// proved.
TEST(Diff, MaximizeHasAnExitStatusByTheBound) {
  const std::string small = "design:fused-dot-add(a=e2m1,b=e2m1,c=f16,d=f16,k=2,fraction_bits=";
  const Outcome attained = diff({small + "4)", small + "30)", "--maximize", "--timeout", "60"});
  EXPECT_EQ(attained.status, 0) << attained.out;
  EXPECT_THAT(attained.out, StartsWith("proved: "));
  EXPECT_THAT(attained.out, HasSubstr(", and this witness attains it, inputs finite ("));
  // Without solvers, the errors of both bound the difference, and no input attains this bound.
  const std::string wide = "design:fused-dot-add(a=e2m1,b=e2m1,c=e5m2,d=f32,k=8,fraction_bits=";
  const std::vector<std::string> open{
      wide + "6)",    wide + "60)", "--maximize",   "abs",       "--strategies",
      "search,steps", "--solver",   "smtlib:false", "--timeout", "3"};
  const Outcome upper = diff(open);
  EXPECT_EQ(upper.status, 1) << upper.out;
  EXPECT_THAT(upper.out, HasSubstr("larger differences remain possible"));
  EXPECT_EQ(answer_of(open, 1).at("proved"), false);
  const std::vector<std::string> none{kVolta,         kFiner,      "--maximize",
                                      "--strategies", "search",    "--solver",
                                      "smtlib:false", "--timeout", "3"};
  const Outcome lower = diff(none);
  EXPECT_EQ(lower.status, 3) << lower.out;
  EXPECT_THAT(lower.out, StartsWith("lower bound only: "));
  EXPECT_THAT(lower.out, HasSubstr("; no upper bound was proved, inputs finite ("));
  const Json answer = answer_of(none, 3);
  EXPECT_EQ(answer.at("proved"), false);
  EXPECT_TRUE(answer.at("bound").is_null());
}

TEST(Diff, HasNoStatisticsIfNoRowMeetsTheCondition) {
  const std::vector<std::string> asked{kVolta,           kFiner,   "--where",   "a[0] > 60000",
                                       "--distribution", "normal", "--samples", "500"};
  const Outcome outcome = diff(asked);
  EXPECT_THAT(outcome.out,
              HasSubstr("no statistics: of normal data, 500 rows do not satisfy the precondition"));
  const Json statistics = answer_of(asked, outcome.status).at("statistics");
  EXPECT_EQ(statistics.at("results"), 0);
  EXPECT_EQ(statistics.at("unmet"), 500);
  EXPECT_TRUE(statistics.at("share").is_null());
  // About half of the rows.
  const Json half = answer_of({kVolta, kFiner, "--where", "a[0] > 0", "--distribution", "normal",
                               "--samples", "500"},
                              1)
                        .at("statistics");
  EXPECT_EQ(half.at("results").get<int>() + half.at("unmet").get<int>(), 500);
  EXPECT_GT(half.at("results").get<int>(), 150);
  EXPECT_LT(half.at("results").get<int>(), 350);
}

TEST(Diff, ChainsTheShorterUnitAndSaysSo) {
  const Folder folder;
  const std::string file = folder / "w.jsonl";
  const Outcome text = diff({kVolta, kFiner8, "--out", file});
  EXPECT_EQ(text.status, 1);
  EXPECT_THAT(text.out,
              StartsWith(kVolta + " is executed 2 times, with each result as the next c\n"));
  EXPECT_THAT(mmaspec({"verify", file}).out, EndsWith("1 passed, 0 failed\n"));
  const Json answer = answer_of({kVolta, kFiner8}, 1);
  EXPECT_THAT(answer.at("note").get<std::string>(), HasSubstr(kVolta + " is executed 2 times"));
  const Json& w = answer.at("witnesses").at(0);
  EXPECT_EQ(evaluated(kVolta, w, {"--chain", "8"}), w.at("d"));
  EXPECT_EQ(evaluated(kFiner8, w), w.at("d_other"));
  const Json reverse = answer_of({kFiner8, kVolta}, 1).at("witnesses").at(0);
  EXPECT_EQ(evaluated(kFiner8, reverse), reverse.at("d"));
  EXPECT_EQ(evaluated(kVolta, reverse, {"--chain", "8"}), reverse.at("d_other"));
}

TEST(Diff, PadsTheLongerUnitIfAsked) {
  const Folder folder;
  const std::string file = folder / "w.jsonl";
  for (const auto& [first, second] : {std::pair{kVolta, kFiner8}, std::pair{kFiner8, kVolta}}) {
    const Json answer = answer_of({first, second, "--pad", "--out", file}, 1);
    EXPECT_THAT(answer.at("note").get<std::string>(),
                HasSubstr(kFiner8 + " has +0 * +0 for products 4 to 7"));
    const Json& w = answer.at("witnesses").at(0);
    EXPECT_EQ(evaluated(first, w), w.at("d"));
    EXPECT_EQ(evaluated(second, w), w.at("d_other"));
    const Outcome verified = mmaspec({"verify", file});
    EXPECT_THAT(verified.out, EndsWith("1 passed, 0 failed\n")) << verified.err;
  }
}

TEST(Diff, ChainsBothUnitsToACommonLength) {
  const Json answer = answer_of({kVolta, kFiner, "--chain", "12"}, 1);
  const Json& w = answer.at("witnesses").at(0);
  EXPECT_EQ(evaluated(kVolta, w, {"--chain", "12"}), w.at("d"));
  EXPECT_EQ(evaluated(kFiner, w, {"--chain", "12"}), w.at("d_other"));
}

}  // namespace
}  // namespace mmaspec::cli_test::diff_test
