// The checker of proofs, and the conversion of a SAT solver's output to proofs.

#include "proof/sat/lrat.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "proof/recorded/backends.h"
#include "proof/recorded/bit_blaster.h"
#include "proof/recorded/cadical.h"
#include "proof/sat/rup.h"
#include "tests/proof/propagation.h"
#include "tests/support/cli/process.h"
#include "util/sha256.h"

namespace mmaspec::lrat_test {
namespace {

Cnf cnf_of(int variables, const std::vector<std::vector<CnfLiteral>>& clauses) {
  Cnf cnf;
  cnf.variables = variables;
  for (const auto& c : clauses) cnf.add(c);
  return cnf;
}

/// All four clauses over two variables.
const Cnf kSquare = cnf_of(2, {{1, 2}, {1, -2}, {-1, 2}, {-1, -2}});

TEST(Lrat, AcceptsValidProofs) {
  EXPECT_EQ(fault_of_lrat(kSquare, "5 1 0 1 2 0\n6 0 5 3 4 0\n"), "");
}

TEST(Lrat, RejectsInvalidProofs) {
  const std::vector<std::string> proofs{
      "",                                     // empty
      "5 1 0 1 2 0\n",                        // no empty clause
      "5 0 1 2 0\n",                          // insufficient hints
      "5 0 1 2 3 4 0\n",                      // a first hint that leaves two literals
      "5 1 0 1 0\n6 0 5 3 4 0\n",             // a hint is missing
      "5 1 0 1 2 3 0\n6 0 5 3 4 0\n",         // a hint after the conflict
      "6 1 0 1 2 0\n7 0 6 3 4 0\n",           // missing numbers
      "5 1 0 1 5 0\n6 0 5 3 4 0\n",           // a clause with itself as hint
      "5 1 0 1 6 0\n6 0 5 3 4 0\n",           // with a later one as hint
      "5 1 0 1 2 0\n6 0 5 3 4 0\n7 0 6 0\n",  // another line after the end
      "5 1 -1 0 1 2 0\n6 0 5 3 4 0\n",        // a tautology
      "5 3 0 1 2 0\n6 0 5 3 4 0\n",           // a new variable
      "5 1 0 1 2 0\n6 0 5 3 4 0",             // an incomplete line
      "5 1 0 -1 2 0\n6 0 5 3 4 0\n",          // RAT's hints
      "5 1 0 99999999999999999999 0\n",       // not a valid number
      "5 d 1 0\n6 0 5 3 4 0\n",               // a deletion
      "5  1 0 1 2 0\n6 0 5 3 4 0\n",          // other spaces
      "5 1-2 0 1 2 0\n6 0 5 3 4 0\n",         // no space
      "5 1 -0 1 2 0\n6 0 5 3 4 0\n",          // a number in another spelling
      "05 1 0 1 2 0\n6 0 5 3 4 0\n",
  };
  for (const std::string& proof : proofs) EXPECT_NE(fault_of_lrat(kSquare, proof), "") << proof;
}

TEST(Lrat, AcceptsNoProofForASatisfiableFormula) {
  // The checker is sound for any lines: no random text may be accepted.
  const Cnf cnf = cnf_of(3, {{1, 2}, {-1, 3}, {-2, -3}});
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    std::string proof;
    for (int id = 4; id < 7; ++id) {
      proof += std::to_string(id);
      const bool last = id == 6;
      for (int k = last ? 0 : static_cast<int>(random() % 3); k > 0; --k) {
        proof +=
            " " + std::to_string((random() % 2 == 0 ? 1 : -1) * static_cast<int>(1 + random() % 3));
      }
      proof += " 0";
      for (int k = static_cast<int>(1 + random() % 4); k > 0; --k) {
        proof += " " + std::to_string(1 + random() % static_cast<unsigned>(id - 1));
      }
      proof += " 0\n";
    }
    ASSERT_NE(fault_of_lrat(cnf, proof), "") << proof;
  }
}

/// Binary DRUP text.
std::string drup(const std::vector<std::pair<char, std::vector<CnfLiteral>>>& lines) {
  std::string text;
  for (const auto& [kind, literals] : lines) {
    text += kind;
    for (const CnfLiteral x : literals) {
      auto u = 2 * static_cast<unsigned>(std::abs(x)) + (x < 0 ? 1U : 0U);
      for (; u > 127; u >>= 7) text += static_cast<char>(128 | (u & 127U));
      text += static_cast<char>(u);
    }
    text += '\0';
  }
  return text;
}

TEST(Rup, AddsHintsAndOmitsUnusedClauses) {
  Cnf cnf = kSquare;
  cnf.variables = 4;
  cnf.add(std::vector<CnfLiteral>{3, 4});
  const std::string proof =
      to_lrat(cnf, drup({{'a', {1, 3}}, {'a', {1}}, {'d', {1, 2}}, {'a', {}}}));
  EXPECT_EQ(fault_of_lrat(cnf, proof), "") << proof;
  EXPECT_TRUE(proof.starts_with("6 1 0 1 2 0\n")) << proof;
}

TEST(Rup, RefusesInvalidProofs) {
  EXPECT_THROW(to_lrat(cnf_of(3, {{1, 2, 3}}), drup({{'a', {1}}})), std::runtime_error);
  EXPECT_THROW(to_lrat(kSquare, drup({})), std::runtime_error);
  EXPECT_THROW(to_lrat(kSquare, "x"), std::runtime_error);
  EXPECT_THROW(to_lrat(kSquare, drup({{'a', {1}}, {'a', {}}}), [] { return true; }), Stopped);
  EXPECT_THROW(to_lrat(kSquare, drup({{'a', {3}}})), std::runtime_error);
  // Literals beyond an int: 2^31, 2^32 + 1; and the negation of the variable 0.
  for (const char* literal : {"\x80\x80\x80\x80\x10", "\x82\x80\x80\x80\x20", "\x01"}) {
    const std::string proof = "a" + std::string(literal) + std::string(1, '\0');
    EXPECT_THROW(to_lrat(kSquare, proof), std::runtime_error);
  }
}

// A few bytes must not ask checkers for gigabytes.
TEST(Dimacs, RefusesMoreVariablesThanItsTextCanName) {
  EXPECT_THROW(parse_dimacs("p cnf 1073741824 0\n"), std::invalid_argument);
  EXPECT_THROW(parse_dimacs("p cnf 2 1\n1 02 0\n"), std::invalid_argument);
  EXPECT_THROW(parse_dimacs("p cnf 2 1\n1 -0\n"), std::invalid_argument);
  EXPECT_THROW(parse_dimacs("p cnf 100 1\n1 0\n"), std::invalid_argument);
  EXPECT_EQ(parse_dimacs("p cnf 10 1\n1 0\n").variables, 10);
  EXPECT_EQ(to_dimacs(parse_dimacs(to_dimacs(kSquare))), to_dimacs(kSquare));
}

TEST(Rup, AnEmptyClauseOfTheFormulaIsItsRefutation) {
  const Cnf cnf = cnf_of(2, {{1, 2}, {}, {-1}});
  EXPECT_EQ(to_lrat(cnf, ""), "4 0 2 0\n");
  EXPECT_EQ(fault_of_lrat(cnf, "4 0 2 0\n"), "");
}

TEST(Rup, AFormulaRefutedByUnitPropagationNeedsNoStep) {
  const Cnf cnf = cnf_of(3, {{1}, {-1, 2}, {-2, 3}, {-3, -1}});
  EXPECT_EQ(fault_of_lrat(cnf, to_lrat(cnf, "")), "");
}

class OfCadical : public testing::Test {
 protected:
  void SetUp() override {
    if (cadical_program().empty()) GTEST_SKIP() << "there is no cadical here";
  }
  static std::string file_with(const std::filesystem::path& folder, const std::string& end) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() == end) return entry.path().string();
    }
    return "";
  }
};

