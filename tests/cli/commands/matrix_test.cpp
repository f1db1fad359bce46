// matrix and merge: rows, resumption, shards, contradictions; diff of two machines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "tests/support/cli/process.h"
#include "util/json.h"

namespace mmaspec::cli_test::matrix_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string design(const std::string& more) {
  return "design:fused-dot-add(a=e2m1,b=e2m1,c=f16,d=f16," + more + ")";
}

const std::string kTen = design("k=2,fraction_bits=10");
const std::string kTenAgain = design("fraction_bits=10,k=2");
const std::string kEleven = design("k=2,fraction_bits=11");
const std::string kFour = design("k=4,fraction_bits=10");
const std::string kWide = "design:fused-dot-add(a=e2m1,b=e2m1,c=f16,d=f32,k=2,fraction_bits=10)";

std::vector<std::string> command(std::vector<std::string> names,
                                 const std::vector<std::string>& more) {
  names.insert(names.begin(), "matrix");
  names.insert(names.end(), more.begin(), more.end());
  names.insert(names.end(), {"--timeout", "10"});
  return names;
}

const std::vector<std::string> kNames{kTen, kTenAgain, kEleven, kFour, kWide};

std::vector<Json> rows_of(const std::string& text) {
  std::vector<Json> rows;
  for (const std::string& line : lines_of(text)) rows.push_back(Json::parse(line));
  return rows;
}

std::set<std::string> set_of(const std::string& text) {
  const std::vector<std::string> lines = lines_of(text);
  return {lines.begin(), lines.end()};
}

TEST(Matrix, HasARowForEachPairOfNames) {
  const Folder folder;
  const std::string file = folder / "rows.jsonl";
  const Outcome outcome = mmaspec(command(kNames, {"--results", file, "--json"}));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  std::set<std::pair<std::string, std::string>> seen;
  for (const Json& row : rows_of(outcome.out)) {
    seen.emplace(row.at("first"), row.at("second"));
    if (row.at("verdict") == "equal") {
      EXPECT_THAT((std::vector<std::string>{"one expression", "solver", "enumeration", "derivation",
                                            "argument"}),
                  testing::Contains(row.at("by").get<std::string>()));
    } else {
      EXPECT_EQ(row.at("verdict"), "differ");
      EXPECT_EQ(row.at("witness").at("instr"), row.at("first"));
      EXPECT_EQ(row.at("witness").at("other"), row.at("second"));
    }
  }
  // All but the two pairs whose shorter design cannot be chained.
  EXPECT_EQ(seen.size(), 9U);
  EXPECT_FALSE(seen.contains({kFour, kWide}) || seen.contains({kWide, kFour}));
  EXPECT_EQ(rows_of(content_of(file)).size(), 9U);
}

TEST(Matrix, WitnessesAreRowsThatVerifyReads) {
  const Folder folder;
  const Outcome outcome = mmaspec(command({kTen, kEleven, kFour}, {"--json"}));
  std::string rows;
  for (const Json& row : rows_of(outcome.out)) {
    if (row.contains("witness")) rows += row.at("witness").dump() + "\n";
  }
  ASSERT_NE(rows, "");
  const Outcome verified = mmaspec({"verify", folder.write("rows.jsonl", rows)});
  EXPECT_EQ(verified.status, 0) << verified.out << verified.err;
}

TEST(Matrix, ContinuesFromItsFile) {
  const Folder folder;
  const std::string file = folder / "rows.jsonl";
  mmaspec(command(kNames, {"--results", file}));
  const std::string whole = content_of(file);
  const Outcome again = mmaspec(command(kNames, {"--results", file}));
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(content_of(file), whole);  // nothing was computed again

  // As if killed while writing: half of the lines, the last one incomplete.
  const std::string part = folder.write("part.jsonl", whole.substr(0, whole.size() / 2));
  const Outcome rest = mmaspec(command(kNames, {"--results", part}));
  EXPECT_EQ(rest.status, 0) << rest.err;
  EXPECT_EQ(set_of(content_of(part)), set_of(whole));
  EXPECT_EQ(rest.out, again.out);
}

TEST(Matrix, MergedShardsEqualTheMatrixOfOneProcess) {
  const Folder folder;
  const std::string whole = folder / "whole.jsonl";
  mmaspec(command(kNames, {"--results", whole}));
  ASSERT_EQ(mmaspec({"merge", whole, "--out", folder / "whole-merged.jsonl"}).status, 0);
  for (const int count : {2, 7}) {
    std::vector<std::string> merge{"merge"};
    for (int i = 1; i <= count; ++i) {
      merge.push_back(folder / ("part-" + std::to_string(i)));
      const Outcome part =
          mmaspec(command(kNames, {"--shard", std::to_string(i) + "/" + std::to_string(count),
                                   "--results", merge.back()}));
      EXPECT_EQ(part.status, 0) << part.err;
    }
    merge.insert(merge.end(), {"--out", folder / "merged.jsonl"});
    const Outcome merged = mmaspec(merge);
    EXPECT_EQ(merged.status, 0) << merged.err;
    EXPECT_EQ(content_of(folder / "merged.jsonl"), content_of(folder / "whole-merged.jsonl"));
    for (int i = 1; i <= count; ++i) std::filesystem::remove(merge[static_cast<std::size_t>(i)]);
  }
}

