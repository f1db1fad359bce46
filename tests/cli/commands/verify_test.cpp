// verify: recorded vectors compared with the specifications, from every kind of source.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "concrete/rows/row.h"
#include "queries/draw/samples.h"
#include "spec/catalog/instruction.h"
#include "tests/support/cli/process.h"
#include "util/json.h"

namespace mmaspec::cli_test::verify_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::string kVolta = "volta/mma.m8n8k4.f32.f16.f16.f32";

/// Rows of the instruction with correct results; every `wrong`-th row has a wrong result (0: none).
std::string rows_of(const std::string& name, int count, int wrong = 0) {
  const Instruction instruction = find_instruction(name);
  const DotModel model(instruction.algorithm, instruction.formats);
  Sampler sampler(instruction.formats, InputClass::finite, 1);
  std::string text;
  for (int i = 1; i <= count; ++i) {
    VectorRow row{name, sampler.next(), {}, "", {}, ""};
    row.d = model.run(row.values);
    if (wrong != 0 && i % wrong == 0) row.d = *row.d == 0 ? 1 : 0;
    text += to_json_line(row, instruction.formats) + "\n";
  }
  return text;
}

std::string last_line(const Outcome& outcome) {
  const std::vector<std::string> lines = lines_of(outcome.out);
  return lines.empty() ? "" : lines.back();
}

TEST(Verify, PassesRowsThatAgree) {
  const Folder folder;
  const Outcome outcome = mmaspec({"verify", folder.write("v.jsonl", rows_of(kVolta, 20))});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(last_line(outcome), "20 passed, 0 failed");
  EXPECT_THAT(outcome.out, StartsWith(kVolta));
}

TEST(Verify, ReadsPlainCompressedAndStandardInputAlike) {
  const Folder folder;
  const std::string rows = rows_of(kVolta, 300, 100);
  const std::string plain = folder.write("v.jsonl", rows);
  const std::string compressed = folder.write_gz("v.jsonl.gz", rows);
  EXPECT_EQ(last_line(mmaspec({"verify", plain})), "297 passed, 3 failed");
  EXPECT_EQ(last_line(mmaspec({"verify", compressed})), "297 passed, 3 failed");
  EXPECT_EQ(last_line(mmaspec({"verify", "-"}, {.input = rows})), "297 passed, 3 failed");
  EXPECT_EQ(last_line(mmaspec({"verify", "-"}, {.input = content_of(compressed)})),
            "297 passed, 3 failed");
  EXPECT_EQ(last_line(mmaspec({"verify", plain, compressed, "-"}, {.input = rows})),
            "891 passed, 9 failed");
}

TEST(Verify, TakesBlankLinesCarriageReturnsAndNoLineAtTheEnd) {
  std::string rows = rows_of(kVolta, 2);
  const std::size_t second = rows.find('\n') + 1;
  const std::string text = "\n  \t\r\n" + rows.substr(0, second - 1) + "\r\n\n" +
                           rows.substr(second, rows.size() - second - 1);
  const Outcome outcome = mmaspec({"verify", "-"}, {.input = text});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(last_line(outcome), "2 passed, 0 failed");
}

TEST(Verify, ShowsTheFirstThreeMismatchesOfAnInstruction) {
  const Folder folder;
  const std::string file = folder.write("v.jsonl", rows_of(kVolta, 50, 10));
  const Outcome outcome = mmaspec({"verify", file});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(last_line(outcome), "45 passed, 5 failed");
  for (const int line : {10, 20, 30}) {
    EXPECT_THAT(outcome.out, HasSubstr(file + ":" + std::to_string(line) + "\n"));
  }
  EXPECT_THAT(outcome.out, testing::Not(HasSubstr(file + ":40\n")));
  const auto count_of = [&](const std::string& word) {
    std::size_t count = 0;
    for (std::size_t at = outcome.out.find(word); at != std::string::npos;
         at = outcome.out.find(word, at + 1)) {
      ++count;
    }
    return count;
  };
  EXPECT_THAT(outcome.out, HasSubstr("  and 2 more\n"));
  EXPECT_EQ(count_of("recorded  0x"), 3U);
  EXPECT_EQ(count_of("computed  0x"), 3U);
}

TEST(Verify, IsOneJsonDocumentIfAsked) {
  const std::string turing = "turing/mma.m16n8k8.f32.f16.f16.f32";
  const Outcome outcome =
      mmaspec({"verify", "-", "--json"},
              {.input = rows_of(kVolta, 8, 4) + "garbage\n" + rows_of(turing, 5)});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(
      outcome.err,
      "mmaspec: -:9: 'garbage' is not a row: expected a JSON object, such as {\"instr\":...}\n");
  const Json report = Json::parse(outcome.out);
  EXPECT_EQ(report.at("passed"), 11);
  EXPECT_EQ(report.at("failed"), 2);
  EXPECT_EQ(report.at("bad_rows"),
            Json::array(
                {"-:9: 'garbage' is not a row: expected a JSON object, such as {\"instr\":...}"}));
  ASSERT_EQ(report.at("instructions").size(), 2U);
  const Json& turings = report.at("instructions").at(0);
  EXPECT_EQ(turings.at("instr"), turing);
  EXPECT_EQ(turings.at("passed"), 5);
  const Json& voltas = report.at("instructions").at(1);
  EXPECT_EQ(voltas.at("failed"), 2);
  ASSERT_EQ(voltas.at("mismatches").size(), 2U);
  EXPECT_EQ(voltas.at("mismatches_left_out"), 0);
  EXPECT_EQ(voltas.at("mismatches").at(0).at("line"), 4);
  EXPECT_NE(voltas.at("mismatches").at(0).at("computed"), voltas.at("mismatches").at(0).at("d"));
}

