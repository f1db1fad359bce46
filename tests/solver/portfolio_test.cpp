// The portfolio: a failure of one backend affects only its attempt.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "solver/ask.h"
#include "tests/support/lang/backends.h"
#include "tests/support/lang/solve.h"

namespace mmaspec::lang_test::portfolio_test {
namespace {

using testing::HasSubstr;

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kAddressSanitizer = true;
#else
constexpr bool kAddressSanitizer = false;
#endif

/// A way to fail, and the reason that is reported.
struct Failure {
  std::string name;
  std::function<Answer(const Query&)> solve;
  std::string reason;
  Limits limits = {20, std::size_t{8} << 30};
  friend void PrintTo(const Failure& f, std::ostream* out) { *out << f.name; }
};

Answer hang() {
  while (true) pause();
}

/// Touches memory until none is left.
Answer hoard() {
  std::vector<std::unique_ptr<std::vector<char>>> held;
  while (true) held.push_back(std::make_unique<std::vector<char>>(1 << 20, 'x'));
}

std::vector<Failure> failures() {
  const Limits small{20, std::size_t{1} << 30};
  const Limits brief{0.3, std::size_t{8} << 30};
  return {
      {"crash",
       [](const Query&) {
         (void)signal(SIGSEGV, SIG_DFL);
         (void)raise(SIGSEGV);
         return Answer{};
       },
       "signal 11"},
      {"killed",
       [](const Query&) {
         (void)kill(getpid(), SIGKILL);
         return hang();
       },
       "signal 9"},
      {"aborted", [](const Query&) -> Answer { std::abort(); }, "signal 6"},
      {"left", [](const Query&) -> Answer { _exit(3); }, "ended without an answer"},
      {"threw", [](const Query&) -> Answer { throw std::runtime_error("no\nsuch\nluck"); },
       "no such luck"},
      {"threw_a_number", [](const Query&) -> Answer { throw 7; }, "failed"},
      {"out_of_memory", [](const Query&) { return hoard(); }, "out of memory", small},
      {"gave_up",
       [](const Query&) {
         Answer answer;
         answer.reason = "is no decision procedure";
         return answer;
       },
       "is no decision procedure"},
      {"hung", [](const Query&) { return hang(); }, "timed out", brief},
      {"hung_deaf",
       [](const Query&) {
         (void)signal(SIGTERM, SIG_IGN);
         return hang();
       },
       "timed out", brief},
  };
}

/// x has 200 bits of some value: satisfiable, with only one model.
struct Question {
  BvTerms terms;
  Integer value = (Integer(0xfedcba987654321LL) << 140) + 98765;
  Query query() {
    const TermId x = terms.variable("x[0]", 200);
    return {&terms, {terms.eq(x, terms.constant(value, 200))}};
  }
};

class Failing : public testing::TestWithParam<Failure> {
 protected:
  void SetUp() override {
    if (kAddressSanitizer && GetParam().name == "out_of_memory") {
      GTEST_SKIP() << "memory is not limited under AddressSanitizer";
    }
  }
  std::unique_ptr<Backend> failing() const { return scripted("broken", GetParam().solve); }
};

TEST_P(Failing, GivesUnknownAndSaysWhy) {
  Question question;
  const Answer answer = ask(failing(), question.query(), GetParam().limits);
  EXPECT_EQ(answer.verdict, Verdict::unknown);
  EXPECT_THAT(answer.reason, HasSubstr("broken"));
  EXPECT_THAT(answer.reason, HasSubstr(GetParam().reason));
  EXPECT_TRUE(answer.model.empty());
}

TEST_P(Failing, DoesNotAffectOtherSolvers) {
  // The other solver waits, so that the failure comes first.
  const auto late = [](const Query& query) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    return z3_backend()->solve(query);
  };
  for (bool failing_first : {true, false}) {
    std::vector<std::unique_ptr<Backend>> backends;
    if (failing_first) backends.push_back(failing());
    backends.push_back(scripted("late", late));
    if (!failing_first) backends.push_back(failing());
    Question question;
    Limits limits = GetParam().limits;
    limits.seconds = 20;
    const Answer answer = Portfolio(std::move(backends), limits).ask(question.query());
    ASSERT_EQ(answer.verdict, Verdict::satisfiable) << answer.reason;
    EXPECT_EQ(answer.solver, "late");
    EXPECT_EQ(answer.model.at("x[0]"), question.value);
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, Failing, testing::ValuesIn(failures()),
                         [](const auto& test) { return test.param.name; });

TEST(Portfolio, NamesEachFailedSolver) {
  std::vector<std::unique_ptr<Backend>> backends;
  backends.push_back(scripted("first", [](const Query&) -> Answer { std::abort(); }));
  backends.push_back(scripted("second", [](const Query&) { return hang(); }));
  backends.push_back(scripted("third", [](const Query&) -> Answer { throw 7; }));
  Question question;
  const Answer answer =
      Portfolio(std::move(backends), Limits{0.5, std::size_t{8} << 30}).ask(question.query());
  EXPECT_EQ(answer.verdict, Verdict::unknown);
  EXPECT_THAT(answer.reason, HasSubstr("first was ended by signal 6"));
  EXPECT_THAT(answer.reason, HasSubstr("second timed out"));
  EXPECT_THAT(answer.reason, HasSubstr("third failed"));
}

TEST(Portfolio, KeepsToItsTime) {
  Question question;
  const auto start = std::chrono::steady_clock::now();
  const Answer answer =
      ask(scripted("slow", [](const Query&) { return hang(); }), question.query(), Limits{0.2});
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(answer.verdict, Verdict::unknown);
  EXPECT_GE(passed.count(), 0.2);
  EXPECT_LT(passed.count(), 10);
  EXPECT_GE(answer.seconds, 0.2);
}

TEST(Portfolio, TakesTheFirstAnswer) {
  std::vector<std::unique_ptr<Backend>> backends;
  backends.push_back(scripted("slow", [](const Query&) { return hang(); }));
  backends.push_back(scripted("quick", [](const Query&) {
    Answer answer;
    answer.verdict = Verdict::unsatisfiable;
    return answer;
  }));
  Question question;
  const Answer answer = Portfolio(std::move(backends), Limits{30}).ask(question.query());
  EXPECT_EQ(answer.verdict, Verdict::unsatisfiable);
  EXPECT_EQ(answer.solver, "quick");
  EXPECT_LT(answer.seconds, 20);
}

TEST(Portfolio, LetsOneSolverStartFirst) {
  const auto unsatisfiable = [](const Query&) {
    Answer answer;
    answer.verdict = Verdict::unsatisfiable;
    return answer;
  };
  // It is slower, and would be second if all started at the same time.
  const auto in_a_moment = [&](const Query& query) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    return unsatisfiable(query);
  };
  const auto answered_by = [&](const std::function<Answer(const Query&)>& leader) {
    std::vector<std::unique_ptr<Backend>> backends;
    backends.push_back(scripted("other", unsatisfiable));
    backends.push_back(scripted("leader", leader, true));
    Question question;
    return Portfolio(std::move(backends), Limits{20}).ask(question.query()).solver;
  };
  EXPECT_EQ(answered_by(in_a_moment), "leader");
  EXPECT_EQ(answered_by([](const Query&) { return hang(); }), "other");
  EXPECT_EQ(answered_by([](const Query&) -> Answer { std::abort(); }), "other");
}

/// An answer after this many seconds.
class Later final : public Asked {
 public:
  Later(Verdict verdict, double seconds) : verdict_(verdict), left_(seconds) {}
  Answer wait(double seconds) override {
    Answer answer;
    std::this_thread::sleep_for(std::chrono::duration<double>(std::min(left_, seconds)));
    if (left_ <= seconds) answer.verdict = verdict_;
    left_ -= seconds;
    return answer;
  }

