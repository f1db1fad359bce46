// The scripts that users run state errors in one line, like mmaspec.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/cli/process.h"

namespace mmaspec::cli_test::scripts_test {
namespace {

const std::string kReplay = MMASPEC_SOURCE_DIR "/hardware/replay/device/";

void expect_one_line(const std::vector<std::string>& command, int status, const std::string& part,
                     const std::string& input = "") {
  if (!has_program("python3")) GTEST_SKIP() << "there is no python3";
  const Outcome outcome = run_program("python3", command, {.input = input});
  EXPECT_EQ(outcome.status, status);
  EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
  EXPECT_THAT(outcome.err, testing::HasSubstr(part));
}

TEST(Scripts, CheckInstalledPrograms) {
  for (const std::string script : {"hip/check_machine_code.py", "cuda/check_machine_code.py"}) {
    SCOPED_TRACE(script);
    expect_one_line({kReplay + script, "nosuch-program"}, 2, "no program nosuch-program");
    expect_one_line({kReplay + script, "/nosuch/program"}, 2, "no program /nosuch/program");
  }
  const std::string hip = kReplay + "hip/check_machine_code.py";
  expect_one_line({hip, kReplay}, 2, "cannot run");
  expect_one_line({hip, MMASPEC_SOURCE_DIR "/hardware/replay/README.md"}, 2, "cannot run");
  expect_one_line({hip, "false"}, 2, "ended with status 1");
  expect_one_line({hip, "echo"}, 2, "does not list instructions");
}

/// A compiler that knows some architectures and writes its own name as the program.
void write_compiler(const Folder& folder, const std::string& name, const std::string& knows) {
  folder.write(name, R"(#!/bin/sh
while [ $# -gt 0 ]; do
  case $1 in
    --offload-arch=)" + knows +
                         R"() ;;
    --offload-arch=*) exit 1 ;;
    -o) output=$2; shift ;;
  esac
  shift
done
echo ")" + name + R"(" > "$output"
)");
  std::filesystem::permissions(folder / name, std::filesystem::perms::owner_all);
}

TEST(Scripts, BuildForHipLeavesOutUnknownTargets) {
  const Folder folder;
  const std::string out = folder / "program";
  const auto build = [&](const std::string& architectures) {
    return run_program(
        "env", {"PATH=" + folder.path().string() + ":/usr/bin:/bin", "HIPCC=" + folder / "hipcc",
                "MMASPEC_HIP_ARCHS=" + architectures, "sh", kReplay + "hip/build.sh", out});
  };
  write_compiler(folder, "hipcc", "gfx9[0-8]*");
  const Outcome old = build("gfx908 gfx999");
  EXPECT_EQ(old.status, 0) << old.err;
  EXPECT_EQ(old.err, "build.sh: this hipcc does not know gfx999: left out\n");
  EXPECT_EQ(content_of(out), "hipcc\n");
  write_compiler(folder, "clang++-25", "gfx9*");
  const Outcome newer = build("gfx908 gfx999");
  EXPECT_EQ(newer.status, 0) << newer.err;
  EXPECT_EQ(newer.err, "build.sh: this hipcc does not know gfx999: building with clang++-25\n");
  EXPECT_EQ(content_of(out), "clang++-25\n");
  EXPECT_EQ(build("gfx908").err, "");
  EXPECT_EQ(content_of(out), "hipcc\n");
  const Outcome none = build("gfx1");
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.err, testing::HasSubstr("nothing to build for"));
}

TEST(Scripts, RefuseLinesThatAreNotJson) {
  expect_one_line({kReplay + "questions.py"}, 1, "line 2 is not a JSON object", "{}\ngarbage\n");
  expect_one_line({kReplay + "questions.py"}, 1, "line 1 is not a JSON object", "[]\n");
}

}  // namespace
}  // namespace mmaspec::cli_test::scripts_test
