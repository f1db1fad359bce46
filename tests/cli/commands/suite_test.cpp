// suite: its statements about designs, the rows with which replay decides, and the table that C
// compiles.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/support/cli/process.h"
#include "util/json.h"

namespace mmaspec::cli_test::suite_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using Arguments = std::vector<std::string>;

const std::string kVolta = "volta/mma.m8n8k4.f32.f16.f16.f32";
const std::string kFiner = "design:fused-dot-add(k=4,fraction_bits=24,floor=-132)";
const std::string kHopper = "hopper/mma.m16n8k16.f32.f16.f16.f32";

Outcome suite(Arguments arguments, const Arguments& more = {}) {
  arguments.insert(arguments.begin(), "suite");
  arguments.insert(arguments.end(), more.begin(), more.end());
  return mmaspec(arguments);
}

Json answer_of(Arguments arguments, int status = 0) {
  arguments.insert(arguments.begin(), "suite");
  return json_of(std::move(arguments), status);
}

std::set<std::string> names_of(const Json& one_class) {
  std::set<std::string> names;
  for (const Json& name : one_class.at("names")) names.insert(name);
  return names;
}

std::string e2m1(const std::string& rest) {
  return "design:fused-dot-add(k=4,a=e2m1,b=e2m1,c=f16,d=f16,fraction_bits=" + rest + ")";
}
std::string rounded_down(const std::string& product_bits) {
  return "design:round-down-dot-add(k=4,a=e2m1,b=e2m1,c=f16,d=f16,product_bits=" + product_bits +
         ")";
}
/// The first two are equal for all inputs, which only a solver can prove.
const Arguments kHard{rounded_down("10"), rounded_down("11"), rounded_down("2")};

TEST(Suite, TellsAllArchitecturesApart) {
  const Json answer = answer_of({"--all-architectures", "f16,f16,f32,f32"});
  EXPECT_GE(answer.at("classes").size(), 6U);
  EXPECT_EQ(answer.at("k"), 32);  // of AMX, the longest
  EXPECT_TRUE(answer.at("undecided").empty());
  EXPECT_TRUE(answer.at("minimal"));
  std::set<std::string> named;
  for (const Json& c : answer.at("classes")) {
    for (const std::string& name : names_of(c)) EXPECT_TRUE(named.insert(name).second);
    ASSERT_EQ(c.at("answers").size(), answer.at("rows").size());
  }
  EXPECT_EQ(named.size(), answer.at("designs").size());
  for (const Json& row : answer.at("rows")) EXPECT_EQ(row.at("answers").size(), named.size());
}

/// The designs that survive a replay on each design are its class.
void expect_decided(const Arguments& arguments, const Arguments& devices) {
  const Folder folder;
  const std::string rows = folder / "rows.jsonl";
  Arguments with_out = arguments;
  with_out.insert(with_out.end(), {"--out", rows});
  const Json answer = answer_of(with_out);
  EXPECT_EQ(lines_of(content_of(rows)).size(), answer.at("rows").size());
  for (const std::string& device : devices) {
    std::set<std::string> wanted;
    for (const Json& c : answer.at("classes")) {
      if (names_of(c).contains(device)) wanted = names_of(c);
    }
    const Outcome replayed = mmaspec({"replay", rows, "--device", device, "--json"});
    EXPECT_THAT(replayed.status, testing::AnyOf(0, 1)) << replayed.err;
    const Json report = Json::parse_or_discard(replayed.out);
    ASSERT_EQ(report.at("questions").size(), 1U);
    std::set<std::string> survivors;
    for (const Json& rival : report.at("questions")[0].at("rivals")) {
      if (rival.at("survives")) survivors.insert(rival.at("name"));
    }
    EXPECT_EQ(survivors, wanted) << device;
  }
}

