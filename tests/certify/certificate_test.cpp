// Certificates of queries and of goals: written, accepted, and rejected after any change.

#include "proof/store/certificate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <random>

#include "proof/certify/folder.h"
#include "proof/certify/goals.h"
#include "proof/kernel/proof.h"
#include "proof/recorded/backends.h"
#include "proof/recorded/bit_blaster.h"
#include "proof/recorded/cadical.h"
#include "tests/support/case_selection.h"
#include "tests/support/cli/fuzz.h"
#include "tests/support/cli/process.h"
#include "util/file.h"
#include "util/sha256.h"

namespace mmaspec::certificate_test {
namespace {

namespace fs = std::filesystem;
using cli_test::Folder;
using testing::HasSubstr;

std::string design(int fraction_bits) {
  return "design:fused-dot-add(a=e2m1,b=e2m1,c=e5m2,d=f16,k=4,fraction_bits=" +
         std::to_string(fraction_bits) + ")";
}

/// Has too many inputs to try all, and is not one expression.
Theorem negation(int fraction_bits) {
  Theorem theorem;
  theorem.property = "negation-symmetric";
  theorem.names = {design(fraction_bits)};
  return theorem;
}

class Certificates : public testing::Test {
 protected:
  void SetUp() override {
    if (cadical_program().empty()) GTEST_SKIP() << "there is no cadical here";
  }

  std::string made(const Theorem& theorem, bool argued = false) {
    const Made m = make_certificate(theorem, argued, folder_.path(), options_);
    EXPECT_EQ(m.why, "");
    return m.folder;
  }
  Checked checked(const std::string& folder) { return check_certificate(folder, options_); }
  /// A copy in which one file is replaced; `sums`: with correct digests.
  std::string changed(const std::string& folder, const std::string& name,
                      const std::string& content, bool sums) {
    std::string copy = folder_ / "changed";
    fs::remove_all(copy);
    fs::copy(folder, copy);
    write_file(copy + "/" + name, content);
    if (sums) write_file(copy + "/" + kSumsFile, sums_of(copy));
    return copy;
  }

