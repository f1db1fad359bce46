// A session with a solver's program: its answers, and programs that are late, end, hang, or do not
// support sessions.

#include "solver/session.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <functional>
#include <thread>
#include <vector>

#include "solver/solver.h"
#include "tests/support/cli/process.h"
#include "util/process.h"

namespace mmaspec::session_test {
namespace {

using cli_test::Folder;

constexpr double kLong = 20;  // seconds: far more than it takes

/// Does a number of 8 bits have this square?
struct Square {
  explicit Square(int square) : square_(square) {}
  Query query() {
    const TermId x = terms_.variable("x", 8);
    return {&terms_, {terms_.eq(terms_.mul(x, x), terms_.constant(square_, 8))}};
  }
  Verdict expected() const {
    for (int x = 0; x < 256; ++x) {
      if (x * x % 256 == square_) return Verdict::satisfiable;
    }
    return Verdict::unsatisfiable;
  }

 private:
  BvTerms terms_;
  int square_;
};

Verdict verdict_of(SolverSession& session, int square, double seconds = kLong) {
  Square question(square);
  const auto asked = session.ask(question.query(), Limits{});
  EXPECT_NE(asked, nullptr);
  return asked ? asked->wait(seconds).verdict : Verdict::unknown;
}

/// Factors of a prime of 61 bits, which takes long.
Verdict of_long_work(SolverSession& session, double seconds) {
  BvTerms terms;
  const TermId x = terms.variable("x", 64);
  const TermId y = terms.variable("y", 64);
  const TermId limit = terms.constant(Integer(1) << 31, 64);
  const TermId two = terms.constant(2, 64);
  const TermId prime = terms.constant(Integer("2305843009213693951"), 64);
  const Query query{&terms,
                    {terms.eq(terms.mul(x, y), prime), terms.ult(x, limit), terms.ult(y, limit),
                     terms.ult(two, x), terms.ult(two, y)}};
  const auto asked = session.ask(query, Limits{});
  return asked ? asked->wait(seconds).verdict : Verdict::unknown;
}

/// With Bitwuzla itself.
class Session : public testing::Test {
 protected:
  void SetUp() override {
    if (bitwuzla_program().empty()) GTEST_SKIP() << "there is no Bitwuzla";
  }
  SolverSession session_{"exec '" + bitwuzla_program() + "'"};
};

TEST_F(Session, AnswersOneFormulaAfterAnother) {
  for (int square = 0; square < 256; ++square) {
    Square question(square);
    ASSERT_EQ(verdict_of(session_, square), question.expected()) << square;
  }
}

TEST_F(Session, AnswersTheSameWithLessRewriting) {
  SolverSession less("exec '" + bitwuzla_program() + "'", "(set-option :rewrite-level 1)\n");
  for (int square = 0; square < 256; ++square) {
    Square question(square);
    ASSERT_EQ(verdict_of(less, square), question.expected()) << square;
  }
}

TEST_F(Session, ContinuesAfterATimeout) {
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(of_long_work(session_, 0.1), Verdict::unknown);
    EXPECT_EQ(verdict_of(session_, 81), Verdict::satisfiable);
    EXPECT_EQ(verdict_of(session_, 3), Verdict::unsatisfiable);
  }
}

TEST_F(Session, MayBeWaitedForAgainAndByAnotherProcess) {
  Square question(81);
  for (const bool forked : {false, true}) {
    const auto asked = session_.ask(question.query(), Limits{});
    ASSERT_NE(asked, nullptr);
    asked->wait(0);  // usually too early
    if (!forked) {
      EXPECT_EQ(asked->wait(kLong).verdict, Verdict::satisfiable);
      continue;
    }
    Child child([&] {
      return std::string(asked->wait(kLong).verdict == Verdict::satisfiable ? "right" : "wrong");
    });
    while (!child.read_more()) {
    }
    EXPECT_EQ(child.text(), "right");
  }
  // The other process has read this answer: it does not answer the new question.
  EXPECT_EQ(verdict_of(session_, 3), Verdict::unsatisfiable);
}

TEST_F(Session, TakesFormulasThatFillPipes) {
  BvTerms terms;
  TermId sum = terms.constant(0, 16);
  for (int i = 0; i < 5000; ++i) {
    sum = terms.add(sum, terms.variable("x" + std::to_string(i), 16));
  }
  const TermId even = terms.eq(terms.extract(sum, 0, 0), terms.constant(0, 1));
  const Query query{&terms, {even}};
  ASSERT_GT(to_smtlib(query, false).size(), 200'000U);
  const auto asked = session_.ask(query, Limits{});
  ASSERT_NE(asked, nullptr);
  EXPECT_EQ(asked->wait(kLong).verdict, Verdict::satisfiable);
}

TEST_F(Session, IsSharedByForkedProcesses) {
  ASSERT_EQ(verdict_of(session_, 81), Verdict::satisfiable);
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      bool right = true;
      for (int square = i; square < 256; square += 4) {
        right = right && verdict_of(session_, square) == Square(square).expected();
      }
      _exit(right ? 0 : 1);
    }
    children.push_back(child);
  }
  for (int square = 0; square < 64; ++square) {
    EXPECT_EQ(verdict_of(session_, square), Square(square).expected());
  }
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  // Its own program still runs.
  EXPECT_EQ(verdict_of(session_, 3), Verdict::unsatisfiable);
}

