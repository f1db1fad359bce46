// Bitwuzla as a backend: how it is found, its answers, and programs with its name that fail or give
// wrong answers.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/support/cli/process.h"
#include "tests/support/lang/backends.h"
#include "tests/support/lang/solve.h"

namespace mmaspec::bitwuzla_test {
namespace {

using cli_test::Folder;
using cli_test::mmaspec;
using cli_test::Outcome;
using lang_test::Lifeline;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

/// Sets $MMASPEC_BITWUZLA during the object's lifetime.
class Named {
 public:
  explicit Named(const std::string& program) { setenv("MMASPEC_BITWUZLA", program.c_str(), 1); }
  ~Named() { unsetenv("MMASPEC_BITWUZLA"); }
  Named(const Named&) = delete;
  Named& operator=(const Named&) = delete;
};

/// A program in place of Bitwuzla.
class Fake {
 public:
  explicit Fake(const std::string& script, const std::string& name = "bitwuzla")
      : program_(folder_.write(name, "#!/bin/sh\n" + script + "\n")), named_(program_) {
    std::filesystem::permissions(program_, std::filesystem::perms::owner_all);
  }

 private:
  Folder folder_;
  std::string program_;
  Named named_;
};

/// Does an x of 8 bits have the square 81?
struct Square {
  BvTerms terms;
  TermId x = terms.variable("a[0]", 8);
  Query query() {
    return {
        &terms,
        {terms.eq(terms.mul(x, x), terms.constant(81, 8)), terms.ult(x, terms.constant(100, 8))}};
  }
  bool is_one(const Integer& value) const { return value * value % 256 == 81 && value < 100; }
};

Answer ask_bitwuzla(Limits limits = {20, std::size_t{8} << 30}) {
  Square square;
  return Portfolio("bitwuzla", limits).ask(square.query());
}

TEST(BitwuzlaProgram, IsTheOneThatTheEnvironmentNames) {
  const Fake fake("cat > /dev/null; echo unsat", "it's a name with spaces");
  const Answer answer = ask_bitwuzla();
  EXPECT_EQ(answer.verdict, Verdict::unsatisfiable) << answer.reason;
  EXPECT_EQ(answer.solver, "bitwuzla");
  EXPECT_EQ(answer.backend, "bitwuzla");
}

TEST(BitwuzlaProgram, MayBeMissing) {
  const Named nothing("");
  EXPECT_EQ(bitwuzla_program(), "");
  EXPECT_EQ(solver_versions().size(), 2U);
  try {
    const Portfolio portfolio("bitwuzla", Limits{});
    FAIL() << "was taken";
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), HasSubstr("the solver 'bitwuzla' was not found"));
  }
  Square square;
  const Answer answer = Portfolio("auto", Limits{}).ask(square.query());
  ASSERT_EQ(answer.verdict, Verdict::satisfiable) << answer.reason;
  EXPECT_TRUE(square.is_one(answer.model.at("a[0]")));
}

TEST(BitwuzlaProgram, MustBeThereIfNamed) {
  for (const std::string name : {"/no/such/program", "no-such-program", "/tmp"}) {
    const Named named(name);
    EXPECT_THROW(bitwuzla_program(), std::invalid_argument) << name;
    cli_test::expect_refused(mmaspec({"check", "volta/mma.m8n8k4.f32.f16.f16.f32"}),
                             {"MMASPEC_BITWUZLA", name});
  }
}

TEST(BitwuzlaProgram, SaysItsVersion) {
  const Fake fake("test \"$1\" = --version && echo 7.8.9");
  EXPECT_EQ(solver_versions().back().name, "Bitwuzla");
  EXPECT_EQ(solver_versions().back().version, "7.8.9");
  EXPECT_THAT(mmaspec({"--version"}).out, HasSubstr("Bitwuzla 7.8.9 ("));
}

TEST(BitwuzlaProgram, WithoutAVersionIsNamedAnyway) {
  for (const std::string script : {"exit 3", "kill -SEGV $$", "true"}) {
    const Fake fake(script);
    EXPECT_EQ(solver_versions().back().name, "Bitwuzla");
    EXPECT_EQ(mmaspec({"--version"}).status, 0);
  }
}

TEST(BitwuzlaProgram, AFailureAffectsOnlyItsAttempt) {
  for (const std::string script :
       {"kill -SEGV $$", "exit 3", "echo garbage", "echo sat", "echo sat; echo '((|a[0]| ?))'",
        "sleep 60", "head -c 100000 /dev/urandom"}) {
    SCOPED_TRACE(script);
    const Fake fake(script);
    const Answer alone = ask_bitwuzla({0.5, std::size_t{8} << 30});
    EXPECT_EQ(alone.verdict, Verdict::unknown);
    EXPECT_THAT(alone.reason, HasSubstr("bitwuzla"));
    Square square;
    const Answer answer = Portfolio("auto", Limits{}).ask(square.query());
    ASSERT_EQ(answer.verdict, Verdict::satisfiable) << answer.reason;
    EXPECT_THAT(answer.backend, AnyOf("z3", "cvc5"));
  }
}

TEST(BitwuzlaProgram, IsEndedWithAllThatItStarted) {
  const Fake fake("sh -c 'sleep 60; true'; echo unsat");
  Lifeline lifeline;
  const Answer answer = ask_bitwuzla({0.5, std::size_t{8} << 30});
  EXPECT_EQ(answer.verdict, Verdict::unknown);
  EXPECT_TRUE(lifeline.all_ended());
}