 private:
  Verdict verdict_;
  double left_;
};

/// A backend that starts first, and gives this answer if it can be asked.
class Asking final : public Backend {
 public:
  using Ask = std::function<std::unique_ptr<Asked>()>;
  explicit Asking(Ask ask) : ask_(std::move(ask)) {}
  std::string name() const override { return "asking"; }
  bool leads() const override { return true; }
  Answer solve(const Query&) const override { return hang(); }
  std::unique_ptr<Asked> ask(const Query&, const Limits&) const override { return ask_(); }

 private:
  Ask ask_;
};

TEST(Portfolio, AsksSolversWithoutAProcess) {
  const auto answer = [](const Asking::Ask& ask, double others_seconds) {
    std::vector<std::unique_ptr<Backend>> backends;
    backends.push_back(scripted("other", [others_seconds](const Query&) {
      std::this_thread::sleep_for(std::chrono::duration<double>(others_seconds));
      Answer sat;
      sat.verdict = Verdict::satisfiable;
      return sat;
    }));
    backends.push_back(std::make_unique<Asking>(ask));
    Question question;
    return decide_by({}, question.query(), Portfolio(std::move(backends), Limits{20}));
  };
  const auto later = [](Verdict verdict, double seconds) -> Asking::Ask {
    return [=] { return std::make_unique<Later>(verdict, seconds); };
  };
  EXPECT_EQ(answer(later(Verdict::unsatisfiable, 0), 0).verdict, Verdict::unsatisfiable);
  EXPECT_EQ(answer(later(Verdict::unsatisfiable, 0), 0).backend, "asking");
  EXPECT_EQ(answer(later(Verdict::satisfiable, 0.05), 0).solver, "asking");
  // It is waited for while the others are asked.
  EXPECT_EQ(answer(later(Verdict::unsatisfiable, 0.6), 10).solver, "asking");
  EXPECT_EQ(answer(later(Verdict::unsatisfiable, 10), 0).solver, "other");
  EXPECT_EQ(answer(later(Verdict::unknown, 0), 0).solver, "other");
  EXPECT_EQ(answer([] { return nullptr; }, 0).solver, "other");
}

// An answer is used when it is complete, even if processes that the backend started still run.
TEST(Portfolio, WaitsForNoProcessThatABackendLeft) {
  const auto leaves_one = [](const Query&) {
    if (fork() == 0) hang();  // with the pipe open
    Answer answer;
    answer.verdict = Verdict::unsatisfiable;
    return answer;
  };
  Question question;
  const Answer answer = ask(scripted("forking", leaves_one), question.query(), Limits{20});
  EXPECT_EQ(answer.verdict, Verdict::unsatisfiable) << answer.reason;
  EXPECT_LT(answer.seconds, 15);
}

TEST(Portfolio, EndsProcessesOfACrashedBackend) {
  Lifeline lifeline;
  const auto crashes = [](const Query&) -> Answer {
    if (std::system("sleep 60 &") != 0) throw std::runtime_error("no shell");
    std::abort();
  };
  Question question;
  const Answer answer = ask(scripted("crashing", crashes), question.query(), Limits{20});
  EXPECT_THAT(answer.reason, HasSubstr("signal 6"));
  EXPECT_TRUE(lifeline.all_ended());
}

// More values than a pipe holds.
TEST(Portfolio, CarriesLargeModels) {
  const auto large = [](const Query&) {
    Answer answer;
    answer.verdict = Verdict::satisfiable;
    for (int i = 0; i < 3000; ++i) answer.model["v " + std::to_string(i)] = power_of_two(300) + i;
    return answer;
  };
  Question question;
  const Answer answer = ask(scripted("large", large), question.query());
  ASSERT_EQ(answer.verdict, Verdict::satisfiable) << answer.reason;
  ASSERT_EQ(answer.model.size(), 3000U);
  EXPECT_EQ(answer.model.at("v 2999"), power_of_two(300) + 2999);
}

TEST(Portfolio, AsksManyQuestionsAtOnce) {
  std::vector<std::thread> threads;
  std::vector<Answer> answers(6);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    threads.emplace_back([i, &answers] {
      Question question;
      question.value += i;
      answers[i] = ask("z3", question.query());
    });
  }
  for (std::thread& t : threads) t.join();
  for (std::size_t i = 0; i < answers.size(); ++i) {
    ASSERT_EQ(answers[i].verdict, Verdict::satisfiable) << answers[i].reason;
    EXPECT_EQ(answers[i].model.at("x[0]"), Question{}.value + i);
  }
}

