// Plans named as users name them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/cli/process.h"
#include "util/json.h"

namespace mmaspec::cli_test::plan_test {
namespace {

using testing::HasSubstr;

const std::string kHopper = "hopper/mma.m16n8k16.f32.f16.f16.f32";
const std::string kSplit = "plan:split-k(" + kHopper + ",k=64)";
const std::string kChain = "plan:chain(" + kHopper + ",k=64)";

TEST(Plan, IsANameLikeAnyOther) {
  const Outcome differ = mmaspec({"diff", kSplit, kChain, "--json"});
  ASSERT_EQ(differ.status, 1) << differ.err;
  const Json row = Json::parse(differ.out).at("witnesses").at(0);
  EXPECT_EQ(row.at("instr"), kSplit);
  const Folder folder;
  const std::string rows = folder / "rows.jsonl";
  EXPECT_EQ(mmaspec({"diff", kSplit, kChain, "--out", rows}).status, 1);
  EXPECT_EQ(mmaspec({"verify", rows}).status, 0);
  const Outcome show = mmaspec({"show", kSplit});
  EXPECT_EQ(show.status, 0) << show.err;
  EXPECT_THAT(show.out, HasSubstr("parts"));
  EXPECT_EQ(mmaspec({"prove", "commutative", kSplit, "--timeout", "60"}).status, 0);
  EXPECT_EQ(mmaspec({"suite", kSplit, kChain, "--timeout", "60"}).status, 0);
  EXPECT_EQ(mmaspec({"export", kSplit, "--format", "smtlib2"}).status, 0);
}

TEST(Plan, NamesTheParametersOfAScheme) {
  const Outcome help = mmaspec({"show", "--parameters", "promote"});
  EXPECT_EQ(help.status, 0);
  EXPECT_THAT(help.out, HasSubstr("plan:promote(NAME,key=value,...)"));
  EXPECT_THAT(help.out, HasSubstr("every"));
}

TEST(Plan, AgreesOrDiffersForEveryK) {
  const std::string ampere = "ampere/mma.m16n8k16.f32.f16.f16.f32";
  const Outcome same =
      mmaspec({"diff", "ampere/mma.m16n8k8.f32.f16.f16.f32", ampere, "--all-k", "--json"});
  EXPECT_EQ(same.status, 0) << same.err;
  const Json answer = Json::parse(same.out);
  EXPECT_EQ(answer.at("verdict"), "proved");
  EXPECT_EQ(answer.at("all_k").at("multiples_of"), 16);
  const Outcome other = mmaspec({"diff", kHopper, ampere, "--all-k"});
  EXPECT_EQ(other.status, 1);
  EXPECT_THAT(other.out, HasSubstr("K = 16 is the smallest K that both have"));
}

TEST(Plan, HasAnErrorBoundInK) {
  const Outcome outcome = mmaspec({"prove", "error-bound", kSplit, "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json bound = Json::parse(outcome.out).at("bounds").at(0);
  EXPECT_EQ(bound.at("formula"), "(1 + K/32*5*2**-23)*(1 + 1*2**-24)**(2) - 1");
  EXPECT_EQ(bound.at("multiples_of"), 32);
  EXPECT_EQ(bound.at("k"), 64);
  const Outcome unknown =
      mmaspec({"prove", "error-bound", "plan:epilogue(" + kHopper + ",alpha=2)"});
  EXPECT_EQ(unknown.status, 3);
}

TEST(Plan, OfAnyOrderMayDifferFromItself) {
  const auto plan = [](const std::string& more) {
    return "plan:split-k(" + kHopper + ",k=48,parts=3,reduce=atomic" + more + ")";
  };
  const std::string any = plan("-any");
  const Outcome runs = mmaspec({"diff", any, any, "--json"});
  ASSERT_EQ(runs.status, 1) << runs.err;
  const Json row = Json::parse(runs.out).at("witnesses").at(0);
  EXPECT_EQ(row.at("instr"), plan(",order=0"));
  EXPECT_EQ(row.at("other"), plan(",order=5"));
  const std::string two = "plan:split-k(" + kHopper + ",k=32,reduce=atomic-any,c_joins=none)";
  EXPECT_EQ(mmaspec({"diff", two, two}).status, 0);
  expect_refused(mmaspec({"eval", any, "--a", "1", "--b", "1", "--c", "0"}), {"many results"});
  expect_refused(mmaspec({"prove", "equivalent", any, any}), {"many results"});
  expect_refused(mmaspec({"diff", any, any, "--all-k"}), {"is not a chain"});
}

TEST(Plan, IsARowOfATable) {
  const Outcome table = mmaspec({"table", kSplit, "plan:promote(" + kHopper + ",k=64,every=32)",
                                 "--properties", "correctly-rounded", "--timeout", "60", "--json"});
  ASSERT_EQ(table.status, 0) << table.err;
  EXPECT_THAT(table.out, HasSubstr(kSplit));
  EXPECT_THAT(table.out, HasSubstr("refuted"));
}

TEST(Plan, AddsOzakisResiduesOnAnyExactUnit) {
  const std::string s8 = "hopper/mma.m16n8k32.s32.s8.s8.s32";
  const auto residues = [](const std::string& unit, const std::string& more) {
    return "plan:ozaki2(" + unit + ",k=512" + more + ")";
  };
  EXPECT_EQ(mmaspec({"diff", residues(s8, ""), residues(kHopper, "")}).status, 0);
  const Outcome value =
      mmaspec({"eval", residues(s8, ",of=f32"), "--a", "1.5,3", "--b", "2,0.25", "--c", "1"});
  EXPECT_EQ(value.status, 0) << value.err;
  EXPECT_THAT(value.out, HasSubstr("4.75"));
  expect_refused(mmaspec({"eval", residues(s8, ",moduli=30")}), {"moduli"});
  expect_refused(mmaspec({"show", "plan:split-k(" + s8 + ",k=64)"}), {"integer instructions"});
}

TEST(Plan, SaysWhichProductsAreZeros) {
  const std::string zeros = "+0 * +0 for products 1003 to 1007";
  const std::string plan = "plan:split-k(" + kHopper + ",k=1003)";
  const Outcome value = mmaspec({"eval", plan, "--a", "2,3", "--b", "5,7"});
  EXPECT_EQ(value.out, "d = 0x41f80000  0x1.fp+4  31\n" + plan + " has " + zeros + "\n");
  const Outcome differ = mmaspec({"diff", plan, "plan:chain(" + kHopper + ",k=1003)"});
  EXPECT_EQ(differ.status, 1) << differ.err;
  EXPECT_THAT(differ.out, HasSubstr(plan + " has " + zeros));
  const Outcome chains =
      mmaspec({"diff", kHopper, "ada/mma.m16n8k16.f32.f16.f16.f32", "--chain", "19"});
  EXPECT_EQ(chains.status, 1) << chains.err;
  EXPECT_THAT(chains.out, HasSubstr(kHopper + " is executed 2 times, with each result as the next "
                                              "c, and has +0 * +0 for products 19 to 31; ada/"));
  const Outcome one = mmaspec({"eval", kHopper, "--chain", "15", "--a", "1", "--b", "1", "--json"});
  EXPECT_EQ(Json::parse(one.out).at("note"), kHopper + " has +0 * +0 for product 15");
}

TEST(Plan, WitnessesShowTheLargestOfManyProducts) {
  const std::vector<std::string> command{"diff",
                                         kHopper,
                                         "design:sequential-fma(a=f16,b=f16,c=f32,d=f32,k=16)",
                                         "--chain",
                                         "1040",
                                         "--where",
                                         "a[*] == 1 && b[*] == 1"};
  const Outcome few = mmaspec(command);
  ASSERT_EQ(few.status, 1) << few.out << few.err;
  EXPECT_THAT(few.out,
              HasSubstr("... 1,024 more products of smaller magnitude (--full shows all)\n"));
  std::vector<std::string> all = command;
  all.emplace_back("--full");
  const Outcome full = mmaspec(all);
  EXPECT_THAT(full.out,
              testing::AllOf(HasSubstr("k=1039 "), testing::Not(HasSubstr("more products"))));
}

TEST(Plan, RefusesInOneLine) {
  expect_refused(mmaspec({"eval", "plan:splitk(" + kHopper + ")"}), {"did you mean 'split-k'"});
  expect_refused(mmaspec({"show", "plan:split-k(" + kHopper + ",k=16)"}), {"0 products"});
  expect_refused(mmaspec({"diff", kSplit, kChain, "--all-k"}), {"is not a chain"});
  expect_refused(mmaspec({"diff", kHopper, kHopper, "--all-k", "--ulp", "1"}),
                 {"--all-k cannot be combined with"});
  expect_refused(mmaspec({"diff", kHopper, kHopper, "--all-k", "--maximize"}), {"--all-k"});
}

}  // namespace
}  // namespace mmaspec::cli_test::plan_test