// While one thread asks, others cannot.
TEST_F(Session, IsSharedByThreads) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([this, i] {
      for (int square = i; square < 256; square += 4) {
        Square question(square);
        const auto asked = session_.ask(question.query(), Limits{});
        if (asked) {
          EXPECT_EQ(asked->wait(kLong).verdict, question.expected());
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(Session, OutlivesTheThreadThatStartedIt) {
  std::thread([this] { EXPECT_EQ(verdict_of(session_, 81), Verdict::satisfiable); }).join();
  // The program ends with that thread, at some time: one formula may remain unanswered.
  int unanswered = 0;
  for (int square = 0; square < 100; ++square) {
    const Verdict verdict = verdict_of(session_, square);
    EXPECT_TRUE(verdict == Verdict::unknown || verdict == Square(square).expected());
    if (verdict == Verdict::unknown) ++unanswered;
  }
  EXPECT_LE(unanswered, 1);
}

TEST_F(Session, KeepsToItsMemory) {
  Square question(81);
  for (int i = 0; i < 4; ++i) {
    const auto asked = session_.ask(question.query(), {60, std::size_t{8} << 20});
    if (asked) {
      EXPECT_EQ(asked->wait(kLong).verdict, Verdict::unknown);
    }
  }
}

/// A shell script in place of a solver.
class Script {
 public:
  explicit Script(const std::string& text, const std::string& options = "")
      : session_("exec sh '" + folder_.write("solver", text + "\n") + "' '" +
                     folder_.path().string() + "'",
                 options) {}
  SolverSession& session() { return session_; }
  std::string file(const std::string& name) const { return folder_ / name; }

 private:
  Folder folder_;
  SolverSession session_;
};

/// A solver that answers the first two formulas, the trial, correctly, and the n-th one after them
/// with the output of the shell command `check`.
std::string solver(const std::string& check) {
  return "n=-2; options=0; while read -r line; do case $line in\n"
         "*set-option*) options=$((options + 1));;\n"
         "*check-sat*) n=$((n + 1)); if [ $n = -1 ]; then echo unsat; elif [ $n = 0 ]; then echo "
         "sat; else " +
         check +
         "; fi;;\n"
         "*echo*) echo \"$line\" | sed 's/(echo \\(.*\\))/\\1/';;\n"
         "esac; done";
}

TEST(Sessions, AcceptTheVerdictOfTheFormula) {
  Script odd(solver("if [ $((n % 2)) = 1 ]; then echo sat; else echo unsat; fi"));
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(verdict_of(odd.session(), 0), Verdict::satisfiable);
    EXPECT_EQ(verdict_of(odd.session(), 0), Verdict::unsatisfiable);
  }
}

TEST(Sessions, SayOptionsBeforeEachFormula) {
  Script counts(solver("if [ $options = $((n + 2)) ]; then echo sat; else echo unsat; fi"),
                "(set-option :some-option 1)\n");
  for (int i = 0; i < 5; ++i) EXPECT_EQ(verdict_of(counts.session(), 0), Verdict::satisfiable);
}

// The first program's late "unsat" is not the answer to the second formula.
TEST(Sessions, IgnoreLateAnswers) {
  Script late(
      solver("if mkdir \"$1/begun\" 2>/dev/null; then sleep 1; echo unsat; else echo sat; "
             "fi"));
  EXPECT_EQ(verdict_of(late.session(), 0, 0.3), Verdict::unknown);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(verdict_of(late.session(), 0), Verdict::satisfiable);
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
  }
}

TEST(Sessions, IgnoreIncompleteAnswers) {
  for (const std::string check :
       {"echo unsat; exit 0", "echo unsat; kill -SEGV $$", "echo unsat; exec sleep 60",
        "printf unsat; exit 0", "echo unsatisfiable", "echo '(error)'; echo unsat",
        "echo unsat; echo sat", "echo 'error: unsat'", "echo; echo UNSAT"}) {
    SCOPED_TRACE(check);
    Script script(solver(check));
    for (int i = 0; i < 4; ++i) {
      Square question(0);
      const auto asked = script.session().ask(question.query(), Limits{});
      if (asked) {
        EXPECT_EQ(asked->wait(0.3).verdict, Verdict::unknown);
      }
    }
  }
}

// Remaining state of a formula would become part of the next one.
TEST(Sessions, EndForSolversThatDoNotReset) {
  const std::string reply =
      "while read -r line; do case $line in *check-sat*) echo unsat;;\n"
      "*echo*) echo \"$line\" | sed 's/(echo \\(.*\\))/\\1/';; esac; done";
  Script forgets_nothing(reply);
  for (int i = 0; i < 5; ++i) {
    Square question(81);
    const auto asked = forgets_nothing.session().ask(question.query(), Limits{});
    EXPECT_EQ(asked == nullptr, i >= 3);
    if (asked) {
      EXPECT_EQ(asked->wait(kLong).verdict, Verdict::unknown);
    }
  }
}

// A program that does not support sessions is not asked again after some attempts.
TEST(Sessions, EndForSolversThatDoNotAnswer) {
  for (const std::string text :
       {"exit 3", "exec 0<&-; sleep 60", "cat > /dev/null; echo unsat", "sleep 60", "echo unsat",
        "head -c 100000 /dev/urandom", "kill -SEGV $$", "yes"}) {
    SCOPED_TRACE(text);
    Script script("date >> \"$1/starts\"; " + text);
    Square question(0);
    for (int i = 0; i < 8; ++i) {
      const auto asked = script.session().ask(question.query(), Limits{});
      EXPECT_EQ(asked == nullptr, i >= 3);
      if (asked) {
        EXPECT_EQ(asked->wait(0.1).verdict, Verdict::unknown);
      }
    }
    EXPECT_LE(cli_test::lines_of(cli_test::content_of(script.file("starts"))).size(), 3U);
  }
  SolverSession nothing("exec /no/such/program");
  Square question(0);
  for (int i = 0; i < 4; ++i) {
    const auto asked = nothing.ask(question.query(), Limits{});
    EXPECT_EQ(asked == nullptr, i >= 3);
    if (asked) {
      EXPECT_EQ(asked->wait(kLong).verdict, Verdict::unknown);
    }
  }
}

bool is_running(pid_t process) { return kill(process, 0) == 0; }

TEST(Sessions, EndWithTheirPrograms) {
  pid_t process = 0;
  {
    Script script("echo $$ > \"$1/process\"; " + solver("echo sat"));
    EXPECT_EQ(verdict_of(script.session(), 0), Verdict::satisfiable);
    std::ifstream(script.file("process")) >> process;
    ASSERT_GT(process, 0);
    EXPECT_TRUE(is_running(process));
  }
  EXPECT_FALSE(is_running(process));
}

}  // namespace
}  // namespace mmaspec::session_test