TEST_F(OfCadical, ProofsOfMultiplicationAreAccepted) {
  BvTerms t;
  const TermId x = t.variable("x", 4);
  const TermId y = t.variable("y", 4);
  const TermId z = t.variable("z", 4);
  // Multiplication distributes.
  const TermId same = t.eq(t.mul(x, t.add(y, z)), t.add(t.mul(x, y), t.mul(x, z)));
  const Query query{&t, {t.bool_not(same)}};
  const cli_test::Folder folder;
  const Answer answer = proof_maker(folder.path())->solve(query);
  ASSERT_EQ(answer.verdict, Verdict::unsatisfiable) << answer.reason;
  const std::string clauses = cli_test::content_of(file_with(folder.path(), ".cnf"));
  EXPECT_EQ(clauses, dimacs_of(query, bit_blast(query)));
  std::string proof = cli_test::content_of(file_with(folder.path(), ".lrat"));
  EXPECT_EQ(fault_of_lrat(parse_dimacs(clauses), proof), "");
  EXPECT_EQ(folder.files(), 3U);
  // After a change of any digit it is not a proof, or still a proof of the same.
  std::mt19937 random(1);
  std::size_t rejected = 0;
  for (int i = 0; i < 100; ++i) {
    std::string wrong = proof;
    wrong[random() % wrong.size()] = static_cast<char>('0' + random() % 10);
    rejected += fault_of_lrat(parse_dimacs(clauses), wrong).empty() ? 0 : 1;
  }
  EXPECT_GE(rejected, 75U);  // most; a tenth of the changes leave the digit as it is
}

TEST_F(OfCadical, AModelIsNoProof) {
  BvTerms t;
  const TermId x = t.variable("x", 6);
  const cli_test::Folder folder;
  const Answer answer =
      proof_maker(folder.path())->solve({&t, {t.eq(t.mul(x, x), t.constant(36, 6))}});
  EXPECT_EQ(answer.verdict, Verdict::unknown);
  EXPECT_EQ(folder.files(), 0U);
}

TEST_F(OfCadical, TheReaderAnswersOnlyTheProvedQuery) {
  BvTerms t;
  const TermId x = t.variable("x", 8);
  const Query query{&t, {t.ult(x, t.constant(4, 8)), t.ult(t.constant(9, 8), x)}};
  const Query other{&t, {t.ult(x, t.constant(5, 8)), t.ult(t.constant(9, 8), x)}};
  const cli_test::Folder folder;
  ProvedQueries proved{{"0123", "4567"}};
  EXPECT_EQ(proof_reader(proved, folder / "log")->solve(query).verdict, Verdict::unknown);
  EXPECT_EQ(folder.files(), 0U);
  proved[sha256(dimacs_of(query, bit_blast(query)))] = sha256(to_smtlib(query, false));
  const auto reader = proof_reader(proved, folder / "log");
  EXPECT_EQ(reader->solve(query).verdict, Verdict::unsatisfiable);
  EXPECT_EQ(reader->solve(other).verdict, Verdict::unknown);
  EXPECT_EQ(cli_test::lines_of(cli_test::content_of(folder / "log")).size(), 1U);
}

}  // namespace
}  // namespace mmaspec::lrat_test
