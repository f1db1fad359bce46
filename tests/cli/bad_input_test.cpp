// Wrong arguments and files are refused: one line on standard error that states the fault, status
// 2, nothing on standard output, and no partial file.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>

#include "tests/support/cli/process.h"
#include "util/json.h"

namespace mmaspec::cli_test::bad_input_test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

const std::string kVolta = "volta/mma.m8n8k4.f32.f16.f16.f32";
const std::string kFiner = "design:fused-dot-add(k=4,fraction_bits=24,floor=-132)";
const std::string kRow = R"({"instr":"volta/mma.m8n8k4.f32.f16.f16.f32","a":"3c00 0000 0000 0000",)"
                         R"("b":"3c00 0000 0000 0000","c":"00000000","d":"3f800000"})";

using Arguments = std::vector<std::string>;

TEST(Refused, UnknownInstructionsNameTheNearest) {
  const std::string near = "volta/mma.m8n8k4.f32.f16.f16.f23";
  for (const Arguments& command :
       {Arguments{"show", near}, Arguments{"eval", near}, Arguments{"export", near},
        Arguments{"check", near}, Arguments{"diff", near, kFiner},
        Arguments{"diff", kFiner, near}}) {
    expect_refused(mmaspec(command), {"'" + near + "'", "did you mean '" + kVolta + "'"});
  }
  expect_refused(mmaspec({"show", "hopper"}), {"<arch>/<mnemonic>", "list --arch hopper"});
  expect_refused(mmaspec({"show", "MI300A"}), {"<arch>/<mnemonic>", "list --arch cdna3"});
  expect_refused(mmaspec({"show", ""}), {});
  expect_refused(mmaspec({"show", "/"}), {});
  expect_refused(mmaspec({"show", kVolta + "@"}), {});
  expect_refused(mmaspec({"show", std::string(100000, 'x')}), {});
  expect_refused(mmaspec({"show", "hopper/wgmma.m64n7k16.f32.f16.f16"}), {});
}

TEST(Refused, MnemonicsAloneNameTheArchitecturesThatHaveThem) {
  const std::string mnemonic = "mma.m8n8k4.f32.f16.f16.f32";
  expect_refused(mmaspec({"show", mnemonic}),
                 {"<arch>/<mnemonic>", "such as '" + kVolta + "'", "one of volta, turing"});
  expect_refused(mmaspec({"show", mnemonic + "@mma-sim"}), {"such as '" + kVolta + "@mma-sim'"});
  expect_refused(mmaspec({"eval", "wgmma.m64n24k16.f32.f16.f16"}),
                 {"such as 'hopper/wgmma.m64n24k16.f32.f16.f16'", "one of hopper)"});
  expect_refused(mmaspec({"diff", kVolta, "v_mfma_f32_32x32x8_f61"}),
                 {"did you mean 'cdna3/v_mfma_f32_32x32x8_f16'"});
  expect_refused(mmaspec({"diff", kVolta, "V_MFMA_F32_32X32X8_F16"}),
                 {"such as 'cdna3/v_mfma_f32_32x32x8_f16'"});
  expect_refused(mmaspec({"show", "volta/wgmma.m64n8k16.f32.f16.f16"}),
                 {"an instruction of hopper"});
}

TEST(Refused, UnknownArchitecturesNameTheNearest) {
  expect_refused(mmaspec({"show", "hoper/mma.m16n8k16.f32.f16.f16.f32"}),
                 {"architecture 'hoper'", "did you mean 'hopper'"});
  expect_refused(mmaspec({"list", "--arch", "h10"}), {"'h10'", "did you mean 'h100'"});
  expect_refused(mmaspec({"list", "--arch", "GFX941"}), {"'GFX941'", "did you mean 'gfx942'"});
  expect_refused(mmaspec({"list", "--arch", ""}), {});
}

TEST(Refused, AnUnknownMachineOfTwoIsNamed) {
  expect_refused(mmaspec({"diff", "h100", "mi30x"}), {"'mi30x'", "did you mean 'mi300x'"});
  expect_refused(mmaspec({"diff", "nosuch", "a100"}), {"'nosuch'"});
  expect_refused(mmaspec({"diff", "a100", "B300"}), {"'B300' is not in the catalogue"});
}