TEST(Suite, WritesRowsThatReplayDecidesWith) {
  expect_decided({"*/*", "--formats", "f32.f16.f16.f32"},
                 {kVolta, "turing/mma.m16n8k8.f32.f16.f16.f32", kHopper,
                  "ampere/mma.m16n8k16.f32.f16.f16.f32", "cdna1/v_mfma_f32_16x16x16f16",
                  "cdna2/v_mfma_f32_16x16x16f16", "cdna3/v_mfma_f32_16x16x16_f16"});
  // Chained beyond the K of each design, padded below it, and with several rows.
  expect_decided({kVolta, kFiner, "--chain", "12"}, {kVolta, kFiner});
  expect_decided({kHopper, "ampere/mma.m16n8k8.f32.f16.f16.f32", "--pad"}, {kHopper});
  Arguments several;
  for (const std::string bits : {"1", "2", "3", "4"}) {
    for (const std::string block : {"1", "2", "4"}) {
      several.push_back(e2m1(bits + ",block=" + block + ",round=rz"));
    }
  }
  Arguments asked = several;
  asked.insert(asked.end(), {"--where", "d >= 0 && d <= 1.5", "--where", "c == 0"});
  EXPECT_GT(answer_of(asked).at("rows").size(), 1U);
  expect_decided(asked, {several[0], several[4], several[11]});
}

TEST(Suite, NamesUndecidedPairsAndMergesProvedOnes) {
  Arguments hard = kHard;
  hard.insert(hard.end(), {"--solver", "smtlib:false"});
  const Json open = answer_of(hard, 3);
  EXPECT_EQ(open.at("classes").size(), 3U);
  ASSERT_EQ(open.at("undecided").size(), 1U);
  EXPECT_EQ(open.at("undecided")[0].at("first"), "A");
  EXPECT_EQ(open.at("undecided")[0].at("second"), "B");
  const Outcome text = suite(hard);
  EXPECT_EQ(text.status, 3);
  EXPECT_THAT(text.out, HasSubstr("undecided:\n  A (" + kHard[0]));
  EXPECT_THAT(text.out, HasSubstr("all classes that are known to differ"));

  const Json closed = answer_of(kHard);
  EXPECT_EQ(closed.at("classes").size(), 2U);
  EXPECT_TRUE(closed.at("undecided").empty());
  ASSERT_EQ(closed.at("equal").size(), 1U);
  EXPECT_EQ(closed.at("equal")[0].at("first"), kHard[0]);
  EXPECT_EQ(closed.at("equal")[0].at("second"), kHard[1]);
  EXPECT_NE(closed.at("equal")[0].at("how"), "");
}

TEST(Suite, SaysIfAProofIsVacuous) {
  const Json answer = answer_of({kVolta, kFiner, "--where", "c > 1 && c < 0"});
  EXPECT_EQ(answer.at("classes").size(), 1U);
  EXPECT_TRUE(answer.at("equal")[0].at("vacuous"));
  EXPECT_THAT(suite({kVolta, kFiner, "--where", "c > 1 && c < 0"}).out,
              HasSubstr("no input satisfies"));
}

TEST(Suite, OfOneDesignHasNoRows) {
  for (const Arguments& one :
       {Arguments{kHopper}, Arguments{kHopper, kHopper, "h100/mma.m16n8k16.f32.f16.f16.f32"}}) {
    const Json answer = answer_of(one);
    EXPECT_EQ(answer.at("designs").size(), 1U);
    EXPECT_TRUE(answer.at("rows").empty());
    EXPECT_EQ(answer.at("expected_questions"), 0);
  }
  for (const std::string format : {"text", "markdown", "json", "dot", "c"}) {
    const Outcome outcome = suite({kHopper}, {"--format", format});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_THAT(outcome.out, HasSubstr(kHopper)) << format;
  }
}