  Folder folder_;
  CertificateOptions options_{60, 2, false};
};

/// Certificates that the proof kernel checks.
class GoalCertificates : public Certificates {
 protected:
  GoalCertificates() {
    options_.goals = true;
    options_.seconds = 400;  // a share of it is for goals
  }
};

TEST_F(Certificates, AreAccepted) {
  Theorem under_condition = negation(6);
  under_condition.where = {"exponent(a[*]) <= 1 && c >= 0"};
  for (const Theorem& theorem : {negation(6), under_condition}) {
    const std::string folder = made(theorem);
    ASSERT_NE(folder, "");
    const Checked c = checked(folder);
    EXPECT_EQ(c.fault, "");
    EXPECT_THAT(c.by, testing::AnyOf("solver", "derivation"));
    EXPECT_GE(c.queries, 1U);
    EXPECT_THAT(content_of(folder + "/" + kDerivationFile), HasSubstr("query "));
  }
}

TEST_F(Certificates, AreOfArgumentsToo) {
  Theorem theorem;
  theorem.property = "monotone-c";
  theorem.names = {"hopper/mma.m16n8k16.f16.f16.f16.f16"};
  const Checked c = checked(made(theorem, true));
  EXPECT_EQ(c.fault, "");
  EXPECT_EQ(c.by, "argument");
  EXPECT_EQ(c.queries, 0U);
}

TEST_F(Certificates, OfOneExpressionNeedNoQuery) {
  Theorem theorem;
  theorem.property = "commutative";
  theorem.names = {"hopper/mma.m16n8k16.f32.f16.f16.f32"};
  const Checked c = checked(made(theorem));
  EXPECT_EQ(c.fault, "");
  EXPECT_EQ(c.by, "one expression");
}

TEST_F(Certificates, AreNotWrittenForFalseStatements) {
  Theorem theorem = negation(6);
  theorem.names = {
      "design:fused-dot-add(a=e2m1,b=e2m1,c=e5m2,d=e5m2,k=4,fraction_bits=6,round=rd)"};
  options_.seconds = 5;
  try {
    const Made m = make_certificate(theorem, false, folder_.path(), options_);
    EXPECT_EQ(m.folder, "");
    EXPECT_NE(m.why, "");
  } catch (const std::invalid_argument& error) {
    FAIL() << error.what();
  }
  EXPECT_EQ(folder_.files(), 0U);
}

TEST_F(Certificates, AreRejectedWithAnyByteChanged) {
  const std::string folder = made(negation(6));
  ASSERT_NE(folder, "");
  const std::vector<std::string> files = files_of(folder);
  std::mt19937_64 random(1);
  for (std::size_t i = 0; i < cli_test::fuzz_count(150); ++i) {
    const std::string name = files[random() % files.size()];
    std::string content = content_of(folder + "/" + name);
    const std::size_t at = random() % content.size();
    switch (random() % 4) {
      case 0:
        content.erase(at, 1);
        break;
      case 1:
        content.insert(at, 1, static_cast<char>(random() % 256));
        break;
      default:
        content[at] = static_cast<char>(content[at] ^ static_cast<char>(1 + random() % 255));
        break;
    }
    // Changes of an editor may leave the size unchanged.
    if (content == content_of(folder + "/" + name)) continue;
    ASSERT_FALSE(checked(changed(folder, name, content, false)).is_accepted()) << name << " " << at;
  }
}

/// Correct digests do not help.
TEST_F(Certificates, AreRejectedWhenChangedEvenIfTheirDigestsFit) {
  const std::string folder = made(negation(6));
  ASSERT_NE(folder, "");
  std::mt19937_64 random(2);
  const std::size_t rounds = cli_test::fuzz_count(150) / 3;
  std::size_t harmless = 0;
  for (std::size_t i = 0; i < rounds; ++i) {
    const std::vector<std::string> files = files_of(folder);
    const std::string name = files[random() % files.size()];
    if (name == kSumsFile || name == kDerivationFile) continue;  // not checked: it is for readers
    std::string content = content_of(folder + "/" + name);
    const std::string before = content;
    const std::size_t at = random() % content.size();
    content[at] = static_cast<char>(content[at] ^ static_cast<char>(1 + random() % 127));
    const Checked c = checked(changed(folder, name, content, true));
    if (!c.is_accepted()) continue;
    // Another proof of the same query.
    ASSERT_TRUE(name.ends_with(".lrat")) << name << " " << at;
    ++harmless;
  }
  EXPECT_LE(harmless, rounds / 20);
}

TEST_F(Certificates, OfAnotherDesignAreRejected) {
  const std::string folder = made(negation(6));
  ASSERT_NE(folder, "");
  const CertifiedStatement statement =
      certified_statement_of(content_of(folder + "/" + kStatementFile));
  // True for these as well, by other queries.
  for (const int fraction_bits : {5, 7, 8}) {
    const Theorem other = negation(fraction_bits);
    const Checked c = checked(
        changed(folder, kStatementFile, to_json(CertifiedStatement{other, statement.by}), true));
    EXPECT_THAT(c.fault, HasSubstr("the current specification needs queries"));
  }
}

// A derivation finds the bound itself: the same lemmas do not prove a smaller one.
TEST_F(Certificates, OfABoundDoNotProveASmallerBound) {
  Theorem theorem;
  theorem.property = "error-bound";
  theorem.names = {design(3)};
  theorem.parameter = 2048;
  const std::string folder = made(theorem);
  ASSERT_NE(folder, "");
  const Checked accepted = checked(folder);
  EXPECT_EQ(accepted.fault, "");
  EXPECT_EQ(accepted.by, "derivation");
  EXPECT_GE(accepted.queries, 5U);
  theorem.parameter = 1;
  EXPECT_NE(checked(changed(folder, kStatementFile,
                            to_json(CertifiedStatement{theorem, "derivation"}), true))
                .fault,
            "");
}

TEST_F(Certificates, OfAChangedSpecificationAreRejected) {
  const std::string folder = made(negation(6));
  ASSERT_NE(folder, "");
  // As if the specification had been changed.
  std::string text = content_of(folder + "/" + kStatementFile);
  const std::size_t at = text.find("graph_sha256\": \"") + 16;
  text[at] = text[at] == '0' ? '1' : '0';
  EXPECT_THAT(checked(changed(folder, kStatementFile, text, true)).fault,
              HasSubstr("the current specification is different"));
}

TEST_F(Certificates, WithAProofOfAnotherStatementAreRejected) {
  const std::string folder = made(negation(6));
  ASSERT_NE(folder, "");
  const std::string copy = changed(folder, kDerivationFile, "no more", true);
  for (const std::string& number : queries_in(copy)) {
    for (const char* end : {".cnf", ".lrat", ".smt2"}) fs::remove(copy + "/" + (number + end));
  }
  // A query that is indeed unsatisfiable.
  const std::string clauses = "p cnf 1 2\n1 0\n-1 0\n";
  const std::string number = short_digest(sha256(clauses));
  write_file(copy + "/" + number + ".cnf", clauses);
  write_file(copy + "/" + number + ".lrat", "3 0 1 2 0\n");
  write_file(copy + "/" + number + ".smt2", "(assert false)\n");
  write_file(copy + "/" + kSumsFile, sums_of(copy));
  EXPECT_THAT(checked(copy).fault, HasSubstr("the current specification needs queries"));
}

TEST_F(Certificates, OfAnArgumentCannotStandForAProof) {
  Theorem theorem;
  theorem.property = "monotone-c";
  theorem.names = {"hopper/mma.m16n8k16.f16.f16.f16.f16"};
  const std::string folder = made(theorem, true);
  options_.seconds = 2;
  const std::string copy =
      changed(folder, kStatementFile, to_json(CertifiedStatement{theorem, "solver"}), true);
  EXPECT_FALSE(checked(copy).is_accepted());
  // Nor for a statement that is false: f32 results of the same unit.
  theorem.names = {"hopper/mma.m16n8k16.f32.f16.f16.f32"};
  EXPECT_FALSE(checked(changed(folder, kStatementFile,
                               to_json(CertifiedStatement{theorem, "argument"}), true))
                   .is_accepted());
}

TEST_F(Certificates, WithMoreOrLessInTheirFoldersAreRejected) {
  const std::string folder = made(negation(6));
  ASSERT_NE(folder, "");
  EXPECT_FALSE(checked(changed(folder, "more.txt", "x", true)).is_accepted());
  EXPECT_FALSE(checked(changed(folder, "more.txt", "x", false)).is_accepted());
  for (const std::string& name : files_of(folder)) {
    for (const bool sums : {false, true}) {
      const std::string copy = changed(folder, kDerivationFile, "", false);
      fs::remove(copy + "/" + name);
      if (sums) write_file(copy + "/" + kSumsFile, sums_of(copy));
      if (sums && name == kSumsFile) continue;  // written again
      EXPECT_FALSE(checked(copy).is_accepted()) << name;
    }
  }
}

/// Has three cases, each with a goal.
Theorem subnormal_inputs() {
  Theorem theorem;
  theorem.property = "subnormal-inputs";
  theorem.names = {"hopper/mma.m16n8k16.f32.f16.f16.f32"};
  return theorem;
}

TEST_F(GoalCertificates, AreAccepted) {
  Theorem under_condition = negation(6);
  under_condition.where = {"exponent(a[*]) <= 1 && c >= 0"};
  Theorem difference;
  difference.names = {design(30), design(40)};
  for (const Theorem& theorem : {negation(6), under_condition, subnormal_inputs(), difference}) {
    const std::string folder = made(theorem);
    ASSERT_NE(folder, "");
    const Checked c = checked(folder);
    EXPECT_EQ(c.fault, "");
    EXPECT_EQ(c.by, "solver");
    ASSERT_TRUE(c.goals.has_value()) << to_text(theorem);
    EXPECT_GE(*c.goals, 1U);
    EXPECT_GE(c.queries, *c.goals);
    EXPECT_THAT(content_of(folder + "/" + kDerivationFile), HasSubstr("proof/check.py"));
  }
}

// The reduced form of monotone-c implies the whole if the condition is an interval of c: that is a
// goal too. With a gap, the whole form is a goal, about any two c.
TEST_F(GoalCertificates, OfReducedAndWholeForms) {
  Theorem theorem;
  theorem.property = "monotone-c";
  theorem.names = {"design:fused-dot-add(a=e2m1,b=e2m1,c=e5m2,d=f16,k=1,fraction_bits=6)"};
  const std::map<std::string, std::size_t> goals{
      {"a[*] >= 1", 1}, {"c >= 1 && c <= 4", 2}, {"c <= 1 || c >= 4", 1}};
  for (const auto& [where, number] : goals) {
    theorem.where = {where};
    const std::string folder = made(theorem);
    ASSERT_NE(folder, "") << where;
    const Checked c = checked(folder);
    EXPECT_EQ(c.fault, "") << where;
    EXPECT_EQ(c.goals, number) << where;
    // The same goals do not show it for a wider interval.
    CertifiedStatement wider = statement_in(folder);
    wider.theorem.where = {"a[*] >= 0 || c >= 0"};
    EXPECT_FALSE(goals_asked(wider.theorem, {wider.goals->begin(), wider.goals->end()})) << where;
  }
}

// The lemmas of a derivation become steps: relations of nodes, bounds of maxima, linear sums, and
// the statement.
TEST_F(GoalCertificates, AreMadeOfDerivations) {
  Theorem theorem;
  theorem.names = {"cdna2/v_mfma_f32_32x32x4f16", "cdna2/v_mfma_f32_32x32x4f16@mma-sim"};
  const std::string folder = made(theorem);
  ASSERT_NE(folder, "");
  const Checked c = checked(folder);
  EXPECT_EQ(c.fault, "");
  EXPECT_EQ(c.goals, 1U);
  EXPECT_GT(c.queries, 100U);
  const std::string number = goals_in(folder).at(0);
  EXPECT_THAT(content_of(folder + "/" + number + ".proof.jsonl"), HasSubstr("\"rewrites\":"));
}

// Facts about sums of the same terms, terms that two runs share, and expressions whose ranges are
// wider than those of the nodes that they replace.
TEST_F(GoalCertificates, AreMadeOfDerivationsOfProperties) {
  const std::vector<std::pair<const char*, const char*>> statements{
      {"negation-symmetric", "hopper/mma.m16n8k32.f16.e5m2.e4m3.f16"},
      {"scale-invariant", "volta/mma.m8n8k4.f32.f16.f16.f32"},
      {"scale-invariant", "ada/mma.m16n8k32.f32.e4m3.e4m3.f32"}};
  for (std::size_t i = 0; i < statements.size(); ++i) {
    if (!is_selected(i, statements.size())) continue;
    Theorem theorem;
    theorem.property = statements[i].first;
    theorem.names = {statements[i].second};
    const std::string folder = made(theorem);
    ASSERT_NE(folder, "") << to_text(theorem);
    const Checked c = checked(folder);
    EXPECT_EQ(c.fault, "") << to_text(theorem);
    ASSERT_TRUE(c.goals.has_value()) << to_text(theorem);
    EXPECT_GT(c.queries, 50U) << to_text(theorem);
  }
}

// Products that the statement's premises make zero are replaced by zeros.
TEST_F(GoalCertificates, UseTheConstantsOfAQuestion) {
  Theorem theorem;
  theorem.property = "accumulator-preserved";
  theorem.names = {"design:integer-dot-add(a=s4,b=s4,c=s32,d=s32,k=2,overflow=saturate)"};
  const std::string folder = made(theorem);
  ASSERT_NE(folder, "");
  const Checked c = checked(folder);
  EXPECT_EQ(c.fault, "");
  EXPECT_EQ(c.goals, 1U);
  EXPECT_EQ(c.queries, 3U);  // a lemma for each product, and the statement
  EXPECT_LT(c.bytes, 100'000U);
  // Other constants, or another lemma's constant, have no proof.
  const std::string name = goals_in(folder).at(0) + ".proof.jsonl";
  const std::string proof = content_of(folder + "/" + name);
  for (const auto& [from, to] : std::map<std::string, std::string>{
           {R"({"define":["constant","0"]})", R"({"define":["constant","1"]})"},
           {",2]]", ",1]]"}}) {
    std::string other = proof;
    const std::size_t at = other.find(from);
    ASSERT_NE(at, std::string::npos) << from << " in " << proof;
    other.replace(at, from.size(), to);
    EXPECT_FALSE(checked(changed(folder, name, other, true)).is_accepted()) << to;
  }
}

TEST_F(GoalCertificates, OfOneExpressionHaveNoGoal) {
  Theorem theorem;
  theorem.property = "commutative";
  theorem.names = {"hopper/mma.m16n8k16.f32.f16.f16.f32"};
  const Checked c = checked(made(theorem));
  EXPECT_EQ(c.fault, "");
  EXPECT_EQ(c.by, "one expression");
  EXPECT_EQ(c.goals, 0U);
}

// A statement about every K is not a list of goals.
TEST_F(GoalCertificates, AreReplacedByQueries) {
  Theorem theorem;
  for (const char* bits : {"36", "38"}) {
    theorem.names.push_back("design:fused-dot-add(a=e2m1,b=e2m1,c=e5m2,d=e5m2,k=1,fraction_bits=" +
                            std::string(bits) + ")");
  }
  theorem.all_k = true;
  const Checked c = checked(made(theorem));
  EXPECT_EQ(c.fault, "");
  EXPECT_FALSE(c.goals.has_value());
}

TEST_F(GoalCertificates, AreRejectedWithAnyByteChanged) {
  const std::string folder = made(negation(6));
  ASSERT_NE(folder, "");
  const std::vector<std::string> files = files_of(folder);
  std::mt19937_64 random(3);
  std::size_t harmless = 0;
  const std::size_t rounds = cli_test::fuzz_count(200);
  for (std::size_t i = 0; i < rounds; ++i) {
    const std::string name = files[random() % files.size()];
    if (name == kDerivationFile) continue;  // not checked: it is for readers
    std::string content = content_of(folder + "/" + name);
    const std::size_t at = random() % content.size();
    content[at] = static_cast<char>(content[at] ^ static_cast<char>(1 + random() % 127));
    EXPECT_FALSE(checked(changed(folder, name, content, false)).is_accepted()) << name << " " << at;
    // Correct digests do not help.
    if (name == kSumsFile || !checked(changed(folder, name, content, true)).is_accepted()) continue;
    EXPECT_TRUE(name.ends_with(".lrat")) << name << " " << at;  // another proof of the same goal
    ++harmless;
  }
  EXPECT_LE(harmless, rounds / 20);
}

TEST_F(GoalCertificates, OfAnotherStatementAreRejected) {
  const std::string folder = made(negation(6));
  ASSERT_NE(folder, "");
  CertifiedStatement statement = certified_statement_of(content_of(folder + "/" + kStatementFile));
  const auto fault_with = [&](const Theorem& theorem) {
    CertifiedStatement other = statement;
    other.theorem = theorem;
    return checked(changed(folder, kStatementFile, to_json(other), true)).fault;
  };
  // True for these as well, by other goals; and false for one.
  Theorem monotone = negation(6);
  monotone.property = "monotone-c";
  Theorem narrower = negation(6);
  narrower.where = {"c >= 0"};
  Theorem rounds_down = negation(6);
  rounds_down.names = {
      "design:fused-dot-add(a=e2m1,b=e2m1,c=e5m2,d=f16,k=4,fraction_bits=6,round=rd)"};
  for (const Theorem& other :
       {negation(5), negation(7), subnormal_inputs(), monotone, narrower, rounds_down}) {
    EXPECT_THAT(fault_with(other), HasSubstr("needs goals without a proof")) << to_text(other);
  }
  EXPECT_EQ(fault_with(statement.theorem), "");
  // Fewer goals, another order, another kind of proof.
  statement.by = "one expression";
  EXPECT_NE(fault_with(statement.theorem), "");
  statement.by = "argument";
  EXPECT_NE(fault_with(statement.theorem), "");
}

TEST_F(GoalCertificates, WithMoreOrFewerGoalsAreRejected) {
  const std::string folder = made(subnormal_inputs());
  ASSERT_NE(folder, "");
  const std::vector<std::string> numbers = goals_in(folder);
  ASSERT_EQ(numbers.size(), 3U);
  CertifiedStatement statement = certified_statement_of(content_of(folder + "/" + kStatementFile));
  statement.goals->pop_back();
  EXPECT_THAT(checked(changed(folder, kStatementFile, to_json(statement), true)).fault,
              HasSubstr("differ from those that it names"));
  // Omits a case.
  const std::string copy = changed(folder, kDerivationFile, "no more", true);
  for (const std::string& name : files_of(copy)) {
    if (name.starts_with(numbers[1])) fs::remove(copy + "/" + name);
  }
  write_file(copy + "/" + kSumsFile, sums_of(copy));
  EXPECT_THAT(checked(copy).fault, HasSubstr("needs goals without a proof"));
  // The goal of another statement, with its proof.
  const std::string more = changed(folder, kDerivationFile, "no more", true);
  const std::string other = made(negation(6));
  for (const std::string& number : goals_in(other)) {
    for (const std::string& name : files_of(other)) {
      if (name.starts_with(number)) fs::copy(other + "/" + name, more + "/" + name);
    }
  }
  write_file(more + "/" + kSumsFile, sums_of(more));
  EXPECT_THAT(checked(more).fault, HasSubstr("goals that the statement does not need"));
  EXPECT_FALSE(checked(changed(folder, "more.txt", "x", true)).is_accepted());
}

// An easier goal with a valid proof is another goal.
TEST_F(GoalCertificates, OfAnEasierGoalAreRejected) {
  const std::string folder = made(negation(6));
  ASSERT_NE(folder, "");
  const std::string number = goals_in(folder).at(0);
  const std::string copy = changed(folder, kDerivationFile, "no more", true);
  for (const std::string& name : files_of(copy)) {
    if (name.starts_with(number)) fs::remove(copy + "/" + name);
  }
  const std::string easier =
      "{\"version\":1,\"nodes\":[\n[\"boolean\",\"0\"]\n],\"conditions\":[1]}\n";
  const std::string easier_number = short_digest(sha256(easier));
  kernel::Kernel kernel(kernel::goal_of(easier));
  const kernel::Step step{{{0}}, {}, {}};
  write_file(copy + "/" + easier_number + ".goal.json", easier);
  write_file(copy + "/" + easier_number + ".proof.jsonl",
             kernel::step_line(step, kernel.clauses_of(step)));
  write_file(copy + "/" + easier_number + ".1.lrat", "3 0 1 2 0\n");
  CertifiedStatement statement = certified_statement_of(content_of(folder + "/" + kStatementFile));
  statement.goals = {sha256(easier)};
  write_file(copy + "/" + kStatementFile, to_json(statement));
  write_file(copy + "/" + kSumsFile, sums_of(copy));
  EXPECT_EQ(check_goals(copy, {}).fault, "");
  EXPECT_THAT(checked(copy).fault, HasSubstr("needs goals without a proof"));
}

}  // namespace
}  // namespace mmaspec::certificate_test
