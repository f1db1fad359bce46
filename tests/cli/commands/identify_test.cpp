// identify, run as users run it: oracles that answer, and oracles that fail.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/cli/process.h"
#include "util/json.h"

namespace mmaspec::cli_test::identify_test {
namespace {

using testing::HasSubstr;

const std::string kVolta = "volta/mma.m8n8k4.f32.f16.f16.f32";
const std::vector<std::string> kFormats{"--formats", "f16,f16,f32,f32", "--k", "4"};
// A small space, so that tests are fast.
const std::string kSpace =
    "fused-dot-add(block=4,c_joins=early,normalize_products=no,fraction_bits=22..25,"
    "floor=none,zero_exponent=none,underflow=gradual,minus_zero=no,flush_inputs=no)";

std::string oracle_of(const std::string& name) {
  return "'" + std::string(std::getenv("MMASPEC_BINARY")) + "' eval '" + name + "' --rows -";
}

std::vector<std::string> command(std::vector<std::string> more) {
  std::vector<std::string> all{"identify"};
  all.insert(all.end(), kFormats.begin(), kFormats.end());
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

TEST(Identify, NamesAUnit) {
  const Outcome outcome = mmaspec(
      command({"--oracle", oracle_of(kVolta), "--space", kSpace, "--confirm", "500", "--json"}));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json found = Json::parse(outcome.out);
  EXPECT_EQ(found["verdict"], "identified");
  EXPECT_EQ(found["equal"], "proved");
  EXPECT_THAT(found["design"].get<std::string>(), HasSubstr("fraction_bits=23"));
  EXPECT_EQ(found["names"][0], kVolta);
  EXPECT_TRUE(found["conflict"].empty());
}

TEST(Identify, KeepsAStreamRunning) {
  if (!has_program("python3")) GTEST_SKIP() << "no python3";
  const Outcome outcome = mmaspec(
      command({"--oracle", std::string("python3 '") + MMASPEC_SOURCE_DIR + "/examples/oracle.py'",
               "--oracle-stream", "--space", "group-pairwise-sum(kept_bits=20..23)", "--confirm",
               "200", "--json"}));
  ASSERT_EQ(outcome.status, 0) << outcome.err << outcome.out;
  EXPECT_THAT(Json::parse(outcome.out)["design"].get<std::string>(),
              HasSubstr("group-pairwise-sum(a=f16,b=f16,c=f32,d=f32,k=4,group=1"));
}

TEST(Identify, SaysThatNoDesignFits) {
  const Outcome none =
      mmaspec(command({"--oracle", oracle_of("design:fused-dot-add(k=4,fraction_bits=30)"),
                       "--space", kSpace, "--json"}));
  ASSERT_EQ(none.status, 1) << none.err;
  const Json found = Json::parse(none.out);
  EXPECT_EQ(found["verdict"], "none fits");
  EXPECT_TRUE(found["design"].is_null());
  EXPECT_FALSE(found["conflict"].empty());
}

TEST(Identify, ReportsFailuresOfTheOracle) {
  const auto refused = [](const std::string& oracle, const std::string& part,
                          std::vector<std::string> more = {}) {
    std::vector<std::string> all{"--oracle", oracle, "--space", kSpace};
    all.insert(all.end(), more.begin(), more.end());
    expect_refused(mmaspec(command(all)), {part});
  };
  refused("exit 3", "status 3");
  refused("echo nonsense", "malformed JSON");
  refused("true", "0 rows answered of the 2 asked");
  refused(oracle_of(kVolta) + " | head -1", "1 row answered of the 2 asked");
  refused("sleep 60", "(--oracle-timeout)", {"--oracle-timeout", "0.3"});
  refused("sleep 60", "(--oracle-timeout)", {"--oracle-timeout", "0.3", "--oracle-stream"});
  refused("true", "it has ended", {"--oracle-stream"});
  refused(oracle_of(kVolta) + " | sed 's/\"a\":\"..../\"a\":\"1234/'", "another row");
}

TEST(Identify, RefusesBadUsage) {
  expect_refused(mmaspec({"identify"}), {"--oracle"});
  expect_refused(mmaspec({"identify", "--oracle", "true"}), {"--formats"});
  expect_refused(mmaspec({"identify", "--oracle", "true", "--formats", "f16,f16,f32", "--k", "4"}),
                 {"a,b,c,d"});
  expect_refused(
      mmaspec({"identify", "--oracle", "true", "--formats", "f16,f17,f32,f32", "--k", "4"}),
      {"f17"});
  expect_refused(mmaspec(command({"--oracle", "true", "--space", "fused-dot-add(F=3)"})),
                 {"unknown parameter 'F'"});
  expect_refused(mmaspec(command({"--recorded", "/no/such/file"})), {"/no/such/file"});
}

TEST(Identify, PrintsItsSpace) {
  const Outcome outcome = mmaspec(command({"--space"}));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("fused-dot-add(block=1|2|4,"));
  EXPECT_THAT(outcome.out, HasSubstr("sequential-fma("));
}

TEST(Identify, ContinuesFromItsJournal) {
  const Folder folder;
  const std::string journal = folder / "journal.jsonl";
  // The first run's oracle fails at the third batch. The answers to the other batches are kept.
  const std::string count = folder / "count";
  const std::string dies =
      "echo x >> " + count + "; [ $(wc -l < " + count + ") -lt 3 ] && " + oracle_of(kVolta);
  const std::vector<std::string> common{"--space", kSpace, "--confirm", "300", "--resume", journal};
  std::vector<std::string> first{"--oracle", dies};
  first.insert(first.end(), common.begin(), common.end());
  EXPECT_EQ(mmaspec(command(first)).status, 2);
  const std::size_t kept = lines_of(content_of(journal)).size();
  EXPECT_GE(kept, 5U);  // two answers to questions, and one question without an answer
  std::vector<std::string> again{"--oracle", oracle_of(kVolta)};
  again.insert(again.end(), common.begin(), common.end());
  const Outcome outcome = mmaspec(command(again));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr(kVolta));
}

TEST(Identify, SendsFilesInRounds) {
  const Folder folder;
  const std::string rounds = folder / "rounds";
  const std::vector<std::string> arguments =
      command({"--rounds", rounds, "--space", kSpace, "--confirm", "100"});
  Outcome outcome = mmaspec(arguments);
  int round = 1;
  for (; outcome.status == 3 && round < 40; ++round) {
    const std::string number = std::to_string(round) + ".jsonl";
    ASSERT_TRUE(std::filesystem::exists(rounds + "/ask-" + number)) << outcome.err;
    const Outcome answers = mmaspec({"eval", kVolta, "--rows", rounds + "/ask-" + number});
    ASSERT_EQ(answers.status, 0);
    folder.write("rounds/answer-" + number, answers.out);
    outcome = mmaspec(arguments);
  }
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr(kVolta));
}