TEST(Refused, NoNearestValueIsSuggestedIfItIsInfinite) {
  const Outcome large = mmaspec({"eval", kVolta, "--a", "1e10"});
  expect_refused(large, {"f16 does not represent 1e10"});
  EXPECT_EQ(large.err.find("--round"), std::string::npos);
  expect_refused(mmaspec({"eval", kVolta, "--a", "0.1"}), {"--round takes the nearest"});
}

TEST(Refused, UnknownVariants) {
  expect_refused(mmaspec({"show", kVolta + "@mma-sin"}), {"'mma-sin'", "did you mean 'mma-sim'"});
  expect_refused(mmaspec({"verify", "-", "--variant", "nosuch"}), {"'nosuch'", "mma-sim"});
  expect_refused(mmaspec({"verify", "-", "--variant", ""}), {"--variant"});
}

TEST(Refused, UnknownOrMissingCommands) {
  expect_refused(mmaspec({"lst"}), {"'lst'", "did you mean 'list'"});
  expect_refused(mmaspec({"frobnicate"}), {"'frobnicate'"});
  expect_refused(mmaspec({""}), {});
  expect_refused(mmaspec({}), {"expected a command", "--help"});
}

TEST(Refused, UnknownOptionsAndSuperfluousArguments) {
  for (const std::string command :
       {"list", "show", "eval", "verify", "diff", "check", "export", "suite"}) {
    expect_refused(mmaspec({command, kVolta, kVolta, kVolta, "--nosuch"}), {"--nosuch"});
    expect_refused(mmaspec({command, "-x"}), {});
  }
  expect_refused(mmaspec({"--nosuch"}), {"--nosuch"});
  expect_refused(mmaspec({"list", "volta"}), {"volta"});
  expect_refused(mmaspec({"eval", kVolta, "--a", "1", "--a", "2"}), {"--a"});
  expect_refused(mmaspec({"show", kVolta, "x", "y"}), {"unexpected: 'x', 'y'"});
  expect_refused(mmaspec({"eval", kVolta, "--a", "1,", "2,", "3"}),
                 {"unexpected: '2,', '3'", "without spaces"});
}

TEST(Refused, MissingArguments) {
  for (const std::string command : {"show", "eval", "verify", "diff", "export"}) {
    expect_refused(mmaspec({command}), {"required"});
  }
  expect_refused(mmaspec({"diff", kVolta}), {"required"});
  expect_refused(mmaspec({"eval", kVolta, "--a"}), {"--a"});
  expect_refused(mmaspec({"diff", kVolta, kFiner, "--out"}), {"--out"});
}

TEST(Refused, WrongNumbersOfValues) {
  expect_refused(mmaspec({"eval", kVolta, "--a", "1,2,3,4,5"}), {"--a", "5 values", "at most 4"});
  expect_refused(mmaspec({"eval", kVolta, "--c", "1,2"}), {"--c", "2 values", "at most 1"});
  expect_refused(mmaspec({"eval", kVolta, "--sa", "1"}), {"scale"});
  expect_refused(mmaspec({"eval", kVolta, "--chain", "0"}), {"--chain"});
}

TEST(Refused, ValuesThatTheFormatDoesNotHold) {
  expect_refused(mmaspec({"eval", kVolta, "--a", "0.1"}),
                 {"--a", "f16 does not represent 0.1", "0x1.998p-4", "0x1.99cp-4"});
  expect_refused(mmaspec({"eval", kVolta, "--a", "65536"}),
                 {"f16 does not represent", "0x1.ffcp+15"});
  expect_refused(mmaspec({"eval", kVolta, "--b", "-0x1p-25"}), {"--b", "f16 does not represent"});
  expect_refused(mmaspec({"eval", kVolta, "--a", "0x10000"}),
                 {"5 hexadecimal digits", "a pattern of f16 has 4"});
  expect_refused(mmaspec({"eval", kVolta, "--c", "1e400"}), {"--c", "f32 does not represent"});
  const std::string e4m3 = "ada/mma.m16n8k32.f32.e4m3.e4m3.f32";
  expect_refused(mmaspec({"eval", e4m3, "--a", "inf"}), {"e4m3 has no infinity"});
}