class PortfolioOfOne : public testing::TestWithParam<std::string> {};

TEST_P(PortfolioOfOne, IsChosenByName) {
  const std::string& choice = GetParam();
  if (is_missing(choice)) GTEST_SKIP() << choice << " is missing";
  Question question;
  const Answer answer = Portfolio(choice, Limits{}).ask(question.query());
  ASSERT_EQ(answer.verdict, Verdict::satisfiable) << answer.reason;
  EXPECT_EQ(answer.model.at("x[0]"), question.value);
  EXPECT_THAT(answer.solver, testing::AnyOf("z3", "cvc5", "bitwuzla"));
  EXPECT_TRUE(answer.solver == choice || choice == "auto");
}

INSTANTIATE_TEST_SUITE_P(Solvers, PortfolioOfOne,
                         testing::Values("auto", "z3", "cvc5", "bitwuzla"));

TEST(Portfolio, RefusesAnUnknownChoice) {
  try {
    const Portfolio portfolio("bitwuzzla", Limits{});
    FAIL() << "was taken";
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), HasSubstr("bitwuzzla"));
    EXPECT_THAT(error.what(), HasSubstr("auto, z3, cvc5, bitwuzla or smtlib:COMMAND"));
  }
  EXPECT_THROW(Portfolio("", Limits{}), std::invalid_argument);
  EXPECT_THROW(Portfolio("z3 ", Limits{}), std::invalid_argument);
}

}  // namespace
}  // namespace mmaspec::lang_test::portfolio_test