TEST(Matrix, RendersAllFormats) {
  const Folder folder;
  const std::string file = folder / "rows.jsonl";
  mmaspec(command(kNames, {"--results", file}));
  const std::vector<std::string> rendered{"--results", file, "--render-only", "--format"};
  const auto as = [&](const std::string& format) {
    std::vector<std::string> more = rendered;
    more.push_back(format);
    return mmaspec(command(kNames, more));
  };
  EXPECT_THAT(as("text").out, HasSubstr("9 pairs"));
  EXPECT_THAT(as("markdown").out, HasSubstr("| formats | equal |"));
  const std::vector<std::string> csv = lines_of(as("csv").out);
  ASSERT_EQ(csv.size(), 10U);
  EXPECT_EQ(csv[0], "first,second,formats,verdict,by,how,takes,ulp,relative");
  std::vector<std::string> rows = rendered;
  rows.back() = "--json";
  const std::vector<std::string> pairs = lines_of(mmaspec(command(kNames, rows)).out);
  ASSERT_EQ(pairs.size(), 9U);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto pair = Json::parse(pairs[i]);
    EXPECT_THAT(csv[i + 1], AllOf(HasSubstr(pair.at("first").get<std::string>()),
                                  HasSubstr(pair.at("second").get<std::string>()),
                                  HasSubstr("," + pair.at("verdict").get<std::string>() + ",")));
  }
  EXPECT_THAT(as("html").out, AllOf(HasSubstr("<canvas"), HasSubstr("const data = {\"designs\":")));
}

TEST(Matrix, IgnoresRowsOfOtherDesignsInItsFile) {
  const Folder folder;
  const std::string file = folder / "rows.jsonl";
  mmaspec(command(kNames, {"--results", file}));
  const std::string whole = content_of(file);
  std::string stale;
  for (const std::string& line : lines_of(whole)) {
    Json row = Json::parse(line);
    row["designs"] = {"of an older catalogue", "and another one"};
    stale += row.dump() + "\n";
  }
  folder.write("rows.jsonl", stale + whole + lines_of(whole).at(0) + "\n");
  const Outcome kept =
      mmaspec(command(kNames, {"--results", file, "--render-only", "--format", "results"}));
  EXPECT_EQ(kept.status, 0) << kept.err;
  EXPECT_EQ(set_of(kept.out), set_of(whole));
  EXPECT_EQ(lines_of(kept.out).size(), lines_of(whole).size());
  // Of fewer designs.
  const Outcome one = mmaspec(
      command({kTen, kEleven}, {"--results", file, "--render-only", "--format", "results"}));
  EXPECT_EQ(lines_of(one.out).size(), 1U);
}

TEST(Matrix, RefusesWhatItCannotDo) {
  const Folder folder;
  expect_refused(mmaspec({"matrix", kTen, "--format", "results"}), {"--format", "--results"});
  expect_refused(mmaspec({"matrix", "hopper/nothing"}), {"unknown"});
  expect_refused(mmaspec({"matrix", kTen, "--shard", "3/2"}), {"--shard", "3/2"});
  expect_refused(mmaspec({"matrix", kTen, "--shard", "1"}), {"--shard"});
  expect_refused(mmaspec({"matrix", kTen, "--render-only"}), {"--results"});
  expect_refused(mmaspec({"matrix", kTen, "--results", folder.write("x", "no row\n")}), {"x:1"});
}

TEST(Table, ShardsMergeToAllCells) {
  const Folder folder;
  const std::vector<std::string> table{"table", kTen, kFour, "--properties",
                                       "commutative,carry-bits,single-normalization"};
  std::vector<std::string> merge{"merge"};
  for (const std::string shard : {"0/3", "1/3", "2/3"}) {
    std::vector<std::string> part = table;
    merge.push_back(folder / shard.substr(0, 1));
    part.insert(part.end(), {"--shard", shard, "--results", merge.back()});
    EXPECT_EQ(mmaspec(part).status, 0);
  }
  merge.insert(merge.end(), {"--out", folder / "merged.jsonl"});
  EXPECT_EQ(mmaspec(merge).status, 0);
  EXPECT_EQ(rows_of(content_of(folder / "merged.jsonl")).size(), 6U);
  std::vector<std::string> whole = table;
  whole.insert(whole.end(), {"--results", folder / "merged.jsonl", "--render-only"});
  EXPECT_EQ(mmaspec(whole).status, 0);
}

