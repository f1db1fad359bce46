// Commands that are stopped, and the processes that they started. MMASPEC_KILLS: number of runs
// that are killed (default: a few).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <random>
#include <thread>

#include "tests/support/cli/running.h"
#include "util/json.h"

namespace mmaspec::cli_test::stop_test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

using Arguments = std::vector<std::string>;

// Search does not decide this, and it has too many inputs to try all.
const std::string kOpen = "design:fused-dot-add(a=e2m1,b=e2m1,c=e5m2,d=f16,k=4,fraction_bits=10)";
// These differ only in a few ways.
const std::string kOther = "design:fused-dot-add(a=e2m1,b=e2m1,c=e5m2,d=f16,k=4,fraction_bits=2)";

/// Commands that ask a solver, with the option that names it.
std::vector<Arguments> asking_commands() {
  return {{"prove", "no-early-overflow", kOpen, "--no-search"},
          {"prove", "subnormal-results", kOpen, "--strategies", "none"},
          {"diff", kOpen, kOther, "--no-search"},
          {"diff", kOpen, kOther, "--maximize"},
          {"table", kOpen, "--properties", "no-early-overflow,subnormal-results"},
          {"check", kOpen}};
}

/// Solvers that never answer, each in a different way.
std::vector<std::string> endless_solvers(const Folder& folder) {
  const std::string script = folder.write("solver.sh", "while :; do sleep 1; done\n");
  const std::string deaf =
      folder.write("deaf.sh", "trap '' TERM INT HUP\nsleep 600 &\nwhile :; do sleep 600; done\n");
  std::vector<std::string> all{"sleep 600",
                               "sh " + script,
                               "cat | cat | sleep 600",
                               "sh " + deaf,
                               "sleep 600 & sleep 600 & wait",
                               "true && (sleep 600 &) && nohup sleep 600 >/dev/null 2>&1",
                               "cat >/dev/null; exec tail -f /dev/null"};
  if (has_program("setsid")) all.emplace_back("setsid sh -c 'sleep 600 & sleep 600'");
  if (has_program("python3")) {
    all.push_back("python3 " +
                  folder.write("solver.py",
                               "import subprocess, time\n"
                               "subprocess.Popen(['sleep', '600'], start_new_session=True)\n"
                               "time.sleep(600)\n"));
  }
  return all;
}

Arguments with_solver(Arguments command, const std::string& solver) {
  command.insert(command.end(), {"--timeout", "600", "--solver", "smtlib:" + solver});
  return command;
}

int kills() {
  const char* given = std::getenv("MMASPEC_KILLS");
  return given == nullptr ? 24 : std::atoi(given);
}

TEST(Stop, LeavesNoProcessBehindAfterAnySignal) {
  const Folder folder;
  const std::vector<Arguments> commands = asking_commands();
  const std::vector<std::string> solvers = endless_solvers(folder);
  const std::vector<int> signals{SIGKILL, SIGTERM, SIGINT};
  std::mt19937 random(1);
  const auto any_of = [&](const auto& all) { return all[random() % all.size()]; };
  int with_a_solver = 0;
  std::size_t most = 0;
  for (int i = 0; i < kills(); ++i) {
    const Arguments command =
        with_solver(any_of(commands), solvers[static_cast<std::size_t>(i) % solvers.size()]);
    const int signal = signals[static_cast<std::size_t>(i) % signals.size()];
    const Folder outputs;
    Running run(command, outputs);
    // At any time from its first instruction; half of them once a solver runs.
    if (random() % 2 == 0) {
      ASSERT_TRUE(comes_true([&] { return run.processes().size() >= 4; }));
    }
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 60000));
    const std::size_t processes = run.processes().size();
    with_a_solver += processes >= 4 ? 1 : 0;
    most = std::max(most, processes);
    run.signal(signal);
    EXPECT_EQ(run.wait().status, -signal) << testing::PrintToString(command);
    EXPECT_TRUE(run.all_ended()) << testing::PrintToString(command) << " left "
                                 << testing::PrintToString(run.processes());
  }
  RecordProperty("killed_beside_a_solver", with_a_solver);
  std::printf("%d runs killed, %d of them while a solver ran, of up to %zu processes\n", kills(),
              with_a_solver, most);
  EXPECT_GT(with_a_solver, kills() / 3);
}

TEST(Stop, LeavesNoProcessBehindAtANormalEnd) {
  const Folder folder;
  for (const std::string& solver : endless_solvers(folder)) {
    const Folder outputs;
    Running run({"prove", "no-early-overflow", kOpen, "--no-search", "--timeout", "0.5", "--solver",
                 "smtlib:" + solver},
                outputs);
    EXPECT_EQ(run.wait().status, 3);
    EXPECT_TRUE(run.all_ended()) << testing::PrintToString(run.processes());
  }
  // Processes started by a solver that has answered are ended, and are not waited for.
  Running run({"prove", "no-early-overflow", kOpen, "--no-search", "--timeout", "600",
               "--strategies", "none", "--solver", "smtlib:sleep 600 & echo unsat"},
              folder);
  const Outcome outcome = run.wait();
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  EXPECT_TRUE(run.all_ended()) << testing::PrintToString(run.processes());
}

