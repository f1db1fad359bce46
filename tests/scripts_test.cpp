// The scripts that are run by hand say in one line what is wrong, as mmaspec does.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/cli_process.h"

namespace mmaspec::cli_test {
namespace {

const std::string kReplay = MMASPEC_SOURCE_DIR "/replay/";

void expect_one_line(const std::vector<std::string>& command, int status, const std::string& part,
                     const std::string& input = "") {
  if (!has_program("python3")) GTEST_SKIP() << "there is no python3";
  const Outcome outcome = run_program("python3", command, {.input = input});
  EXPECT_EQ(outcome.status, status);
  EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
  EXPECT_THAT(outcome.err, testing::HasSubstr(part));
}

TEST(Scripts, CheckProgramsThatAreThere) {
  for (const std::string script : {"hip/check_machine_code.py", "cuda/check_machine_code.py"}) {
    SCOPED_TRACE(script);
    expect_one_line({kReplay + script, "nosuch-program"}, 2, "no program nosuch-program");
    expect_one_line({kReplay + script, "/nosuch/program"}, 2, "no program /nosuch/program");
  }
  const std::string hip = kReplay + "hip/check_machine_code.py";
  expect_one_line({hip, kReplay}, 2, "cannot run");
  expect_one_line({hip, kReplay + "README.md"}, 2, "cannot run");
  expect_one_line({hip, "false"}, 2, "ended with status 1");
  expect_one_line({hip, "echo"}, 2, "does not list instructions");
}

TEST(Scripts, CountNoGarbage) {
  expect_one_line({kReplay + "questions.py"}, 1, "line 2 is no JSON object", "{}\ngarbage\n");
  expect_one_line({kReplay + "questions.py"}, 1, "line 1 is no JSON object", "[]\n");
}

}  // namespace
}  // namespace mmaspec::cli_test