std::string row(const std::string& first, const std::string& verdict, int timeout = 60) {
  return R"({"version":1,"first":")" + first +
         R"(","second":"y","k":2,"designs":["a","b"],"verdict":")" + verdict + R"(","timeout":)" +
         std::to_string(timeout) + "}\n";
}

TEST(Merge, KeepsDecidedRowsAndThoseWithTheMostTime) {
  const Folder folder;
  const std::string one = folder.write("1", row("b", "undecided", 5) + row("c", "undecided", 9));
  const std::string two =
      folder.write("2", row("b", "equal") + row("a", "differ") + row("c", "undecided", 20) +
                            R"({"version":1,"first":"tor)");
  const std::string out = folder / "out";
  const Outcome outcome = mmaspec({"merge", one, two, "--out", out});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(content_of(out), row("a", "differ") + row("b", "equal") + row("c", "undecided", 20));
  const std::string packed = folder.write_gz("2.gz", content_of(two));
  EXPECT_EQ(mmaspec({"merge", packed, one, "--out", folder / "again"}).status, 0);
  EXPECT_EQ(content_of(folder / "again"), content_of(out));
}

TEST(Merge, ShardsThatContradictEachOtherWriteNothing) {
  const Folder folder;
  const std::string one = folder.write("1", row("a", "equal"));
  const std::string two = folder.write("2", row("a", "differ"));
  const Outcome outcome = mmaspec({"merge", one, two, "--out", folder / "out"});
  EXPECT_EQ(outcome.status, 70);
  EXPECT_THAT(outcome.err, HasSubstr("a y"));
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
  EXPECT_EQ(folder.files(), 2U);

  const auto cell = [](const std::string& verdict, const std::string& number) {
    return R"({"version":1,"design":"x","property":"carry-bits","verdict":")" + verdict + R"(",)" +
           number + "}\n";
  };
  const Outcome numbers =
      mmaspec({"merge", folder.write("3", cell("proved", R"("proved":"3")")),
               folder.write("4", cell("undecided", R"("refuted":"3")")), "--out", folder / "out"});
  EXPECT_EQ(numbers.status, 70);
}

TEST(Merge, RefusesMalformedRows) {
  const Folder folder;
  const std::string out = folder / "out";
  expect_refused(mmaspec({"merge", folder.write("1", "{}\n"), "--out", out}), {"1:1"});
  expect_refused(
      mmaspec({"merge",
               folder.write("2", row("a", "equal") + "{\"version\":1,\n" + row("b", "equal")),
               "--out", out}),
      {"2:2"});
  expect_refused(mmaspec({"merge", folder / "missing", "--out", out}), {"missing"});
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST(DiffOfMachines, NamesTheInstructionsThatALibraryWouldRun) {
  const Outcome text = mmaspec({"diff", "v100", "h100", "--timeout", "20"});
  EXPECT_EQ(text.status, 1) << text.err;
  EXPECT_THAT(text.out, AllOf(HasSubstr("f16 with f32 sums"), HasSubstr("v100/mma.m8n8k4"),
                              HasSubstr("h100/wgmma")));
  const Outcome as_json = mmaspec({"diff", "A100", "MI300X", "--json", "--timeout", "20"});
  const Json answer = Json::parse_or_discard(as_json.out);
  ASSERT_TRUE(answer.is_object()) << as_json.err;
  EXPECT_GE(answer.at("products").size(), 4U);
  for (const Json& product : answer.at("products")) {
    EXPECT_TRUE(product.contains("first_source"));
    if (product.at("verdict") == "differ") {
      EXPECT_TRUE(product.contains("witness"));
      EXPECT_TRUE(product.contains("statistics"));
    }
  }
  expect_refused(mmaspec({"diff", "a100", "mi300x", "--count", "3"}), {"--count"});
}

TEST(Diff, PrintsStatisticsWithTheAnswer) {
  const Outcome outcome =
      mmaspec({"diff", "volta/mma.m8n8k4.f32.f16.f16.f32", "turing/mma.m16n8k8.f32.f16.f16.f32",
               "--distribution", "normal", "--samples", "500", "--json"});
  const Json answer = Json::parse_or_discard(outcome.out);
  ASSERT_TRUE(answer.is_object()) << outcome.err;
  EXPECT_EQ(answer.at("statistics").at("results"), 500);
  EXPECT_EQ(answer.at("statistics").at("distribution"), "normal");
  expect_refused(mmaspec({"diff", "a100", "mi300x", "--data", "a.npy"}), {"--data"});
  expect_refused(mmaspec({"diff", "a100", "mi300x", "--data", "no-such-file.npy", "b.npy"}),
                 {"no-such-file.npy"});
}

}  // namespace
}  // namespace mmaspec::cli_test::matrix_test
