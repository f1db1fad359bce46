// Patterns of designs, the Pareto front, and the command that explores them.

#include "queries/studies/explore/explore.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "queries/studies/explore/expand.h"
#include "tests/support/cli/process.h"
#include "util/json.h"

namespace mmaspec::explore_test {
namespace {

using cli_test::Folder;
using cli_test::has_program;
using cli_test::mmaspec;
using cli_test::Outcome;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

std::vector<std::string> names(const std::string& pattern) {
  std::vector<std::string> all;
  for (const Expanded& e : expand(pattern)) all.push_back(e.name);
  return all;
}

TEST(Expand, RangesAndAlternativesAreCombined) {
  EXPECT_THAT(names("design:x(k=4)"), ElementsAre("design:x(k=4)"));
  EXPECT_THAT(names("design:x(k=4..5,round=rz|rne)"),
              ElementsAre("design:x(k=4,round=rz)", "design:x(k=4,round=rne)",
                          "design:x(k=5,round=rz)", "design:x(k=5,round=rne)"));
  EXPECT_THAT(names("design:x( e = -2..-1 | 7 )"),
              ElementsAre("design:x( e =-2)", "design:x( e =-1)", "design:x( e =7)"));
  EXPECT_THAT(expand("design:x(k=4,r=a|b)")[1].chosen, ElementsAre(Pair("r", "b")));
}

TEST(Expand, EmptyRangesAndTooManyDesignsAreRefused) {
  EXPECT_THROW(expand("design:x(k=5..4)"), std::invalid_argument);
  EXPECT_THROW(expand("design:x(k=1..200,e=1..200)"), std::invalid_argument);
  EXPECT_THROW(expand("design:x(k=0..999999)"), std::invalid_argument);
}

TEST(Requirement, IsAPropertyWithOrWithoutANumber) {
  EXPECT_EQ(parse_requirement("monotone-c").property->name(), "monotone-c");
  EXPECT_EQ(parse_requirement("error-bound <= 2").at_most, Rational(2));
  EXPECT_EQ(parse_requirement("error-bound<=5/2").at_most, Rational(5, 2));
  EXPECT_THROW(parse_requirement("error-bound <= x"), std::invalid_argument);
  EXPECT_THROW(parse_requirement("monotone-x"), std::invalid_argument);
  EXPECT_THROW(parse_requirement("equivalent"), std::invalid_argument);
}

ExploredDesign design(mmaspec::Outcome verdict, std::optional<std::size_t> nodes,
                      std::size_t depth = 1, std::optional<Rational> bound = Rational(1)) {
  ExploredDesign d;
  d.verdict = verdict;
  if (nodes) d.cost = rtl::Cost{*nodes, depth, std::nullopt};
  d.bound.proved = std::move(bound);
  return d;
}

using enum mmaspec::Outcome;

std::vector<bool> front(const Exploration& e) {
  std::vector<bool> all;
  for (const ExploredDesign& d : e.designs) all.push_back(d.is_on_front);
  return all;
}

TEST(Rank, TheFrontHasTheProvedDesignsThatNoOtherDominates) {
  Exploration e;
  e.designs = {design(proved, 10, 5, Rational(4)),           design(proved, 20, 5, Rational(2)),
               design(proved, 20, 6, Rational(2)),           design(proved, 30, 3, Rational(9)),
               design(refuted, 1, 1, Rational(1)),           design(undecided, 15, 1, Rational(1)),
               design(proved, std::nullopt, 1, Rational(0)), design(proved, 10, 5, std::nullopt)};
  rank(e);
  EXPECT_THAT(front(e), ElementsAre(true, true, false, true, false, false, false, false));
  EXPECT_EQ(e.cheapest, 0U);
  EXPECT_FALSE(e.is_proved_cheapest) << "one has no cost";
}

TEST(Rank, TheCheapestIsProvedOnlyIfNoUndecidedDesignMayCostLess) {
  Exploration e;
  e.designs = {design(proved, 10), design(refuted, 1), design(undecided, 10),
               design(refuted, std::nullopt)};
  rank(e);
  EXPECT_TRUE(e.is_proved_cheapest);
  EXPECT_EQ(e.cheaper_refuted, 1U);
  EXPECT_EQ(e.unmeasured_refuted, 1U);
  EXPECT_THAT(e.may_be_cheaper, ElementsAre());
  e = {};
  e.designs = {design(proved, 10), design(undecided, 9), design(undecided, std::nullopt),
               design(undecided, 11)};
  rank(e);
  EXPECT_FALSE(e.is_proved_cheapest);
  EXPECT_THAT(e.may_be_cheaper, ElementsAre(1U, 2U));
  e = {};
  e.designs = {design(undecided, 9), design(refuted, 1)};
  rank(e);
  EXPECT_FALSE(e.cheapest);
}

constexpr const char* kPattern =
    "design:fused-dot-add(a=e5m2,b=e5m2,c=f16,d=f16,k=2,fraction_bits=10..12,round=rz|rne)";

class Explore : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_program("yosys")) GTEST_SKIP() << "there is no yosys";
  }
};