TEST(Refused, MalformedValues) {
  for (const std::string value :
       {"x", "0x", "1e", "--", "1,,2", "1,", ",", " 1", "1 ", "0xg", "1.2.3", "0x1p", "1e99999999",
        "infinity", "NaN", "+-1", "\xff\xfe", "1\n2", "--json"}) {
    SCOPED_TRACE(value);
    expect_refused(mmaspec({"eval", kVolta, "--a", value}), {"--a", "is not a number"});
  }
  expect_refused(mmaspec({"eval", kVolta, "--a", std::string(50000, '9')}), {"is not a number"});
}

TEST(Refused, MalformedLimits) {
  for (const auto& [option, value] : std::vector<std::pair<std::string, std::string>>{
           {"--timeout", "0"},      {"--timeout", "-1"},  {"--timeout", "nan"},
           {"--timeout", "inf"},    {"--timeout", "x"},   {"--timeout", "5s"},
           {"--timeout", ""},       {"--timeout", "1e9"}, {"--jobs", "0"},
           {"--jobs", "-1"},        {"--jobs", "x"},      {"--jobs", "99999999999"},
           {"--count", "0"},        {"--count", "-1"},    {"--count", "1.5"},
           {"--seed", "-1"},        {"--seed", "x"},      {"--seed", "99999999999999"},
           {"--chain", "0"},        {"--inputs", "some"}, {"--inputs", "2"},
           {"--match", "none"},     {"--ulp", "-1"},      {"--ulp", "x"},
           {"--ulp", "1.5"},        {"--ulp", "0x10"},    {"--abs", "-1"},
           {"--abs", "nan"},        {"--abs", "inf"},     {"--abs", "x"},
           {"--ulp", ""},           {"--abs", ""},        {"--rel", ""},
           {"--out", ""},           {"--rel", "-0.1"},    {"--rel", "nan"},
           {"--rel", "1e-99999999"}}) {
    SCOPED_TRACE(option + " " + value);
    expect_refused(mmaspec({"diff", kVolta, kFiner, option, value}), {option});
  }
  for (const std::string samples : {"0", "-1", "x", "99999999999"}) {
    expect_refused(mmaspec({"check", kVolta, "--samples", samples}), {"--samples"});
  }
  expect_refused(mmaspec({"export", kVolta, "--format", "pdf"}), {"--format", "pdf", "smtlib2"});
}

TEST(Refused, MissingSolvers) {
  for (const Arguments& command : {Arguments{"diff", kVolta, kFiner}, Arguments{"check", kVolta}}) {
    Arguments with = command;
    with.insert(with.end(), {"--solver", "smtlib:nosuch-program -in"});
    expect_refused(mmaspec(with), {"'nosuch-program'"});
    with.back() = "smtlib:";
    expect_refused(mmaspec(with), {});
    with.back() = "z33";
    expect_refused(mmaspec(with), {"'z33'", "z3, cvc5"});
  }
}

TEST(Refused, PairsThatCannotBeCompared) {
  expect_refused(mmaspec({"diff", kVolta, "ampere/mma.m8n8k4.f64.f64.f64.f64", "--match", "bits"}),
                 {"bits"});
}

