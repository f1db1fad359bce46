// --no-trust: no answer rests on an analytical proof, and those of a file of results that do are
// left out. Without it, an answer names its theorem.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/cli/process.h"
#include "util/json.h"

namespace mmaspec::cli_test::no_trust_test {
namespace {

using testing::HasSubstr;
using testing::Not;
using Arguments = std::vector<std::string>;

const std::string kSmall = "design:fused-dot-add(a=e2m1,b=e2m1,c=f16,d=f16,k=2,fraction_bits=10)";
const std::string kHopper = "hopper/mma.m16n8k16.f16.f16.f16.f16";

TEST(NoTrust, AnAnswerNamesItsTheorem) {
  const Outcome argued = mmaspec({"prove", "monotone-c", kHopper});
  EXPECT_EQ(argued.status, 0) << argued.err;
  EXPECT_THAT(argued.out, HasSubstr("theorem: T2"));
  const Json json = json_of({"prove", "monotone-c", kHopper});
  EXPECT_EQ(json.at("by"), "argument");
  EXPECT_EQ(json.at("theorem"), "T2");
  EXPECT_THAT(mmaspec({"help", "theorems"}).out, HasSubstr("\nT2 "));
}

TEST(NoTrust, PropertiesAreProvedByOthersOrStayUndecided) {
  const Json proved = json_of({"prove", "negation-symmetric", kSmall, "--no-trust"});
  EXPECT_EQ(proved.at("verdict"), "proved");
  EXPECT_NE(proved.at("by"), "argument");
  EXPECT_FALSE(proved.contains("theorem"));
  const Outcome open = mmaspec(
      {"prove", "monotone-c", kHopper, "--no-trust", "--solver", "smtlib:false", "--timeout", "5"});
  EXPECT_EQ(open.status, 3);
  EXPECT_THAT(open.out, HasSubstr("undecided"));
  EXPECT_THAT(open.out, Not(HasSubstr("theorem")));
}

TEST(NoTrust, DifferencesAreBoundedByOthersOrNotAtAll) {
  const Arguments bounded{"diff",
                          kHopper,
                          "ampere/mma.m16n8k16.f16.f16.f16.f16",
                          "--where",
                          "abs(a[*]) <= 1 && abs(b[*]) <= 1 && c == 0",
                          "--maximize",
                          "abs",
                          "--solver",
                          "smtlib:false",
                          "--timeout",
                          "5"};
  const Json with = Json::parse(mmaspec([&] {
                                  Arguments a = bounded;
                                  a.emplace_back("--json");
                                  return a;
                                }())
                                    .out);
  EXPECT_EQ(with.at("theorem"), "T18");
  EXPECT_FALSE(with.at("bound").is_null());
  const Json without = Json::parse(mmaspec([&] {
                                     Arguments a = bounded;
                                     a.insert(a.end(), {"--json", "--no-trust"});
                                     return a;
                                   }())
                                       .out);
  EXPECT_FALSE(without.contains("theorem"));
  EXPECT_TRUE(without.at("bound").is_null());
}

TEST(NoTrust, TablesLeaveOutAnswersOnFile) {
  const Folder folder;
  const std::string file = folder / "r.jsonl";
  const Arguments asked{"table", "--properties", "monotone-c", kHopper,    "--results",
                        file,    "--timeout",    "5",          "--solver", "smtlib:false"};
  EXPECT_EQ(mmaspec(asked).status, 0);
  EXPECT_THAT(content_of(file), HasSubstr("\"by\":\"argument\""));
  Arguments shown = asked;
  shown.insert(shown.end(), {"--no-trust", "--render-only", "--format", "csv"});
  const Outcome rendered = mmaspec(shown);
  EXPECT_EQ(rendered.status, 3);
  EXPECT_THAT(rendered.out, Not(HasSubstr("argument")));
  Arguments again = asked;
  again.emplace_back("--no-trust");
  EXPECT_EQ(mmaspec(again).status, 3);
  // The file keeps what was known before.
  EXPECT_EQ(mmaspec(asked).status, 0);
}

TEST(NoTrust, MatricesLeaveOutAnswersOnFile) {
  const Folder folder;
  const std::string file = folder / "m.jsonl";
  const Arguments asked{"matrix",
                        "design:fused-dot-add(a=e2m1,c=f16,d=f16,k=3,fraction_bits=40)",
                        "design:exact-dot-add(a=e2m1,c=f16,d=f16,k=3,round=rz)",
                        "--results",
                        file,
                        "--timeout",
                        "2",
                        "--solver",
                        "smtlib:false"};
  EXPECT_EQ(mmaspec(asked).status, 0);
  EXPECT_THAT(content_of(file), HasSubstr("\"by\":\"argument\""));
  Arguments untrusting = asked;
  untrusting.emplace_back("--no-trust");
  EXPECT_EQ(mmaspec(untrusting).status, 3);
  EXPECT_EQ(mmaspec(asked).status, 0);
}

TEST(NoTrust, WhatOnlyATheoremAnswersIsRefused) {
  const auto refused = [](const Arguments& arguments, const std::string& says) {
    const Outcome outcome = mmaspec(arguments);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.err, HasSubstr(says));
    EXPECT_EQ(outcome.out, "");
  };
  refused({"prove", "monotone-c", kHopper, "--no-trust", "--strategies", "steps"},
          "--no-trust and the strategy 'steps' exclude each other");
  refused({"prove", "error-bound", "plan:split-k(" + kHopper + ",k=64,parts=2)", "--no-trust"},
          "--no-trust: bounds for every K rest on the theorem T16");
  refused({"table", kHopper, "--no-trust", "--before-arguments", "1"},
          "--no-trust and --before-arguments exclude each other");
}

}  // namespace
}  // namespace mmaspec::cli_test::no_trust_test