TEST(Suite, KeepsToItsInputs) {
  const Arguments all{kVolta, "ampere/mma.m16n8k8.f32.f16.f16.f32", "cdna3/v_mfma_f32_32x32x8_f16"};
  Arguments normal = all;
  normal.insert(normal.end(), {"--inputs", "normal", "--where", "c == 0", "--where", "a[*] >= 0"});
  for (const Json& row : answer_of(normal).at("rows")) {
    EXPECT_EQ(row.at("c"), "00000000");
    const std::string patterns = row.at("a");
    for (std::size_t i = 0; i < patterns.size(); i += 5) {
      const int pattern = std::stoi(patterns.substr(i, 4), nullptr, 16);
      EXPECT_TRUE(pattern == 0 || pattern == 0x8000 || (pattern >= 0x400 && pattern < 0x7c00));
    }
  }
  EXPECT_EQ(suite(all).status, 0);
  EXPECT_EQ(suite(all, {"--no-shrink", "--seed", "7", "--signed-zero", "--inputs", "any"}).status,
            0);
}

TEST(Suite, DrawsItsTree) {
  const Outcome outcome = suite({kVolta, kFiner, kHopper, "--format", "dot"});
  EXPECT_THAT(outcome.out, StartsWith("digraph suite {"));
  for (const std::string& name : {kVolta, kFiner, kHopper}) {
    EXPECT_THAT(outcome.out, HasSubstr(name));
  }
  if (!has_program("dot")) return;
  EXPECT_EQ(run_program("dot", {"-Tplain"}, {.input = outcome.out}).status, 0);
}

