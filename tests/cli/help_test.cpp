// Help, manual pages and completions, all from one text.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/cli/process.h"

namespace mmaspec::cli_test::help_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::vector<std::string> kCommands{"list",  "show",     "eval",     "verify", "diff",
                                         "check", "export",   "replay",   "prove",  "table",
                                         "suite", "identify", "tolerance"};

TEST(HelpOn, EachCommandHasExamplesThatItTakes) {
  for (const std::string& command : kCommands) {
    const Outcome outcome = mmaspec({command, "-h"});
    EXPECT_EQ(outcome.status, 0) << command;
    EXPECT_EQ(mmaspec({"help", command}).out, outcome.out);
    EXPECT_EQ(mmaspec({command, "--help"}).out, outcome.out);
    EXPECT_THAT(outcome.out,
                AllOf(HasSubstr("Example"), HasSubstr("\n  mmaspec " + command + " ")));
  }
}

TEST(HelpOn, ConditionsAndDesignsIsComplete) {
  const std::string where = mmaspec({"help", "where"}).out;
  EXPECT_THAT(where, AllOf(HasSubstr("comparison = value (\"<\""), HasSubstr("exponent(x)")));
  for (const std::string command : {"diff", "prove", "suite", "tolerance"}) {
    EXPECT_THAT(mmaspec({command, "--help"}).out, HasSubstr(where)) << command;
  }
  const std::string design = mmaspec({"help", "design"}).out;
  for (const std::string algorithm : {"fused-dot-add", "sequential-fma", "exact-dot-add"}) {
    EXPECT_THAT(design, HasSubstr(mmaspec({"show", "--parameters", algorithm}).out));
  }
  expect_refused(mmaspec({"help", "nothing"}), {"nothing", "where"});
}

TEST(HelpOn, EqualsTheDocumentedHelp) {
  const std::string document = content_of(std::string(MMASPEC_SOURCE_DIR) + "/docs/commands.md");
  EXPECT_EQ(document, mmaspec({"help", "--markdown"}).out)
      << "mmaspec help --markdown > docs/commands.md";
}

TEST(ManualPages, AreOneForEachCommand) {
  const Folder folder;
  EXPECT_EQ(mmaspec({"help", "--man", folder / "man1"}).status, 0);
  for (const std::string& command : kCommands) {
    const std::string file = folder / ("man1/mmaspec-" + command + ".1");
    const std::string page = content_of(file);
    EXPECT_THAT(page, AllOf(HasSubstr(".SH SYNOPSIS"), HasSubstr("Example"))) << command;
    if (!has_program("man")) continue;
    const Outcome outcome = run_program("man", {"--warnings", "-l", file});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "") << command;
  }
  EXPECT_THAT(content_of(folder / "man1/mmaspec.1"), HasSubstr("mmaspec\\-diff"));
}

TEST(Completion, OfBashCompletesCommandsOptionsAndWords) {
  const Folder folder;
  const std::string script = folder.write("completion", mmaspec({"completion", "bash"}).out);
  const auto complete = [&](const std::string& words, int at) {
    return run_program("bash", {"-c", "source " + script + "; COMP_WORDS=(" + words +
                                          "); COMP_CWORD=" + std::to_string(at) +
                                          "; _mmaspec; printf '%s\\n' \"${COMPREPLY[@]}\""})
        .out;
  };
  EXPECT_EQ(complete("mmaspec tol", 1), "tolerance\n");
  EXPECT_EQ(complete("mmaspec diff --inp", 2), "--inputs\n");
  EXPECT_EQ(complete("mmaspec diff --inputs nor", 3), "normal\n");
  EXPECT_EQ(complete("mmaspec help whe", 2), "where\n");
  EXPECT_EQ(complete("mmaspec completion z", 2), "zsh\n");
}

TEST(Completion, IsForThreeShells) {
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    const Outcome outcome = mmaspec({"completion", shell});
    EXPECT_EQ(outcome.status, 0);
    for (const std::string& command : kCommands) EXPECT_THAT(outcome.out, HasSubstr(command));
    if (!has_program(shell)) continue;
    const Folder folder;
    const std::string script = folder.write("completion", outcome.out);
    EXPECT_EQ(run_program(shell, {"-n", script}).status, 0) << shell;
  }
  EXPECT_EQ(mmaspec({"completion", "csh"}).status, 2);
}

TEST(Colour, IsOnlyForTerminals) {
  const std::vector<std::string> question{"diff", "design:fused-dot-add(k=1,fraction_bits=24)",
                                          "design:fused-dot-add(k=1,fraction_bits=24)"};
  EXPECT_THAT(mmaspec(question).out, Not(HasSubstr("\033[")));
  setenv("CLICOLOR_FORCE", "1", 1);
  EXPECT_THAT(mmaspec(question).out, HasSubstr("\033[1;32mproved\033[0m"));
  setenv("NO_COLOR", "1", 1);
  EXPECT_THAT(mmaspec(question).out, Not(HasSubstr("\033[")));
  unsetenv("NO_COLOR");
  std::vector<std::string> with_json = question;
  with_json.emplace_back("--json");
  EXPECT_THAT(mmaspec(with_json).out, Not(HasSubstr("\033[")));
  unsetenv("CLICOLOR_FORCE");
}

}  // namespace
}  // namespace mmaspec::cli_test::help_test
