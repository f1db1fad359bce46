// --link: the explorer's permalinks. tests/web/ shows in a browser that the page reads them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/cli/process.h"
#include "util/json.h"

namespace mmaspec::cli_test::link_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

const std::string kVolta = "volta/mma.m8n8k4.f32.f16.f16.f32";
const std::string kFiner = "design:fused-dot-add(k=4,fraction_bits=24,floor=-132)";

TEST(Link, HoldsTheQuestionAndTheWitness) {
  const Outcome outcome = mmaspec({"diff", kVolta, kFiner, "--inputs", "normal", "--link", "--json",
                                   "--where", "a[0] >= 1 && c > 0"});
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  const Json answer = Json::parse_or_discard(outcome.out);
  const std::string link = answer.value("link", "");
  EXPECT_THAT(link, StartsWith("#/compare?u=" + kVolta + "&u=" + kFiner + "&a=0x"));
  EXPECT_THAT(link, HasSubstr("&c=0x" + answer["witnesses"][0].value("c", "?") + "&"));
  EXPECT_THAT(link, AllOf(HasSubstr("&inputs=normal"),
                          HasSubstr("&where=a[0]%20%3E=%201%20%26%26%20c%20%3E%200")));
}

TEST(Link, OfAPropertyHoldsTheInputThatRefutesIt) {
  const Outcome outcome = mmaspec({"prove", "monotone-product", kVolta, "--link"});
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("\nlink: #/ask?property=monotone-product&u=" + kVolta),
                                 HasSubstr("&a=0x"), HasSubstr("&x=")));
}

TEST(Link, IsPrintedOnlyOnDemand) {
  const Outcome outcome = mmaspec({"diff", kVolta, kFiner});
  EXPECT_THAT(outcome.out, testing::Not(HasSubstr("link")));
}

TEST(Link, IsRefusedForQuestionsThatThePageCannotAsk) {
  const Outcome outcome = mmaspec({"diff", kVolta, kFiner, "--pad", "--link"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("--pad"));
}

}  // namespace
}  // namespace mmaspec::cli_test::link_test