TEST(ReplayDevice, RunsRowsOnAnyCommand) {
  const Folder folder;
  const std::string rows = folder / "rows.jsonl";
  ASSERT_EQ(mmaspec({"replay", "--random", "50", kVolta, "--dry-run", "--out", rows}).status, 0);
  EXPECT_EQ(mmaspec({"replay", rows, "--device", "exec:" + oracle_of(kVolta)}).status, 0);
  EXPECT_EQ(mmaspec({"replay", rows, "--device",
                     "exec:" + oracle_of("design:fused-dot-add(k=4,fraction_bits=10)")})
                .status,
            1);
  expect_refused(mmaspec({"replay", rows, "--device", "exec:"}), {"exec:COMMAND"});
}

TEST(Eval, AnswersRows) {
  const std::string row =
      R"({"instr":"oracle","a":"3c00 0000 0000 0000","b":"4000 0000 0000 0000","c":"00000000"})";
  const Outcome outcome = mmaspec({"eval", kVolta, "--rows", "-"}, {.input = row + "\n"});
  EXPECT_EQ(outcome.status, 0);
  const Json answer = Json::parse(outcome.out);
  EXPECT_EQ(answer["d"], "40000000");
  EXPECT_EQ(answer["instr"], "oracle");
  expect_refused(mmaspec({"eval", kVolta, "--rows", "-"}, {.input = "rubbish\n"}),
                 {"'rubbish' is not a row"});
}

TEST(Identify, RefusesAnswersOfAWrongNumberOfDigits) {
  const Outcome outcome =
      mmaspec(command({"--oracle", "sed 's/}$/,\"d\":\"3c00\"}/'", "--space", kSpace}));
  EXPECT_EQ(outcome.status, 2) << outcome.out;
  EXPECT_THAT(outcome.err, HasSubstr("\"d\" has 4 hexadecimal digits, but a pattern of f32 has 8"));
}

}  // namespace
}  // namespace mmaspec::cli_test::identify_test
