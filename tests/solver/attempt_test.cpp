// The race of attempts: which answers count, which attempts run when, and what is reported about
// each.

#include "solver/attempt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <thread>

#include "tests/support/lang/backends.h"
#include "tests/support/lang/solve.h"

namespace mmaspec::lang_test::attempt_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

Answer verdict(Verdict v) {
  Answer answer;
  answer.verdict = v;
  if (v == Verdict::satisfiable) answer.model["x"] = 7;
  if (v == Verdict::unknown) answer.reason = "has no idea";
  return answer;
}
Answer hang() {
  while (true) pause();
}
void wait_a_little() { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }

Attempt saying(const std::string& name, Verdict v) {
  return {name, [v] { return verdict(v); }};
}
Attempt sat(const std::string& name) { return saying(name, Verdict::satisfiable); }
Attempt unsat(const std::string& name) { return saying(name, Verdict::unsatisfiable); }
Attempt unknown(const std::string& name) { return saying(name, Verdict::unknown); }
Attempt hanging(const std::string& name) { return {name, hang}; }
Attempt piece(Attempt attempt, int group) {
  attempt.group = group;
  return attempt;
}

RaceOptions options(int slots = 0, bool to_the_end = false) {
  RaceOptions o;
  o.limits.seconds = 30;
  o.slots = slots;
  o.to_the_end = to_the_end;
  return o;
}

const AttemptReport& report_of(const Race& race, const std::string& name) {
  for (const AttemptReport& r : race.reports) {
    if (r.name == name) return r;
  }
  throw std::runtime_error("no report of " + name);
}

/// Memory shared between the attempts' processes and the test.
template <typename T>
class Shared {
 public:
  Shared() {
    void* memory =
        mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::runtime_error("no shared memory");
    value_ = new (memory) T{};
  }
  ~Shared() { munmap(value_, sizeof(T)); }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  T* operator->() const { return value_; }

 private:
  T* value_;
};

TEST(Race, WithoutAttemptsIsUnknown) {
  const Race r = race({}, options());
  EXPECT_EQ(r.answer.verdict, Verdict::unknown);
  EXPECT_TRUE(r.reports.empty());
}

TEST(Race, NamesTheAttemptThatAnswered) {
  const Race r = race({hanging("slow"), sat("quick")}, options());
  EXPECT_EQ(r.answer.verdict, Verdict::satisfiable);
  EXPECT_EQ(r.answer.solver, "quick");
  EXPECT_EQ(r.answer.model.at("x"), 7);
  EXPECT_EQ(report_of(r, "quick").outcome, "witness");
  EXPECT_TRUE(report_of(r, "quick").counts);
  EXPECT_EQ(report_of(r, "slow").outcome, "stopped");
  EXPECT_FALSE(report_of(r, "slow").counts);
  EXPECT_EQ(report_of(r, "slow").verdict, Verdict::unknown);
}

TEST(Race, NamesTheSolverBehindTheAnswer) {
  Attempt asked = sat("strategy, solver");
  asked.backend = "solver";
  EXPECT_EQ(race({hanging("slow"), asked}, options()).answer.backend, "solver");
  EXPECT_EQ(race({sat("of nobody")}, options()).answer.backend, "");
}

TEST(Race, StartsADelayedAttemptOnlyIfTheOthersTakeLong) {
  Attempt patient = sat("patient");
  patient.after = 1000;
  const Race quick = race({patient, unsat("quick")}, options());
  EXPECT_EQ(quick.answer.solver, "quick");
  EXPECT_EQ(quick.reports.size(), 1U);
  patient.after = 0.1;
  const Race slow = race({patient, hanging("slow")}, options());
  EXPECT_EQ(slow.answer.solver, "patient");
}

TEST(Race, StartsADelayedAttemptAtOnceIfNoOtherRuns) {
  Attempt patient = sat("patient");
  patient.after = 1000;
  EXPECT_EQ(race({patient}, options()).answer.solver, "patient");
  Attempt failing = unsat("failing");
  failing.run = []() -> Answer { throw std::runtime_error("no luck"); };
  EXPECT_EQ(race({failing, patient}, options()).answer.solver, "patient");
  Attempt beside = hanging("beside");
  beside.beside = true;
  EXPECT_EQ(race({beside, patient}, options()).answer.solver, "patient");
}