TEST(Verify, SaysInJsonWhatItOmits) {
  std::string garbage;
  for (int i = 0; i < 1200; ++i) garbage += "garbage\n";
  const Outcome outcome =
      mmaspec({"verify", "-", "--json"}, {.input = rows_of(kVolta, 50, 10) + garbage});
  const Json report = Json::parse(outcome.out);
  EXPECT_EQ(report.at("failed"), 5);
  const Json& voltas = report.at("instructions").at(0);
  EXPECT_EQ(voltas.at("mismatches").size(), 3U);
  EXPECT_EQ(voltas.at("mismatches_left_out"), 2);
  EXPECT_EQ(report.at("bad_rows").size(), 1000U);
  EXPECT_EQ(report.at("bad_rows_left_out"), 200);
}

TEST(Verify, RunsAllRowsAsTheVariantAskedFor) {
  // 2^-25 next to 1, and a c that varies: variants of some instruction give other results, so that
  // results of one must be refused as those of the other.
  for (const Instruction& i : catalogue()) {
    for (const std::string& variant : variants()) {
      std::string rows;
      try {
        rows = rows_of(i.name() + "@" + variant, 200);
      } catch (const std::invalid_argument&) {
        continue;  // it has no such variant
      }
      const Outcome as_recorded = mmaspec({"verify", "-"}, {.input = rows});
      EXPECT_EQ(last_line(as_recorded), "200 passed, 0 failed");
      std::string plain = rows;
      for (std::size_t at; (at = plain.find("@" + variant)) != std::string::npos;) {
        plain.erase(at, variant.size() + 1);
      }
      const Outcome overridden = mmaspec({"verify", "-", "--variant", variant}, {.input = plain});
      EXPECT_EQ(overridden.status, 0);
      EXPECT_THAT(overridden.out, StartsWith(i.name() + "@" + variant + " "));
      return;
    }
  }
}

TEST(Verify, CountsProductsAsTheirArchitectures) {
  std::string rows = rows_of(kVolta, 3);
  const std::string by_product = "{\"instr\":\"v100" + rows.substr(rows.find('/'));
  const Outcome outcome = mmaspec({"verify", "-"}, {.input = by_product});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(lines_of(outcome.out).size(), 2U);
  EXPECT_EQ(last_line(outcome), "3 passed, 0 failed");
}

TEST(Verify, ComparesNanPatternsOnlyIfTheyAreCanonical) {
  const std::string nvidia =
      R"({"instr":"volta/mma.m8n8k4.f32.f16.f16.f32","a":"7e00 0000 0000 0000",)"
      R"("b":"0000 0000 0000 0000","c":"00000000","d":)";
  EXPECT_EQ(last_line(mmaspec({"verify", "-"}, {.input = nvidia + "\"7fffffff\"}"})),
            "1 passed, 0 failed");
  EXPECT_EQ(last_line(mmaspec({"verify", "-"}, {.input = nvidia + "\"7fc00000\"}"})),
            "0 passed, 1 failed");
  for (const Instruction& i : catalogue()) {
    if (i.canonical_nan || i.formats.d->name != "f32" || i.formats.c->name != "f32") continue;
    VectorRow row{i.name(), {}, Integer("0xffc00001"), "", {}, ""};
    row.values.a.resize(static_cast<std::size_t>(i.formats.k), 0);
    row.values.b = row.values.a;
    row.values.c = Integer("0x7fc00000");
    const Outcome outcome =
        mmaspec({"verify", "-"}, {.input = to_json_line(row, i.formats) + "\n"});
    EXPECT_EQ(last_line(outcome), "1 passed, 0 failed") << i.name();
    return;
  }
  ADD_FAILURE() << "no instruction with any NaN pattern";
}

TEST(Verify, OfNoRowsIsBadInput) {
  expect_refused(mmaspec({"verify", "-"}), {"do not contain a row"});
  const Folder folder;
  for (const std::string content : {"", "\n \n", "{\"device\":\"x\"}\n"}) {
    expect_refused(mmaspec({"verify", folder.write("none.jsonl", content)}),
                   {"do not contain a row"});
  }
  expect_refused(mmaspec({"verify", folder.write("none.csv", "instr,a0,b0,c,d\n")}),
                 {"do not contain a row"});
}

}  // namespace
}  // namespace mmaspec::cli_test::verify_test
