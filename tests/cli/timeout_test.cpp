// --timeout limits a whole command in every mode, also for long chains. The bounds here are loose:
// these tests find commands that do not end.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/cli/process.h"
#include "util/json.h"

namespace mmaspec::cli_test::timeout_test {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

using Arguments = std::vector<std::string>;

const std::string kHopper = "hopper/mma.m16n8k16.f32.f16.f16.f32";
const std::string kCdna3 = "cdna3/v_mfma_f32_16x16x16_f16";

/// Runs it with a time limit of half a second, and kills it after 100 seconds.
Outcome within_half_a_second(Arguments arguments) {
  arguments.insert(arguments.end(), {"--timeout", "0.5"});
  const Outcome outcome = mmaspec(arguments, {.seconds = 100});
  EXPECT_NE(outcome.status, -9) << testing::PrintToString(arguments) << " did not end";
  return outcome;
}

TEST(Timeout, BoundsEveryMode) {
  const std::vector<Arguments> commands{
      {"diff", kHopper, kCdna3, "--maximize"},
      {"diff", kHopper, kCdna3, "--maximize", "abs"},
      {"diff", kHopper, kCdna3, "--maximize", "abs", "--where",
       "c == 0 && exponent(a[*]) <= 0 && exponent(b[*]) <= 0"},
      {"diff", kHopper, kCdna3, "--count", "100000"},
      {"diff", kHopper, kCdna3, "--abs", "1e30", "--no-search"},
      {"diff", kHopper, kCdna3, "--to-the-end"},
      {"diff", kHopper, kCdna3, "--chain", "1024"},
      {"diff", kHopper, kCdna3, "--chain", "1024", "--maximize"},
      {"prove", "error-bound", kHopper, "--bound", "1"},
      {"prove", "error-bound", kHopper, "--bound", "300000", "--no-search"},
      {"prove", "error-bound", kHopper, "--least"},
      {"prove", "carry-bits", kHopper, "--tightest"},
      {"prove", "no-early-overflow", kHopper, "--where", "normal(c)"},
      {"prove", "monotone-product", kHopper, "--confirm"},
      {"prove", "equivalent", kHopper, kCdna3, "--no-search"},
      {"table", kHopper, "--properties", "faithful,error-bound"},
      {"replay", kHopper, kHopper + "@mma-sim", "--decide", "--dry-run"},
      {"check", kHopper, "--samples", "10000000"},
      {"diff", kHopper, kCdna3, "--chain", "16384", "--maximize"},
      {"diff", "plan:chain(" + kHopper + ",k=1024)", kCdna3, "--all-k"},
      {"tolerance", kHopper, kCdna3, "--distribution", "normal", "--samples", "100000000"}};
  for (const Arguments& command : commands) {
    const Outcome outcome = within_half_a_second(command);
    EXPECT_THAT(outcome.status, AnyOf(0, 1, 3))
        << testing::PrintToString(command) << outcome.err << outcome.out;
  }
}

TEST(Timeout, LeavesNoUnfinishedProof) {
  for (const Arguments& command : std::vector<Arguments>{
           {"prove", "error-bound", kHopper, "--bound", "300000", "--strategies", "none"},
           {"diff", kHopper, kCdna3, "--abs", "1e37", "--strategies", "none"}}) {
    Arguments brief = command;
    brief.insert(brief.end(), {"--timeout", "0.01"});
    const Outcome outcome = mmaspec(brief, {.seconds = 100});
    EXPECT_EQ(outcome.status, 3) << outcome.out << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("undecided"));
  }
}

// The statement about the condition is consistent: a witness satisfies it, however little time is
// left to search.
TEST(Timeout, DoesNotReportVacuityIfAWitnessSatisfiesTheCondition) {
  for (const char* seconds : {"0.05", "0.3", "1", "2"}) {
    const Outcome outcome = mmaspec({"prove", "error-bound", kHopper, "--where",
                                     "normal(a[*]) && normal(b[*])", "--timeout", seconds});
    if (outcome.out.find("refuted: ") == std::string::npos) continue;
    EXPECT_THAT(outcome.out, Not(HasSubstr("whether any input satisfies"))) << seconds;
    EXPECT_THAT(outcome.out, Not(HasSubstr("vacuously"))) << seconds;
  }
}

TEST(Timeout, HoldsForTheLongestChains) {
  for (const Arguments& command :
       std::vector<Arguments>{{"diff", kHopper, kCdna3, "--chain", "16384"},
                              {"diff", kHopper, kCdna3, "--chain", "65536"},
                              {"diff", kHopper, kCdna3, "--chain", "65536", "--maximize"}}) {
    const Outcome outcome = within_half_a_second(command);
    EXPECT_THAT(outcome.status, AnyOf(1, 2, 3)) << outcome.out << outcome.err;
  }
  // Even without an effective time limit, the longest are refused because of their size.
  const Outcome outcome =
      mmaspec({"diff", kHopper, kCdna3, "--chain", "65536", "--timeout", "100000"});
  expect_refused(outcome, {"more than", "million expressions"});
}

}  // namespace
}  // namespace mmaspec::cli_test::timeout_test