TEST(BadRows, AreReportedAndTheOthersCounted) {
  const Folder folder;
  const auto with = [](const std::string& from, const std::string& to) {
    std::string row = kRow;
    return row.replace(row.find(from), from.size(), to);
  };
  const std::vector<std::pair<std::string, std::string>> bad{
      {"{\"instr\":", "malformed JSON"},
      {"garbage", "'garbage' is not a row: expected a JSON object"},
      {std::string(100000, '['), "malformed JSON"},
      {R"({"x":1e999})", "malformed JSON"},
      {with(",\"d\"", ",\"x\":" + std::string(100000, '[') + std::string(100000, ']') + ",\"d\""),
       "malformed JSON"},
      {"\xff\xfe", "malformed JSON"},
      {std::string("\0", 1), "malformed JSON"},
      {kRow + kRow, "malformed JSON"},
      {"[]", "not a JSON object"},
      {"7", "not a JSON object"},
      {"{}", "\"instr\" is missing"},
      {with("3c00 0000 0000 0000", "3c00 0000 0000"), "\"a\" has 3 values, expected 4"},
      {with("3c00 0000 0000 0000", ""), "\"a\" has 0 values, expected 4"},
      {with("\"3c00 0000 0000 0000\"", "7"), "\"a\" is not a string"},
      {with("3c00 ", "13c00 "), "a pattern of f16 has 4"},
      {with("3c00 ", "3g00 "), "not a hexadecimal bit pattern"},
      {with("3c00 ", std::string(100, '0') + " "), "not a hexadecimal bit pattern"},
      {with("\"00000000\"", "\"\""), "not a hexadecimal bit pattern"},
      {with("3f800000", "13f800000"), "\"d\" has 9 hexadecimal digits"},
      {with("3f800000", "3c00"), "\"d\" has 4 hexadecimal digits, but a pattern of f32 has 8"},
      {with("\"d\":\"3f800000\"", "\"d\":\"0\""), "\"d\" has 1 hexadecimal digit,"},
      {with("\"d\":\"3f800000\"", "\"d\":\"0000000000000000000000000\""),
       "\"d\" has 25 hexadecimal digits"},
      {with("0000 0000 0000", "0 0000 0000"), "different numbers of hexadecimal digits"},
      {with(",\"d\":\"3f800000\"", ""), "\"d\" is missing"},
      {with(",\"c\":\"00000000\"", ""), "\"c\" is missing"},
      {with("\"3f800000\"", "null"), "\"d\" is not a string"},
      {with("\"c\"", "\"sa\":\"7f\",\"c\""), "no scale factors"},
      {with("volta", "vlota"), "did you mean 'volta'"},
      {with("volta", "volta\\n\\u0000\\u001b"), "unknown architecture"},
      {with("f32\"", "f32@nosuch\""), "unknown variant"},
      {with("volta", std::string(5000, 'v')), "a name of"},
      {with("{", "{\"other\":\"x\","), ""},
  };
  for (const auto& [row, message] : bad) {
    SCOPED_TRACE(row.substr(0, 100));
    const std::string file = folder.write("v.jsonl", kRow + "\n\n" + row + "\n" + kRow + "\n");
    const Outcome outcome = mmaspec({"verify", file});
    EXPECT_THAT(outcome.out,
                EndsWith(message.empty() ? "3 passed, 0 failed\n" : "2 passed, 0 failed\n"));
    EXPECT_EQ(outcome.status, message.empty() ? 0 : 2);
    if (message.empty()) continue;
    EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
    EXPECT_THAT(outcome.err, testing::StartsWith("mmaspec: " + file + ":3: "));
    if (message != "a name of") {
      EXPECT_THAT(outcome.err, HasSubstr(message));
    }
    EXPECT_EQ(outcome.err.find('\0'), std::string::npos);
    const Outcome as_json = mmaspec({"verify", file, "--json"});
    EXPECT_EQ(Json::parse(as_json.out).at("bad_rows").size(), 1U);
    EXPECT_EQ(Json::parse(as_json.out).at("passed"), 2);
  }
}

TEST(BadRows, BeyondTheFirstFewAreCounted) {
  std::string rows;
  for (int i = 0; i < 50; ++i) rows += "garbage\n";
  const Outcome outcome = mmaspec({"verify", "-"}, {.input = rows});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(lines_of(outcome.err).size(), 21U);
  EXPECT_EQ(lines_of(outcome.err).back(), "mmaspec: and 30 more rows that cannot be read");
}