TEST(Suite, DrawsItsTreeAsAPicture) {
  const Folder folder;
  const Outcome outcome =
      suite({kVolta, kFiner, kHopper, "--picture", folder / "tree.svg", "--json"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const std::string svg = content_of(folder / "tree.svg");
  EXPECT_THAT(svg, StartsWith("<svg "));
  for (const std::string& name : {kVolta, kFiner, kHopper}) EXPECT_THAT(svg, HasSubstr(name));
  EXPECT_THAT(svg, HasSubstr("data-text=\"input 1\""));
  EXPECT_EQ(suite({kVolta, kFiner, "--picture", folder / "none/tree.svg"}).status, 2);
  const std::string both = folder / "both";
  EXPECT_EQ(suite({kVolta, kFiner, "--picture", both, "--out", both}).status, 2);
}

constexpr const char* kProgram = R"(
#include <stdio.h>
#include "suite.h"

int main(void) {
  int i, k, c;
  for (i = 0; i < MMASPEC_SUITE_INPUTS; ++i) {
    for (k = 0; k < MMASPEC_SUITE_K; ++k) {
      printf("%llx %llx ", (unsigned long long)mmaspec_suite_a[i][k],
             (unsigned long long)mmaspec_suite_b[i][k]);
    }
    printf("%llx", (unsigned long long)mmaspec_suite_c[i]);
    for (c = 0; c < MMASPEC_SUITE_CLASSES; ++c) {
      printf(" %llx", (unsigned long long)mmaspec_suite_d[c][i]);
    }
    printf("\n");
  }
  for (c = 0; c < MMASPEC_SUITE_CLASSES; ++c) {
    printf("%s: %d\n", mmaspec_suite_classes[c], mmaspec_suite_class_of(mmaspec_suite_d[c]));
  }
  return 0;
}
)";

void expect_c(const Arguments& arguments, const std::string& compiler) {
  const Outcome header = suite(arguments, {"--format", "c"});
  EXPECT_EQ(header.status, 0) << header.err;
  const Json answer = answer_of(arguments);
  const Folder folder;
  folder.write("suite.h", header.out);
  const bool cpp = compiler == "c++";
  const std::string source = folder.write(cpp ? "main.cpp" : "main.c", kProgram);
  const std::string program = folder / "program";
  const Outcome compiled =
      run_program(compiler, {cpp ? "-std=c++17" : "-std=c99", "-pedantic", "-Wall", "-Wextra",
                             "-Werror", source, "-o", program});
  ASSERT_EQ(compiled.status, 0) << compiled.err;
  std::string wanted;
  const auto number = [](const std::string& hex) {
    const std::size_t digit = hex.find_first_not_of('0');
    return digit == std::string::npos ? std::string("0") : hex.substr(digit);
  };
  const auto words = [](const Json& row, const char* key) {
    std::vector<std::string> all(1);
    for (const char c : row.at(key).get<std::string>()) {
      if (c == ' ') {
        all.emplace_back();
      } else {
        all.back() += c;
      }
    }
    return all;
  };
  std::size_t i = 0;
  for (const Json& row : answer.at("rows")) {
    const auto a = words(row, "a");
    const auto b = words(row, "b");
    for (std::size_t k = 0; k < a.size(); ++k) wanted += number(a[k]) + " " + number(b[k]) + " ";
    wanted += number(row.at("c"));
    for (const Json& c : answer.at("classes")) wanted += " " + number(c.at("answers")[i]);
    wanted += "\n";
    ++i;
  }
  int c = 0;
  for (const Json& one : answer.at("classes")) {
    std::string names;
    for (const Json& name : one.at("names")) {
      names += (names.empty() ? "" : " ") + name.get<std::string>();
    }
    wanted += names + ": " + std::to_string(c++) + "\n";
  }
  EXPECT_EQ(run_program(program, {}).out, wanted);
}

TEST(Suite, IsATableInC) {
  if (!has_program("cc") || !has_program("c++")) GTEST_SKIP() << "there is no C compiler";
  expect_c({kVolta, kFiner, kHopper, "--inputs", "any"}, "cc");
  expect_c({kVolta, kFiner, kHopper}, "c++");
  expect_c({"*/*", "--formats", "e4m3,e4m3,f32,f32"}, "cc");
  expect_c({"*/*", "--formats", "f16,f16,f16,f16"}, "cc");
  const std::string scaled =
      "rtx-blackwell/mma.block_scale.m16n8k32.block32.f32.e4m3.e4m3.f32.ue8m0";
  expect_c({scaled, scaled + "@mma-sim-2025"}, "cc");
  const std::string f64 = "(k=2,a=f64,b=f64,c=f64,d=f64)";
  expect_c({"design:sequential-fma" + f64, "design:exact-dot-add" + f64}, "cc");
}

TEST(Suite, RefusesBadInput) {
  const auto refused = [](const Arguments& arguments, const std::vector<std::string>& parts) {
    SCOPED_TRACE(testing::PrintToString(arguments));
    expect_refused(suite(arguments), parts);
  };
  refused({}, {"NAME"});
  refused({"hopper/mma.m16n8k17.f32.f16.f16.f32"}, {"hopper/mma.m16n8k17"});
  refused({"hopper/*"}, {"--formats"});
  refused({kVolta, "ampere/mma.m8n8k4.f64.f64.f64.f64"}, {kVolta, "ampere/mma.m8n8k4.f64"});
  refused({kVolta, "--formats", ""}, {"--formats"});
  refused({kVolta, "--formats", "x"}, {"'x'"});
  refused({"--all-architectures", "f16,f16,f32"}, {"f16,f16,f32"});
  refused({kVolta, "--inputs", "some"}, {"--inputs"});
  refused({kVolta, "--where", "a[9] > 1"}, {"a[9]"});
  refused({kVolta, kFiner, "--format", "html"}, {"--format"});
  refused({kVolta, kFiner, "--format", "c", "--json"}, {"--json", "--format c"});
  refused({kVolta, kFiner, "--out", "/nosuch/file"}, {"/nosuch/file"});
  refused({kVolta, kFiner, "--timeout", "0"}, {"--timeout"});
  refused({kVolta, kFiner, "--nosuch"}, {"--nosuch"});
}

}  // namespace
}  // namespace mmaspec::cli_test::suite_test