TEST(Race, IgnoresAnswersThatDoNotDecideTheQuestion) {
  Attempt relaxed = sat("relaxed");
  relaxed.refutes = false;
  Attempt restricted = unsat("restricted");
  restricted.proves = false;
  const Race r = race({relaxed, restricted}, options());
  EXPECT_EQ(r.answer.verdict, Verdict::unknown);
  EXPECT_EQ(r.answer.solver, "");
  EXPECT_TRUE(r.answer.model.empty());
  EXPECT_EQ(report_of(r, "relaxed").verdict, Verdict::satisfiable);
  EXPECT_EQ(report_of(r, "relaxed").outcome, "witness in a larger set");
  EXPECT_FALSE(report_of(r, "relaxed").counts);
  EXPECT_EQ(report_of(r, "restricted").verdict, Verdict::unsatisfiable);
  EXPECT_EQ(report_of(r, "restricted").outcome, "none exists in a smaller set");
  EXPECT_FALSE(report_of(r, "restricted").counts);
  EXPECT_THAT(r.answer.reason, AllOf(HasSubstr("relaxed: witness in a larger set"),
                                     HasSubstr("restricted: none exists in a smaller set")));
}

TEST(Race, TakesTheOtherAnswerOfAOneSidedAttempt) {
  Attempt relaxed = unsat("relaxed");
  relaxed.refutes = false;
  EXPECT_EQ(race({relaxed}, options()).answer.verdict, Verdict::unsatisfiable);
  Attempt restricted = sat("restricted");
  restricted.proves = false;
  EXPECT_EQ(race({restricted}, options()).answer.verdict, Verdict::satisfiable);
}

TEST(Race, PiecesProveOnlyTogether) {
  for (int slots : {0, 1, 2}) {
    const Race r = race({piece(unsat("1/3"), 0), piece(unsat("2/3"), 0), piece(unsat("3/3"), 0)},
                        options(slots));
    EXPECT_EQ(r.answer.verdict, Verdict::unsatisfiable);
    int counting = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      counting += r.reports[i].counts ? 1 : 0;
      EXPECT_EQ(r.reports[i].outcome,
                i < 2 ? "none exists in a smaller set" : "none exists in the last piece");
    }
    EXPECT_EQ(counting, 1);
    EXPECT_EQ(r.answer.solver, r.reports[2].name);
  }
}

TEST(Race, OnePieceThatFailsLeavesTheQuestionOpen) {
  const std::vector<Attempt> failing{
      unknown("bad"),
      {"bad", []() -> Answer { throw std::runtime_error("no luck"); }},
      {"bad", []() -> Answer { std::abort(); }}};
  for (const Attempt& bad : failing) {
    const Race r = race({piece(unsat("1/3"), 0), piece(bad, 0), piece(unsat("3/3"), 0)}, options());
    EXPECT_EQ(r.answer.verdict, Verdict::unknown);
    EXPECT_THAT(r.answer.reason, HasSubstr("bad"));
  }
}

TEST(Race, OnePieceFindsAWitnessForAll) {
  const Race r = race({piece(unsat("1/2"), 0), piece(sat("2/2"), 0)}, options());
  EXPECT_EQ(r.answer.verdict, Verdict::satisfiable);
  EXPECT_EQ(r.answer.solver, "2/2");
}

TEST(Race, EachGroupProvesOnItsOwn) {
  // Neither group is complete, although there are as many proofs as one group has pieces.
  const Race none = race({piece(unsat("a1"), 0), piece(unknown("a2"), 0), piece(unsat("b1"), 1),
                          piece(unknown("b2"), 1)},
                         options());
  EXPECT_EQ(none.answer.verdict, Verdict::unknown);
  const Race one = race({piece(unsat("a1"), 0), piece(unknown("a2"), 0), piece(unsat("b1"), 1),
                         piece(unsat("b2"), 1)},
                        options());
  EXPECT_EQ(one.answer.verdict, Verdict::unsatisfiable);
  EXPECT_THAT(one.answer.solver, testing::StartsWith("b"));
}