TEST_F(Explore, TheCheapestDesignIsNamed) {
  const Folder folder;
  const Outcome o = mmaspec({"explore", kPattern, "--require", "monotone-product", "--require",
                             "negation-symmetric", "--json", "--csv", folder / "all.csv", "--html",
                             folder / "all.html", "--timeout", "120"});
  ASSERT_TRUE(o.status == 0 || o.status == 1 || o.status == 3) << o.err;
  const Json answer = Json::parse(o.out);
  ASSERT_EQ(answer["designs"].size(), 6U);
  for (const Json& d : answer["designs"]) {
    EXPECT_GT(d["nodes"].get<int>(), 100);
    EXPECT_GT(d["depth"].get<int>(), 10);
    EXPECT_EQ(d["requirements"].size(), 2U);
    EXPECT_EQ(d["parameters"].size(), 2U);
  }
  // More bits cost more.
  EXPECT_LT(answer["designs"][0]["nodes"].get<int>(), answer["designs"][4]["nodes"].get<int>());
  EXPECT_EQ(cli_test::lines_of(cli_test::content_of(folder / "all.csv")).size(), 7U);
  const std::string page = cli_test::content_of(folder / "all.html");
  EXPECT_THAT(page, HasSubstr("prefers-color-scheme: dark"));
  EXPECT_THAT(page, HasSubstr("\"nodes\""));
}

TEST_F(Explore, WithoutRequirementsTheLeastCostIsProved) {
  const Outcome o = mmaspec({"explore", kPattern, "--timeout", "120"});
  EXPECT_EQ(o.status, 0) << o.out << o.err;
  EXPECT_THAT(o.out, HasSubstr("Pareto front:"));
  EXPECT_THAT(o.out, HasSubstr("no design costs less"));
}

TEST_F(Explore, CheaperDesignsAreCounted) {
  const Outcome o =
      mmaspec({"explore", kPattern, "--require", "error-bound <= 6", "--timeout", "120", "--json"});
  ASSERT_TRUE(o.status == 0 || o.status == 3) << o.out << o.err;
  const Json answer = Json::parse(o.out);
  int least = 0;
  for (const Json& d : answer["designs"]) {
    if (d["design"] == answer["cheapest"]) least = d["nodes"].get<int>();
  }
  ASSERT_GT(least, 0);
  int refuted = 0;
  Json undecided = Json::array();
  for (const Json& d : answer["designs"]) {
    if (d["nodes"].get<int>() >= least) continue;
    if (d["verdict"] == "refuted") ++refuted;
    if (d["verdict"] == "undecided") undecided.push_back(d["design"]);
  }
  EXPECT_EQ(answer["cheaper"]["refuted"], refuted);
  EXPECT_EQ(answer["cheaper"]["refuted_of_unknown_cost"], 0);
  EXPECT_EQ(answer["cheaper"]["undecided"], undecided);
  EXPECT_EQ(answer["proved_cheapest"], undecided.empty());
}

TEST_F(Explore, ARequirementThatNoDesignMeetsGivesStatusOne) {
  const Outcome o = mmaspec({"explore", kPattern, "--require", "error-bound <= 1/4"});
  EXPECT_EQ(o.status, 1) << o.out << o.err;
  EXPECT_THAT(o.out, HasSubstr("no design has the required properties"));
}