TEST(Stop, PrintsAndWritesWhatWasFound) {
  const Folder folder;
  for (const int signal : {SIGINT, SIGTERM}) {
    const std::string out = folder / ("found" + std::to_string(signal));
    // There are fewer witnesses that differ in each pair: after the last one a solver is asked.
    Running run(with_solver({"diff", kOpen, kOther, "--count", "100000", "--out", out, "--json"},
                            "sleep 600"),
                folder);
    ASSERT_TRUE(comes_true([&] {
      const std::vector<std::string> all = run.processes();
      return std::any_of(all.begin(), all.end(),
                         [](const std::string& words) { return words.starts_with("sleep"); });
    }));
    run.signal(signal);
    const Outcome outcome = run.wait();
    EXPECT_EQ(outcome.status, -signal);
    EXPECT_THAT(outcome.err, StartsWith("mmaspec: stopped by signal " + std::to_string(signal)));
    const auto told = Json::parse(outcome.out);
    EXPECT_EQ(told.at("verdict"), "witness");
    EXPECT_FALSE(told.at("witnesses").empty());
    EXPECT_EQ(lines_of(content_of(out)).size(), told.at("witnesses").size());
    EXPECT_TRUE(run.all_ended());
  }
}

TEST(Stop, SaysThatNothingWasFound) {
  const Folder folder;
  const std::string old = folder.write("old", "an old witness\n");
  Running run(with_solver({"prove", "no-early-overflow", kOpen, "--out", old}, "sleep 600"),
              folder);
  ASSERT_TRUE(comes_true([&] { return run.processes().size() >= 4; }));
  run.signal(SIGINT);
  const Outcome outcome = run.wait();
  EXPECT_EQ(outcome.status, -SIGINT);
  EXPECT_THAT(outcome.out, HasSubstr("undecided"));
  EXPECT_THAT(outcome.err, StartsWith("mmaspec: stopped by signal 2"));
  EXPECT_EQ(lines_of(outcome.err).size(), 1U);
  EXPECT_EQ(content_of(old), "");
}

TEST(Stop, ShowsTheTableSoFar) {
  const Folder folder;
  const std::string out = folder / "table";
  Running run(with_solver({"table", kOpen, "--properties", "commutative,no-early-overflow",
                           "--jobs", "1", "--out", out},
                          "sleep 600"),
              folder);
  ASSERT_TRUE(comes_true([&] { return run.processes().size() >= 5; }));
  run.signal(SIGTERM);
  EXPECT_EQ(run.wait().status, -SIGTERM);
  EXPECT_THAT(content_of(out), HasSubstr("commutative"));
  EXPECT_TRUE(run.all_ended());
}

TEST(Stop, ShowsTheSuiteSoFar) {
  const Folder folder;
  const std::string out = folder / "suite";
  // The first two of these three are equal, for which a solver is asked.
  const std::string rounded_down =
      "design:round-down-dot-add(a=e2m1,b=e2m1,c=f16,d=f16,k=4,product_bits=";
  Running run(with_solver({"suite", rounded_down + "10)", rounded_down + "11)", rounded_down + "2)",
                           "--out", out},
                          "sleep 600"),
              folder);
  ASSERT_TRUE(comes_true([&] { return run.processes().size() >= 4; }));
  run.signal(SIGTERM);
  const Outcome outcome = run.wait();
  EXPECT_EQ(outcome.status, -SIGTERM);
  EXPECT_THAT(outcome.out, HasSubstr("undecided"));
  EXPECT_THAT(outcome.out, HasSubstr("1 input distinguishes all classes that are known to differ"));
  EXPECT_EQ(lines_of(content_of(out)).size(), 1U);
  EXPECT_TRUE(run.all_ended());
}

TEST(Stop, LeavesIgnoredSignalsIgnored) {
  const Folder folder;
  const auto before = std::signal(SIGHUP, SIG_IGN);
  Running run(with_solver({"prove", "no-early-overflow", kOpen}, "sleep 600"), folder);
  std::signal(SIGHUP, before);
  ASSERT_TRUE(comes_true([&] { return run.processes().size() >= 4; }));
  run.signal(SIGHUP);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_GE(run.processes().size(), 4U);
  run.signal(SIGTERM);
  EXPECT_EQ(run.wait().status, -SIGTERM);
}

}  // namespace
}  // namespace mmaspec::cli_test::stop_test
