// SMT-LIB 2 programs as backends: different outputs and failures.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/lang/backends.h"
#include "tests/support/lang/solve.h"

namespace mmaspec::lang_test::smtlib_test {
namespace {

using testing::HasSubstr;

/// Asks a shell command whether an x of 8 bits is 44.
Answer ask_command(const std::string& command, Limits limits = {20, std::size_t{8} << 30}) {
  BvTerms terms;
  const TermId x = terms.variable("a[0]", 8);
  const Query query{&terms, {terms.eq(x, terms.constant(44, 8))}};
  return ask(smtlib_backend(command), query, limits);
}

TEST(SmtLibProgram, MustBeThere) {
  try {
    const Portfolio portfolio("smtlib:no-such-solver -in", Limits{});
    FAIL() << "was taken";
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), HasSubstr("'no-such-solver'"));
  }
  EXPECT_THROW(Portfolio("smtlib:", Limits{}), std::invalid_argument);
  EXPECT_THROW(Portfolio("smtlib:/no/such/solver", Limits{}), std::invalid_argument);
}

TEST(SmtLibProgram, IsGivenTheScriptOnItsStandardInput) {
  EXPECT_EQ(ask_command("grep -q '(assert t' && echo unsat").verdict, Verdict::unsatisfiable);
}

TEST(SmtLibProgram, MayPrintValuesInAnyNotation) {
  for (const std::string value : {"#x2c", "#b00101100", "(_ bv44 8)"}) {
    for (const std::string symbol : {"|a[0]|", "a[0]"}) {
      const Answer answer =
          ask_command("printf '; hello\\nsat\\n((" + symbol + " " + value + "))'");
      ASSERT_EQ(answer.verdict, Verdict::satisfiable) << answer.reason;
      EXPECT_EQ(answer.model.at("a[0]"), 44);
    }
  }
}

TEST(SmtLibProgram, MayBreakLinesBetweenASymbolAndItsValue) {
  const Answer answer = ask_command("printf 'sat\\n((|a[0]|\\n   #x2c))\\n'");
  ASSERT_EQ(answer.verdict, Verdict::satisfiable) << answer.reason;
  EXPECT_EQ(answer.model.at("a[0]"), 44);
}

TEST(SmtLibProgram, ThatPrintsSomethingElseGivesUnknown) {
  for (const std::string output : {"garbage", "unknown", "", "(error \"what?\")", "unsatisfied"}) {
    const Answer answer = ask_command("printf '%s\\n' '" + output + "'");
    EXPECT_EQ(answer.verdict, Verdict::unknown) << output;
    EXPECT_THAT(answer.reason, HasSubstr("answered '" + output + "'"));
  }
}

TEST(SmtLibProgram, ThatFindsAModelMustGiveIt) {
  for (const std::string output :
       {"sat", "sat\\n(error no model)", "sat\\n((|a[0]| ?))", "sat\\n((|b| #x2c))",
        "sat\\n((|a[0]| #x))", "sat\\n((|a[0]| "}) {
    const Answer answer = ask_command("printf '" + output + "\\n'");
    EXPECT_EQ(answer.verdict, Verdict::unknown) << output;
    EXPECT_FALSE(answer.reason.empty());
  }
}

TEST(SmtLibProgram, ThatFailsGivesUnknown) {
  EXPECT_EQ(ask_command("sh -c 'kill -SEGV $$'").verdict, Verdict::unknown);
  EXPECT_EQ(ask_command("false").verdict, Verdict::unknown);
  EXPECT_EQ(ask_command("sh -c 'echo oops >&2; exit 1' 2> /dev/null").verdict, Verdict::unknown);
}

TEST(SmtLibProgram, ThatHangsIsEndedWithAllThatItStarted) {
  Lifeline lifeline;
  const Answer answer = ask_command("sh -c 'sh -c \"sleep 60\"; echo unsat'", Limits{0.3});
  EXPECT_EQ(answer.verdict, Verdict::unknown);
  EXPECT_THAT(answer.reason, HasSubstr("timed out"));
  EXPECT_TRUE(lifeline.all_ended());
}

TEST(SmtLibProgram, ThatPrintsForeverAffectsOnlyItsAttempt) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "memory is not limited under AddressSanitizer";
#endif
  const Answer answer = ask_command("yes", Limits{20, std::size_t{1} << 29});
  EXPECT_EQ(answer.verdict, Verdict::unknown);
  EXPECT_FALSE(answer.reason.empty());
}

TEST(SmtLibProgram, RunsAsAPortfolio) {
  if (!on_path("z3")) GTEST_SKIP() << "z3 is not on the PATH";
  BvTerms terms;
  const TermId x = terms.variable("c", 33);
  const Answer answer = Portfolio("smtlib:z3 -in", Limits{})
                            .ask({&terms, {terms.eq(x, terms.constant(0x1234567890LL, 33))}});
  ASSERT_EQ(answer.verdict, Verdict::satisfiable) << answer.reason;
  EXPECT_EQ(answer.model.at("c"), 0x1234567890LL % (1LL << 33));
  EXPECT_EQ(answer.solver, "smtlib:z3 -in");
}

}  // namespace
}  // namespace mmaspec::lang_test::smtlib_test