TEST_F(Explore, ACellLibraryGivesAreas) {
  const Folder folder;
  const std::string cells = folder.write("tiny.lib", R"(library(tiny) {
  cell(INV) { area: 1; pin(A) { direction: input; }
    pin(Y) { direction: output; function: "A'"; } }
  cell(NAND2) { area: 2; pin(A) { direction: input; } pin(B) { direction: input; }
    pin(Y) { direction: output; function: "(A*B)'"; } }
  cell(NOR2) { area: 2; pin(A) { direction: input; } pin(B) { direction: input; }
    pin(Y) { direction: output; function: "(A+B)'"; } }
})");
  const Outcome o =
      mmaspec({"explore", "design:fused-dot-add(a=e5m2,c=f16,d=f16,k=1,fraction_bits=4)",
               "--liberty", cells, "--json", "--timeout", "120"});
  ASSERT_EQ(o.status, 0) << o.out << o.err;
  const Json design = Json::parse(o.out)["designs"][0];
  EXPECT_GT(design["area"].get<double>(), design["cells"].get<double>());
  EXPECT_GT(design["delay"].get<double>(), 10);
  EXPECT_GT(design["depth"].get<int>(), 10);
  // The file has costs of these cells, and none of others.
  const std::vector<std::string> again{
      "explore",   "design:fused-dot-add(a=e5m2,c=f16,d=f16,k=1,fraction_bits=4)",
      "--results", folder / "results.jsonl",
      "--json",    "--liberty",
      cells};
  ASSERT_EQ(mmaspec(again).status, 0);
  std::vector<std::string> rendered = again;
  rendered.emplace_back("--render-only");
  EXPECT_EQ(Json::parse(mmaspec(rendered).out)["designs"][0], design);
  folder.write("tiny.lib", cli_test::content_of(cells) + "/* changed */");
  EXPECT_TRUE(Json::parse(mmaspec(rendered).out)["designs"][0].contains("no_cost"));
}

TEST_F(Explore, PartsAreJoinedAndContinued) {
  const Folder folder;
  const auto explored = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"explore",   kPattern, "--require", "negation-symmetric",
                                       "--timeout", "200",    "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome o = mmaspec(arguments);
    EXPECT_TRUE(o.status == 0 || o.status == 1 || o.status == 3) << o.err;
    Json answer = Json::parse(o.out);
    answer.erase("seconds");
    return answer;
  };
  const std::string first = folder / "1.jsonl";
  const std::string second = folder / "2.jsonl";
  EXPECT_EQ(explored({"--results", first, "--shard", "1/2"})["designs"].size(), 3U);
  EXPECT_EQ(explored({"--results", second, "--shard", "2/2"})["designs"].size(), 3U);
  EXPECT_EQ(explored({"--shard", "8/9"})["designs"].size(), 0U);
  const std::string merged = folder / "all.jsonl";
  ASSERT_EQ(mmaspec({"merge", first, second, "--out", merged}).status, 0);
  const Json whole = explored({"--results", merged, "--render-only"});
  EXPECT_EQ(whole["designs"].size(), 6U);
  // Nothing of what the file has is measured again: a file without its last line gets this one.
  const std::string text = cli_test::content_of(merged);
  const std::string cut = text.substr(0, text.rfind('\n', text.size() - 2) + 1);
  const std::string torn = folder.write("torn.jsonl", cut + "{\"version\":1,\"desi");
  EXPECT_EQ(explored({"--results", torn}), whole);
  const auto lines = [](const std::string& t) { return std::count(t.begin(), t.end(), '\n'); };
  EXPECT_EQ(lines(cli_test::content_of(torn)), lines(text));
  EXPECT_TRUE(cli_test::content_of(torn).starts_with(cut));
}

TEST_F(Explore, BadInputIsOneLine) {
  const auto says = [](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"explore", kPattern};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome o = mmaspec(arguments);
    EXPECT_EQ(o.status, 2) << o.out;
    EXPECT_EQ(cli_test::lines_of(o.err).size(), 1U) << o.err;
    return o.err;
  };
  EXPECT_THAT(says({"--require", "error-bound"}), HasSubstr("needs a bound"));
  EXPECT_THAT(says({"--require", "monotone-c <= 2"}), HasSubstr("does not have a bound"));
  EXPECT_THAT(says({"--require", "monoton-c"}), HasSubstr("monotone-c"));
  EXPECT_THAT(says({"--against", "design:exact-dot-add"}), HasSubstr("--data"));
  EXPECT_THAT(says({"--bound", "monotone-c"}), HasSubstr("--bound"));
  EXPECT_THAT(says({"--render-only"}), HasSubstr("needs --results"));
  EXPECT_THAT(says({"--shard", "3/2"}), HasSubstr("is not a part"));
  const Outcome unknown = mmaspec({"explore", "design:fused-dot-add(k=2,fraction_bit=3..4)"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err, HasSubstr("fraction_bits"));
}

}  // namespace
}  // namespace mmaspec::explore_test