TEST(BadRows, VeryLongLinesAreSkipped) {
  const Folder folder;
  const std::string file =
      folder.write_gz("v.jsonl.gz", std::string(std::size_t{64} << 20, ' ') + "x\n" + kRow);
  const Outcome outcome = mmaspec({"verify", file});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr(":1: a line is longer than"));
  EXPECT_THAT(outcome.out, EndsWith("1 passed, 0 failed\n"));
}

TEST(BadFiles, AreRefused) {
  const Folder folder;
  const std::string good = folder.write("good", kRow + "\n");
  expect_refused(mmaspec({"verify", folder / "missing"}), {folder / "missing", "No such file"});
  expect_refused(mmaspec({"verify", good, folder / "missing"}), {folder / "missing"});
  expect_refused(mmaspec({"verify", folder.path()}), {"Is a directory"});
  expect_refused(mmaspec({"verify", good + "/x"}), {good + "/x"});
  expect_refused(mmaspec({"verify", ""}), {});
}

TEST(BadFiles, UnreadableFilesAreRefused) {
  const Folder folder;
  const std::string file = folder.write("v.jsonl", kRow + "\n");
  std::filesystem::permissions(file, std::filesystem::perms::none);
  if (!content_of(file).empty()) GTEST_SKIP() << "this user may read every file";
  expect_refused(mmaspec({"verify", file}), {file, "Permission denied"});
}

TEST(BadFiles, ThatAreCorruptOrCutShortAreRefused) {
  const Folder folder;
  std::string rows;
  for (int i = 0; i < 5000; ++i)
    rows += kRow + "\n" + std::string(static_cast<std::size_t>(i) % 90, ' ') + "\n";
  const std::string whole = content_of(folder.write_gz("whole.gz", rows));
  std::string damaged = whole;
  for (std::size_t i = damaged.size() / 2; i < damaged.size() / 2 + 20; ++i) damaged[i] ^= 0x55;
  expect_refused(mmaspec({"verify", folder.write("damaged.gz", damaged)}), {"damaged.gz"});
  for (const std::size_t kept :
       {whole.size() / 2, whole.size() - 1, whole.size() - 9, std::size_t{12}}) {
    SCOPED_TRACE(kept);
    expect_refused(mmaspec({"verify", folder.write("cut.gz", whole.substr(0, kept))}), {"cut.gz"});
  }
  std::string sum = whole;
  sum[whole.size() - 6] ^= 1;
  expect_refused(mmaspec({"verify", folder.write("sum.gz", sum)}), {"sum.gz"});
}

