// Readable output: the user's own names, suffixes of files, counts, the lines of the help.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "queries/request/progress.h"
#include "tests/support/cli/process.h"
#include "util/counted.h"

namespace mmaspec::cli_test::comfort_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kH100 = "h100/mma.m16n8k16.f32.f16.f16.f32";
const std::string kHopper = "hopper/mma.m16n8k16.f32.f16.f16.f32";
const std::string kMi300 = "mi300x/v_mfma_f32_32x32x8_f16";
const std::string kCdna3 = "cdna3/v_mfma_f32_32x32x8_f16";

TEST(NamesAsGiven, AreInTheAnswers) {
  const auto only_asked =
      AllOf(HasSubstr("h100/"), Not(HasSubstr("hopper/")), Not(HasSubstr("cdna3/")));
  const std::string diff = mmaspec({"diff", kH100, kMi300}).out;
  EXPECT_THAT(diff, AllOf(only_asked, HasSubstr(kMi300 + " is executed 2 times"),
                          HasSubstr("evidence: " + kH100)));
  const std::string tolerance =
      mmaspec({"tolerance", kH100, kMi300, "--where", "c == 0 && b[0] == 0", "--timeout", "5"}).out;
  EXPECT_THAT(tolerance, AllOf(only_asked, HasSubstr(kMi300)));
  EXPECT_THAT(mmaspec({"diff", kH100, kMi300, "--maximize", "ulp", "--timeout", "5"}).out,
              only_asked);
  EXPECT_THAT(mmaspec({"prove", "commutative", kH100}).out, only_asked);
  EXPECT_THAT(mmaspec({"show", kH100}).out, ::testing::StartsWith(kH100 + "\n"));
  EXPECT_THAT(mmaspec({"suite", kH100, kMi300}).out, AllOf(only_asked, HasSubstr(kMi300)));
  const std::string plan = "plan:chain(" + kH100 + ",k=32)";
  EXPECT_THAT(mmaspec({"diff", plan, plan}).out,
              AllOf(only_asked, HasSubstr(plan), HasSubstr("evidence: " + kH100)));
  EXPECT_THAT(mmaspec({"diff", "h100/wmma.m16n16k16.f32.f16.f16.f32", kH100}).out, only_asked);
}

TEST(NamesAsGiven, AreNotInRowsAndJson) {
  const Folder folder;
  const std::string rows = folder / "rows.jsonl";
  const Outcome outcome = mmaspec({"diff", kH100, kMi300, "--json", "--out", rows});
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("\"first\": \"" + kHopper + "\""),
                                 HasSubstr("\"second\": \"" + kCdna3 + "\"")));
  EXPECT_THAT(content_of(rows),
              AllOf(HasSubstr("\"" + kHopper + "\""), HasSubstr("\"" + kCdna3 + "\"")));
}

TEST(OutputFiles, HaveTheSuffixOfTheirFormat) {
  const std::vector<std::string> eval{"eval", kHopper, "--a", "1", "--b", "1"};
  const auto with = [](std::vector<std::string> line, const std::string& option,
                       const std::string& file) {
    line.push_back(option);
    line.push_back(file);
    return mmaspec(line);
  };
  const Folder folder;
  expect_refused(with(eval, "--picture", folder / "x.png"), {"--picture", "x.png", ".svg"});
  expect_refused(with(eval, "--html", folder / "x.pdf"), {"--html", "x.pdf", ".html or .htm"});
  const std::vector<std::string> diff{"diff", kHopper, kCdna3};
  for (const std::string ending : {".csv", ".npy", ".gz", ".svg", ".html"}) {
    expect_refused(with(diff, "--out", folder / ("x" + ending)), {"--out", ending, ".jsonl"});
  }
  expect_refused(with({"export", kHopper}, "--out", folder / "x.v"), {"--out", ".smt2"});
  expect_refused(with({"suite", kHopper, kCdna3}, "--picture", folder / "x.jpg"), {".svg"});
  EXPECT_EQ(with(eval, "--picture", folder / "X.SVG").status, 0);
  EXPECT_EQ(with(eval, "--picture", folder / "picture").status, 0);
  EXPECT_EQ(with(diff, "--out", folder / "rows.txt").status, 1);
}

TEST(Counts, HaveSingularAndPlural) {
  EXPECT_EQ(counted(0, "row"), "0 rows");
  EXPECT_EQ(counted(1, "row"), "1 row");
  EXPECT_EQ(counted(2, "class", "classes"), "2 classes");
  expect_refused(mmaspec({"eval", kHopper, "--c", "1,2"}), {"2 values, at most 1"});
}