// Wrong models of a program are not confirmed; wrong proofs are found if other solvers are asked
// too.
class Lying : public testing::Test {
 protected:
  static std::vector<std::string> equivalent(const std::string& first, const std::string& second) {
    return {"prove", "equivalent", design(first), design(second), "--no-search"};
  }
  static std::string design(const std::string& fraction_bits) {
    return "design:fused-dot-add(a=f16,c=f16,k=1,round=rne,fraction_bits=" + fraction_bits + ")";
  }
  static Outcome run(std::vector<std::string> arguments, const std::vector<std::string>& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return mmaspec(arguments);
  }
  static void expect_contradiction(const Outcome& outcome) {
    EXPECT_EQ(outcome.status, 70) << outcome.out;
    EXPECT_THAT(outcome.err, HasSubstr("internal contradiction"));
    EXPECT_EQ(outcome.out, "");
  }
  /// Every declared variable is 0.
  static constexpr const char* kZeros =
      "echo sat; echo '('; sed -n 's/^(declare-const \\(|[^|]*|\\) (_ BitVec \\([0-9]*\\)))$/"
      "(\\1 (_ bv0 \\2))/p'; echo ')'";
};

TEST_F(Lying, AboutAModelIsAContradiction) {
  const Fake fake(kZeros);
  expect_contradiction(
      run(equivalent("10", "12"), {"--strategies", "none", "--solver", "bitwuzla"}));
}

TEST_F(Lying, AboutAProofIsAContradictionWhereOthersAreAskedToo) {
  const Fake fake("cat > /dev/null; echo unsat");
  expect_contradiction(run(equivalent("10", "12"), {"--to-the-end", "--strategies", "restrict"}));
  expect_contradiction(run(equivalent("10", "12"), {"--confirm", "--solver", "bitwuzla"}));
}

TEST(Confirm, AsksAnotherSolver) {
  const std::string design = "design:fused-dot-add(a=f16,c=f16,k=1,round=rne,fraction_bits=12)";
  for (const std::string solver : {"z3", "cvc5", "bitwuzla"}) {
    if (solver == "bitwuzla" && bitwuzla_program().empty()) continue;
    const Outcome outcome =
        mmaspec({"prove", "no-spurious-nan", design, "--no-search", "--strategies", "none",
                 "--confirm", "--solver", solver, "--json"});
    ASSERT_EQ(outcome.status, 0) << outcome.out << outcome.err;
    const std::size_t at = outcome.out.find("\"confirmed_by\"");
    ASSERT_NE(at, std::string::npos);
    const std::string by = outcome.out.substr(at, outcome.out.find(',', at) - at);
    EXPECT_THAT(by, AnyOf(HasSubstr("z3"), HasSubstr("cvc5"), HasSubstr("bitwuzla")));
    EXPECT_THAT(by, Not(HasSubstr(solver)));
  }
}

/// The real program.
class Bitwuzla : public testing::Test {
 protected:
  void SetUp() override {
    if (bitwuzla_program().empty()) {
      GTEST_SKIP() << "there is no Bitwuzla: neither mmaspec-bitwuzla beside this program nor "
                      "bitwuzla on the PATH";
    }
  }
};

TEST_F(Bitwuzla, FindsAModel) {
  Square square;
  const Answer answer = ask_bitwuzla();
  ASSERT_EQ(answer.verdict, Verdict::satisfiable) << answer.reason;
  EXPECT_TRUE(square.is_one(answer.model.at("a[0]")));
}

TEST_F(Bitwuzla, ProvesThatThereIsNone) {
  BvTerms terms;
  const TermId x = terms.variable("x", 8);
  const Query query{&terms, {terms.eq(terms.mul(x, x), terms.constant(3, 8))}};
  const Answer answer = Portfolio("bitwuzla", Limits{}).ask(query);
  EXPECT_EQ(answer.verdict, Verdict::unsatisfiable) << answer.reason;
}

/// Does a number of 61 bits have two factors of 31 bits? This takes long.
struct Factors {
  BvTerms terms;
  Query query() {
    const TermId x = terms.variable("x", 64);
    const TermId y = terms.variable("y", 64);
    const TermId limit = terms.constant(Integer(1) << 31, 64);
    const TermId two = terms.constant(2, 64);
    // A prime.
    const TermId product = terms.constant(Integer("2305843009213693951"), 64);
    return {&terms,
            {terms.eq(terms.mul(x, y), product), terms.ult(x, limit), terms.ult(y, limit),
             terms.ult(two, x), terms.ult(two, y)}};
  }
};

TEST_F(Bitwuzla, IsEndedAtItsTime) {
  Lifeline lifeline;
  Factors factors;
  const Answer answer = Portfolio("bitwuzla", {1, std::size_t{8} << 30}).ask(factors.query());
  EXPECT_EQ(answer.verdict, Verdict::unknown);
  EXPECT_THAT(answer.reason, HasSubstr("timed out"));
  EXPECT_TRUE(lifeline.all_ended());
}

TEST_F(Bitwuzla, KeepsToItsMemory) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "memory is not limited under AddressSanitizer";
#endif
  Factors factors;
  const Answer answer = Portfolio("bitwuzla", {60, std::size_t{24} << 20}).ask(factors.query());
  EXPECT_EQ(answer.verdict, Verdict::unknown);
  EXPECT_THAT(answer.reason, Not(HasSubstr("timed out")));
}

TEST_F(Bitwuzla, SaysItsVersion) {
  EXPECT_THAT(solver_versions().back().version, testing::MatchesRegex("[0-9.]+.*"));
}

}  // namespace
}  // namespace mmaspec::bitwuzla_test