TEST(BadOutput, LeavesNoFile) {
  const Folder folder;
  const std::string nowhere = folder / "nosuch/w.jsonl";
  expect_refused(mmaspec({"diff", kVolta, kFiner, "--out", nowhere}), {nowhere, "No such file"});
  const std::string formula = folder / "nosuch/w.smt2";
  expect_refused(mmaspec({"export", kVolta, "--out", formula}), {formula, "No such file"});
  expect_refused(mmaspec({"diff", kVolta, kFiner, "--out", folder.path()}), {"Is a directory"});
  expect_refused(mmaspec({"export", kVolta, "--out", folder.path()}), {"Is a directory"});
  EXPECT_EQ(folder.files(), 0U);
  EXPECT_FALSE(std::filesystem::exists(folder / "nosuch"));
  expect_refused(mmaspec({"export", kVolta, "--out", "/dev/full"}), {"/dev/full", "No space left"});
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

TEST(BadOutput, AFullDeviceIsReported) {
  for (const Arguments& command :
       {Arguments{"list"}, Arguments{"list", "--json"}, Arguments{"show", kVolta},
        Arguments{"eval", kVolta}, Arguments{"verify", "-"}, Arguments{"diff", kVolta, kFiner},
        Arguments{"export", kVolta}, Arguments{"check", kVolta, "--samples", "1"},
        Arguments{"--help"}, Arguments{"--version"}}) {
    SCOPED_TRACE(command[0]);
    expect_refused(mmaspec(command, {.input = kRow, .output_to = "/dev/full"}),
                   {"standard output", "No space left"});
  }
}

TEST(BadOutput, AFileSizeLimitLeavesNoFile) {
  const Folder folder;
  const char* binary = std::getenv("MMASPEC_BINARY");
  ASSERT_NE(binary, nullptr);
  const std::string in_little_space = "ulimit -f 8; exec \"$0\" \"$@\"";
  for (const Arguments& command :
       {Arguments{"export", kVolta, "--out", folder / "formula"},
        Arguments{"replay", "--random", "1000", kVolta, "--out", folder / "rows"},
        Arguments{"replay", "--random", "1000", kVolta, "--device", kVolta, "--out", folder / "r"},
        Arguments{"replay", "--bundle", folder / "bundle"}}) {
    SCOPED_TRACE(testing::PrintToString(command));
    Arguments all{"-c", in_little_space, binary};
    all.insert(all.end(), command.begin(), command.end());
    expect_refused(run_program("sh", all), {"cannot write"});
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  }
}

const std::vector<Arguments> kThatPrint{
    {"list"},
    {"show", kVolta},
    {"eval", kVolta},
    {"verify", "-"},
    {"diff", kVolta, kFiner},
    {"prove", "commutative", "design:sequential-fma(a=e2m1,b=e2m1,c=e5m2,d=e5m2,k=1)"},
    {"prove", "--list"},
    {"table", "design:sequential-fma(a=e2m1,b=e2m1,c=e5m2,d=e5m2,k=1)", "--properties",
     "commutative"},
    {"export", kVolta},
    {"check", kVolta, "--samples", "1"},
    {"replay", "--random", "1", kVolta, "--dry-run"},
    {"--help"},
    {"--version"}};

TEST(BadOutput, AClosedPipeEndsTheCommandQuietly) {
  for (const Arguments& command : kThatPrint) {
    SCOPED_TRACE(command[0]);
    const Outcome outcome = mmaspec(command, {.input = kRow, .unread = true});
    EXPECT_EQ(outcome.status, -SIGPIPE);
    EXPECT_EQ(outcome.err, "");
  }
}

TEST(BadOutput, AClosedStandardOutputIsReported) {
  for (const Arguments& command : kThatPrint) {
    SCOPED_TRACE(command[0]);
    const Outcome outcome = mmaspec(command, {.input = kRow, .closed = {STDOUT_FILENO}});
    expect_refused(outcome, {"cannot write to standard output", "Bad file descriptor"});
  }
}

TEST(BadOutput, AClosedStandardErrorLeavesTheStatus) {
  const Folder folder;
  const std::string file = folder.write("v.jsonl", kRow + "\ngarbage\n");
  const std::vector<RunOptions> ways{{.errors_to = "/dev/full"}, {.closed = {STDERR_FILENO}}};
  for (const RunOptions& way : ways) {
    for (const Arguments& command :
         {Arguments{"list", "--nosuch"}, Arguments{"show", "nosuch"}, Arguments{"frobnicate"},
          Arguments{"verify", "/nosuch"}, Arguments{"table", "--results", "/dev/zero"}}) {
      SCOPED_TRACE(command[0]);
      const Outcome outcome = mmaspec(command, way);
      EXPECT_EQ(outcome.status, 2);
      EXPECT_EQ(outcome.out, "");
    }
    const Outcome rows = mmaspec({"verify", file}, way);
    EXPECT_EQ(rows.status, 2);
    EXPECT_THAT(rows.out, EndsWith("1 passed, 0 failed\n"));
    const Outcome replayed = mmaspec({"replay", file, "--recorded", file}, way);
    EXPECT_EQ(replayed.status, 2);
  }
}

TEST(BadOutput, NoFileIsOpenedAsAClosedStandardStream) {
  const Folder folder;
  const std::string out = folder / "w.jsonl";
  const std::vector<int> all{STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};
  EXPECT_EQ(mmaspec({"diff", kVolta, kFiner, "--ulp", "0", "--out", out}, {.closed = all}).status,
            2);
  EXPECT_TRUE(content_of(out).empty() || lines_of(content_of(out)).size() == 1U);
  const std::string formula = folder / "f.smt2";
  EXPECT_EQ(mmaspec({"export", kVolta, "--out", formula}, {.closed = all}).status, 0);
  EXPECT_EQ(content_of(formula), mmaspec({"export", kVolta}).out);
  const std::string results = folder / "cells.jsonl";
  mmaspec({"table", "design:sequential-fma(a=e2m1,b=e2m1,c=e5m2,d=e5m2,k=1)", "--properties",
           "commutative", "--results", results},
          {.closed = all});
  for (const std::string& line : lines_of(content_of(results)))
    EXPECT_FALSE(Json::parse_or_discard(line).is_discarded());
  expect_refused(mmaspec({"verify", "-"}, {.closed = {STDIN_FILENO}}), {"cannot read -"});
}

TEST(BadFiles, EndlessFilesAreRefused) {
  const Folder folder;
  const std::string good = folder.write("good", kRow + "\n");
  for (const Arguments& command :
       {Arguments{"verify", "/dev/zero"}, Arguments{"verify", good, "/dev/zero"},
        Arguments{"replay", "/dev/zero", "--device", kVolta},
        Arguments{"replay", good, "--recorded", "/dev/zero"},
        Arguments{"table", kVolta, "--results", "/dev/zero"},
        Arguments{"table", kVolta, "--render-only", "--results", "/dev/zero"}}) {
    SCOPED_TRACE(testing::PrintToString(command));
    expect_refused(mmaspec(command), {"/dev/zero"});
  }
  const Outcome random = mmaspec({"verify", "/dev/urandom"});
  EXPECT_EQ(random.status, 2);
  EXPECT_EQ(random.out, "");
  // The number of the first bad line is random: a random line may be empty or a comment.
  expect_refused(random, {"100000 rows cannot be read", "/dev/urandom:"});
  const std::string huge = folder.write("huge", "");
  std::filesystem::resize_file(huge, std::uintmax_t{1} << 33);
  expect_refused(mmaspec({"verify", huge}), {huge, "is not terminated"});
  expect_refused(mmaspec({"table", kVolta, "--results", huge}), {huge + ":1", "no cell"});
  EXPECT_EQ(std::filesystem::file_size(huge), std::uintmax_t{1} << 33);
}

TEST(BadFiles, ResultsMustBeARegularFile) {
  const Folder folder;
  for (const std::string file : {"/dev/full", "/dev/null"}) {
    expect_refused(mmaspec({"table", kVolta, "--results", file}), {file});
  }
  expect_refused(mmaspec({"table", kVolta, "--results", folder.path()}), {"Is a directory"});
}

TEST(InvalidUtf8, LeavesJsonValid) {
  const Folder folder;
  const std::string file = folder.write("\xff\xfe.jsonl", "\xff\n" + kRow + "\n");
  std::string wrong = kRow;
  wrong.replace(wrong.find("3f80"), 4, "3f81");
  const std::string mismatch = folder.write("\xc3(.jsonl", wrong);
  const Outcome outcome = mmaspec({"verify", file, mismatch, "--json"});
  EXPECT_EQ(outcome.status, 2);
  const Json report = Json::parse(outcome.out);
  EXPECT_EQ(report.at("passed"), 1);
  EXPECT_EQ(report.at("failed"), 1);
  const Outcome undecided = mmaspec({"diff", kVolta, kFiner, "--ulp", "4294967295", "--json",
                                     "--solver", "smtlib:echo \xff\xc0"});
  EXPECT_EQ(undecided.status, 3);
  EXPECT_FALSE(Json::parse_or_discard(undecided.out).is_discarded()) << undecided.out;
  expect_refused(mmaspec({"show", "\xff/\xfe@\xfd", "--json"}), {});
  expect_refused(mmaspec({"eval", kVolta, "--c", "\xff", "--json"}), {"--c"});
  expect_refused(mmaspec({"list", "--arch", "\xff", "--json"}), {});
}

}  // namespace
}  // namespace mmaspec::cli_test::bad_input_test