TEST(Help, HasLinesThatFitATerminal) {
  const auto longest = [](const std::string& text) {
    std::size_t columns = 0;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) columns = std::max(columns, line.size());
    return columns;
  };
  std::istringstream commands(
      "list show eval verify diff check export replay prove table matrix merge suite identify "
      "tolerance certify rtl compare help completion");
  for (std::string command; commands >> command;) {
    const std::string text = mmaspec({command, "--help"}).out;
    EXPECT_LE(longest(text), 100) << command;
    for (const std::string type : {" TEXT", " INT", " UINT", " FLOAT"}) {
      EXPECT_THAT(text, Not(HasSubstr(type))) << command;
    }
  }
  for (const std::string topic : {"where", "design", "plan"}) {
    EXPECT_LE(longest(mmaspec({"help", topic}).out), 100) << topic;
  }
  EXPECT_THAT(mmaspec({"diff", "--help"}).out,
              AllOf(HasSubstr("--out FILE"), HasSubstr("--ulp NUMBER"), HasSubstr("--where EXPR"),
                    HasSubstr("--solver NAME")));
  const std::string plan = mmaspec({"help", "plan"}).out;
  for (const std::string scheme :
       {"chain", "split-k", "promote", "epilogue", "multiword", "markidis", "ootomo", "tf32x3",
        "bf16x3", "bf16x6", "bf16x9", "ozaki1", "ozaki2"}) {
    EXPECT_THAT(plan, HasSubstr(scheme));
  }
}

TEST(Help, BreaksCommandLinesOutsideOfQuotes) {
  EXPECT_THAT(mmaspec({"diff", "--help"}).out,
              HasSubstr(" \\\n      why.html --where 'abs(a[*]) <= 1'\n"));
}

TEST(Progress, IsInWords) {
  EXPECT_EQ(progress_in_words("search"), "searching for a witness");
  EXPECT_EQ(progress_in_words("search, z3, cut, z3, split, cvc5"),
            "searching for a witness; proving a simpler statement; proving case by case; asking "
            "z3, cvc5");
  EXPECT_EQ(progress_in_words("simplifying the witness"), "simplifying the witness");
  EXPECT_EQ(progress_in_words(""), "");
}

TEST(Round, IsNotSuggestedWhereItGivesInfinity) {
  const Outcome large = mmaspec({"eval", kHopper, "--a", "1e10"});
  expect_refused(large, {"--a"});
  EXPECT_THAT(large.err, Not(HasSubstr("--round")));
  EXPECT_THAT(mmaspec({"eval", kHopper, "--a", "0.1"}).err, HasSubstr("--round"));
}

TEST(TextTables, AreNotCalledJson) {
  const Folder folder;
  const std::string table = folder.write("x.csv", "a;b;c\n1;2;3\n");
  for (const std::vector<std::string>& line : {std::vector<std::string>{"verify", table},
                                               {"eval", kHopper, "--rows", table},
                                               {"replay", table, "--device", "@mma-sim"},
                                               {"identify", "--recorded", table}}) {
    const Outcome outcome = mmaspec(line);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.err, HasSubstr("a;b;c"));
    EXPECT_THAT(outcome.err, Not(HasSubstr("malformed JSON")));
  }
}

TEST(Witnesses, OfManyProductsAreShortened) {
  const std::string plan = "plan:chain(" + kHopper + ",k=64)";
  const std::string ones = "1" + [] {
    std::string rest;
    for (int k = 1; k < 64; ++k) rest += ",1";
    return rest;
  }();
  const Folder folder;
  std::string row = mmaspec({"eval", plan, "--a", ones, "--b", ones, "--json"}).out;
  const std::size_t d = row.find("\"d\":\"") + 5;
  row[d] = row[d] == '0' ? '1' : '0';  // a result that differs from the specification's
  const std::string file = folder.write("rows.jsonl", row);
  const Outcome shortened = mmaspec({"verify", file});
  EXPECT_EQ(shortened.status, 1);
  EXPECT_THAT(shortened.out, HasSubstr("... 48 more products"));
  EXPECT_THAT(mmaspec({"verify", file, "--full"}).out,
              AllOf(Not(HasSubstr("more product")), HasSubstr("k=63")));
  for (const std::string command : {"suite", "identify", "replay", "rtl"}) {
    EXPECT_THAT(mmaspec({command, "--help"}).out, HasSubstr("--full")) << command;
  }
}

}  // namespace
}  // namespace mmaspec::cli_test::comfort_test