TEST(Race, RunsNoMoreAtOnceThanItsSlots) {
  struct Counters {
    std::atomic<int> running;
    std::atomic<int> most;
    std::atomic<int> all;
  };
  for (int slots : {1, 3}) {
    Shared<Counters> counters;
    std::vector<Attempt> attempts;
    for (int i = 0; i < 9; ++i) {
      attempts.push_back({std::to_string(i), [&] {
                            const int now = ++counters->running;
                            ++counters->all;
                            int most = counters->most;
                            while (most < now && !counters->most.compare_exchange_weak(most, now)) {
                            }
                            wait_a_little();
                            --counters->running;
                            return verdict(Verdict::unknown);
                          }});
    }
    const Race r = race(attempts, options(slots));
    EXPECT_EQ(r.reports.size(), 9U);
    EXPECT_EQ(counters->all, 9);
    EXPECT_LE(counters->most, slots);
  }
}

TEST(Race, KeepsToTheOrderGiven) {
  struct Log {
    std::atomic<int> size;
    std::array<int, 8> order;
  };
  Shared<Log> log;
  std::vector<Attempt> attempts;
  for (int i = 0; i < 8; ++i) {
    attempts.push_back({std::to_string(i), [&log, i] {
                          log->order[static_cast<std::size_t>(log->size++)] = i;
                          return verdict(Verdict::unknown);
                        }});
  }
  (void)race(attempts, options(1));
  EXPECT_THAT(log->order, testing::ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
}

TEST(Race, StartsNoAttemptAfterAnAnswer) {
  Shared<std::atomic<int>> started;
  const Attempt counted{"late", [&] {
                          started->fetch_add(1);
                          return verdict(Verdict::unknown);
                        }};
  const Race r = race({unsat("first"), counted, counted}, options(1));
  EXPECT_EQ(r.answer.verdict, Verdict::unsatisfiable);
  EXPECT_EQ(*started.operator->(), 0);
  EXPECT_EQ(r.reports.size(), 1U);
}

TEST(Race, ReusesASlot) {
  Attempt slow = hanging("slow");
  slow.seconds = 0.1;
  Attempt dies{"dies", []() -> Answer { std::abort(); }};
  const Race r = race({slow, dies, unsat("last")}, options(1));
  EXPECT_EQ(r.answer.verdict, Verdict::unsatisfiable);
  EXPECT_EQ(r.answer.solver, "last");
  EXPECT_EQ(report_of(r, "slow").outcome, "timed out");
  EXPECT_THAT(report_of(r, "dies").outcome, HasSubstr("signal 6"));
}

TEST(Race, EndsAnAttemptAtItsOwnTimeLimit) {
  Attempt brief = hanging("brief");
  brief.seconds = 0.1;
  const Attempt longer{"longer", [] {
                         std::this_thread::sleep_for(std::chrono::milliseconds(300));
                         return verdict(Verdict::unsatisfiable);
                       }};
  const Race r = race({brief, longer}, options());
  EXPECT_EQ(r.answer.verdict, Verdict::unsatisfiable);
  EXPECT_EQ(r.reports[0].name, "brief");
  EXPECT_EQ(r.reports[0].outcome, "timed out");
  EXPECT_GE(r.reports[0].seconds, 0.1);
}

TEST(Race, EndsAllAttemptsAtTheTimeLimit) {
  RaceOptions o = options();
  o.limits.seconds = 0.2;
  Attempt patient = hanging("patient");
  patient.seconds = 1000;
  const Race r = race({patient, hanging("endless")}, o);
  EXPECT_EQ(r.answer.verdict, Verdict::unknown);
  EXPECT_EQ(report_of(r, "patient").outcome, "timed out");
  EXPECT_EQ(report_of(r, "endless").outcome, "timed out");
  EXPECT_THAT(r.answer.reason,
              AllOf(HasSubstr("patient timed out"), HasSubstr("endless timed out")));
}

TEST(Race, ToTheEndStopsNoAttempt) {
  const Attempt late{"late", [] {
                       std::this_thread::sleep_for(std::chrono::milliseconds(200));
                       return verdict(Verdict::unsatisfiable);
                     }};
  for (int slots : {0, 1}) {
    const Race r = race(
        {unsat("first"), late, unknown("lost"), piece(unsat("1/2"), 0), piece(unsat("2/2"), 0)},
        options(slots, true));
    EXPECT_EQ(r.answer.verdict, Verdict::unsatisfiable);
    EXPECT_NE(r.answer.solver, "late");
    ASSERT_EQ(r.reports.size(), 5U);
    EXPECT_TRUE(report_of(r, "first").counts);
    EXPECT_TRUE(report_of(r, "late").counts);
    EXPECT_FALSE(report_of(r, "lost").counts);
    EXPECT_TRUE(report_of(r, "1/2").counts != report_of(r, "2/2").counts);
    for (const AttemptReport& report : r.reports) EXPECT_NE(report.outcome, "stopped");
  }
}

TEST(Race, ToTheEndKeepsTheFirstAnswerAndReportsThatOthersDiffer) {
  const Race r = race({unsat("no"), sat("yes")}, options(1, true));
  EXPECT_EQ(r.answer.verdict, Verdict::unsatisfiable);
  EXPECT_EQ(r.answer.solver, "no");
  EXPECT_TRUE(report_of(r, "no").counts);
  EXPECT_TRUE(report_of(r, "yes").counts);
  EXPECT_EQ(report_of(r, "yes").verdict, Verdict::satisfiable);
}

TEST(Race, FailuresDoNotDecide) {
  Attempt hung = hanging("hangs");
  hung.seconds = 0.2;
  const std::vector<Attempt> attempts{
      {"crashes",
       []() -> Answer {
         (void)signal(SIGSEGV, SIG_DFL);
         (void)raise(SIGSEGV);
         return verdict(Verdict::unsatisfiable);
       }},
      {"throws", []() -> Answer { throw std::logic_error("two\nlines"); }},
      {"leaves", []() -> Answer { _exit(0); }},
      hung};
  const Race r = race(attempts, options(2));
  EXPECT_EQ(r.answer.verdict, Verdict::unknown);
  EXPECT_THAT(report_of(r, "crashes").outcome, HasSubstr("signal 11"));
  EXPECT_EQ(report_of(r, "throws").outcome, "two lines");
  EXPECT_EQ(report_of(r, "leaves").outcome, "ended without an answer");
  EXPECT_EQ(report_of(r, "hangs").outcome, "timed out");
  for (const AttemptReport& report : r.reports) {
    EXPECT_FALSE(report.counts);
    EXPECT_EQ(report.verdict, Verdict::unknown);
  }
}

TEST(Race, EndsStoppedAttemptsAndTheirChildren) {
  Lifeline lifeline;
  const Attempt forks{"forks", []() -> Answer {
                        if (fork() == 0) hang();
                        return hang();
                      }};
  const Attempt late{"late", [] {
                       wait_a_little();
                       return verdict(Verdict::unsatisfiable);
                     }};
  EXPECT_EQ(race({forks, late}, options()).answer.verdict, Verdict::unsatisfiable);
  EXPECT_TRUE(lifeline.all_ended());
}

TEST(Race, ReportsTheMemoryOfAnAttempt) {
  constexpr std::size_t kMiB = 1 << 20;
  const auto hoard = [](std::size_t size) -> std::function<Answer()> {
    return [size] {
      std::vector<char> held(size);
      for (std::size_t i = 0; i < size; i += 1024) held[i] = 'x';
      const volatile char* kept = held.data();
      return verdict(kept[0] == 'x' ? Verdict::unknown : Verdict::satisfiable);
    };
  };
  Attempt hung = hanging("hangs");
  hung.seconds = 0.1;
  const Race r = race({{"small", hoard(1024)}, {"large", hoard(96 * kMiB)}, hung}, options());
  EXPECT_GT(report_of(r, "small").peak_kib, 0);
  EXPECT_GE(report_of(r, "large").peak_kib, 96 * 1024);
  EXPECT_LT(report_of(r, "small").peak_kib, report_of(r, "large").peak_kib);
  EXPECT_EQ(report_of(r, "hangs").peak_kib, 0);  // was not waited for
}

TEST(Race, ReportsItsProgress) {
  std::vector<std::string> told;
  RaceOptions o = options();
  o.progress = [&](double, const std::string& names) { told.push_back(names); };
  const Attempt late{"late", [] {
                       std::this_thread::sleep_for(std::chrono::milliseconds(800));
                       return verdict(Verdict::unsatisfiable);
                     }};
  (void)race({late, hanging("hangs")}, o);
  ASSERT_GE(told.size(), 2U);
  EXPECT_EQ(told.front(), "late, hangs");
  EXPECT_EQ(told.back(), "");
}

}  // namespace
}  // namespace mmaspec::lang_test::attempt_test
