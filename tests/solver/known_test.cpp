// Known verdicts: in one process, and from its children.

#include "solver/known.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

namespace mmaspec::known_test {
namespace {

TEST(KnownVerdicts, AreFoundByTheFormula) {
  KnownVerdicts known;
  EXPECT_FALSE(known.of("x"));
  known.add("x", {Verdict::unsatisfiable, 2, "query 7"});
  known.add("y", {Verdict::unknown, 3, ""});
  ASSERT_TRUE(known.of("x"));
  EXPECT_EQ(known.of("x")->verdict, Verdict::unsatisfiable);
  EXPECT_EQ(known.of("x")->reason, "query 7");
  known.add("y", {Verdict::satisfiable, 5, ""});
  EXPECT_EQ(known.of("y")->verdict, Verdict::satisfiable);
  EXPECT_EQ(known.of("y")->seconds, 5);
}

/// Runs it in a child process and waits for its end.
void in_a_child(const std::function<bool()>& run) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) _exit(run() ? 0 : 1);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST(KnownVerdicts, AreLearnedFromChildren) {
  const auto known = KnownVerdicts::of_children();
  in_a_child([&] {
    known->add("x", {Verdict::unsatisfiable, 2, "two words"});
    known->add("y", {Verdict::satisfiable, 0.5, ""});
    return true;
  });
  // A child learns verdicts of another child, and so does their parent.
  in_a_child([&] {
    known->learn();
    const auto x = known->of("x");
    return x && x->verdict == Verdict::unsatisfiable && x->reason == "two words";
  });
  EXPECT_FALSE(known->of("x"));
  known->learn();
  ASSERT_TRUE(known->of("x") && known->of("y"));
  EXPECT_EQ(known->of("x")->seconds, 2);
  EXPECT_EQ(known->of("y")->verdict, Verdict::satisfiable);
  EXPECT_EQ(known->of("y")->seconds, 0.5);
}

TEST(KnownVerdicts, AreNotLearnedFromChildrenUnlessShared) {
  KnownVerdicts known;
  in_a_child([&] {
    known.add("x", {Verdict::unsatisfiable, 2, ""});
    return true;
  });
  known.learn();
  EXPECT_FALSE(known.of("x"));
}

}  // namespace
}  // namespace mmaspec::known_test
