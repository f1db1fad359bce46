// The SMT-LIB 2 text: other programs agree with the built-in solvers about it.

#include <gtest/gtest.h>

#include "concrete/evaluator.h"
#include "spec/lang/int.h"
#include "tests/support/lang/random.h"
#include "tests/support/lang/solve.h"

namespace mmaspec::lang_test::smtlib_test {
namespace {

/// A solver's own program.
struct Program {
  std::string name;
  std::string command;
  friend void PrintTo(const Program& p, std::ostream* out) { *out << p.command; }
};

class SmtLibText : public testing::TestWithParam<Program> {
 protected:
  void SetUp() override {
    if (GetParam().name == "bitwuzla" ? is_missing("bitwuzla") : !on_path(GetParam().name)) {
      GTEST_SKIP() << "there is no " << GetParam().name << " here";
    }
  }
  static Answer ask_program(const Query& query) {
    return GetParam().name == "bitwuzla" ? ask("bitwuzla", query)
                                         : ask(smtlib_backend(GetParam().command), query);
  }
};

// For each random graph, one satisfiable and one unsatisfiable question: does the last integer have
// its value (for some inputs), and does it leave its range?
TEST_P(SmtLibText, HasTheVerdictAndAModelThatEvaluatesRight) {
  const std::vector<unsigned> widths{5, 7, 4};
  for (int seed = 0; seed < rounds(40); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto s = static_cast<std::uint64_t>(seed) + 5000;
    const RandomGraph r = random_graph(s, widths, 30, corner_inputs(s, widths, 1));
    std::size_t k = 0;
    for (std::size_t i = 0; i < r.roots.size(); ++i) {
      if (!is_boolean((*r.graph)[r.roots[i]].op)) k = i;
    }
    BvTerms terms;
    Encoder encoder(*r.graph, terms);
    const TermId reached =
        terms.bool_not(node_is_not(*r.graph, encoder, terms, r.roots[k], r.values[0][k]));
    const Answer answer = ask_program({&terms, {reached}});
    ASSERT_EQ(answer.verdict, Verdict::satisfiable) << answer.reason;
    const ExactEvaluator evaluator(*r.graph, r.roots);
    ExactEvaluator::Values values = evaluator.scratch();
    evaluator.evaluate(inputs_of(*r.graph, answer), values);
    EXPECT_EQ(values[r.roots[k]], r.values[0][k]);

    // Beyond the range, with additional bits.
    const Integer beyond = (*r.graph)[r.roots[k]].range.high + 1;
    const TermId escaped =
        terms.bool_not(node_is_not(*r.graph, encoder, terms, r.roots[k], beyond));
    const Answer none = ask_program({&terms, {escaped}});
    EXPECT_EQ(none.verdict, Verdict::unsatisfiable) << none.reason;
  }
}

TEST_P(SmtLibText, GivesEveryTermItsMeaning) {
  for (int seed = 0; seed < rounds(6); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const RandomGraph r = random_graph(static_cast<std::uint64_t>(seed) + 900, {2, 2, 2}, 25);
    BvTerms terms;
    Encoder encoder(*r.graph, terms);
    std::vector<TermId> differs;
    for (std::size_t k = 0; k < r.roots.size(); ++k) {
      std::size_t i = 0;
      const auto meaning = [&](const std::vector<Integer>& /*inputs*/) { return r.values[i++][k]; };
      differs.push_back(
          terms.bool_not(differs_from_table(*r.graph, encoder, terms, {r.roots[k], meaning})));
    }
    const TermId any = terms.bool_not(terms.bool_and(differs));
    const Answer answer = ask_program({&terms, {any}});
    ASSERT_EQ(answer.verdict, Verdict::unsatisfiable) << answer.reason;
  }
}

TEST_P(SmtLibText, CarriesWideValues) {
  BvTerms terms;
  const Integer value = (Integer(0x123456789abcdefLL) << 140) + 12345;
  const TermId wide = terms.variable("a[0]", 200);
  const Answer answer = ask_program({&terms, {terms.eq(wide, terms.constant(value, 200))}});
  ASSERT_EQ(answer.verdict, Verdict::satisfiable) << answer.reason;
  EXPECT_EQ(answer.model.at("a[0]"), value);
}

// Values whose width is a multiple of four are printed as hexadecimal digits, others as binary
// ones.
TEST_P(SmtLibText, CarriesValuesOfEveryWidth) {
  BvTerms terms;
  std::vector<TermId> assertions;
  for (unsigned w = 1; w <= 70; ++w) {
    const TermId x = terms.variable("x" + std::to_string(w), w);
    assertions.push_back(terms.eq(x, terms.constant(power_of_two(w) * 5 / 7, w)));
  }
  const Answer answer = ask_program({&terms, assertions});
  ASSERT_EQ(answer.verdict, Verdict::satisfiable) << answer.reason;
  for (unsigned w = 1; w <= 70; ++w) {
    EXPECT_EQ(answer.model.at("x" + std::to_string(w)), power_of_two(w) * 5 / 7) << w;
  }
}

// A variable may have the name that the text gives to a term.
TEST_P(SmtLibText, KeepsVariablesAndTermsApart) {
  for (const char* name : {"t0", "t1", "t2", "t3", "t4", "sat", "tt2", "let", "x y"}) {
    SCOPED_TRACE(name);
    // Bitwuzla 0.9.1 treats the quoted symbol |let| as the reserved word.
    if (std::string(GetParam().name) == "bitwuzla" && std::string(name) == "let") continue;
    BvTerms terms;
    const TermId x = terms.variable(name, 8);
    const TermId y = terms.variable("other", 8);
    const TermId sum = terms.add(x, y);
    const TermId wanted = terms.eq(sum, terms.constant(77, 8));
    const TermId fixed = terms.eq(y, terms.constant(7, 8));
    const Answer answer = ask_program({&terms, {wanted, fixed}});
    ASSERT_EQ(answer.verdict, Verdict::satisfiable) << answer.reason;
    EXPECT_EQ(answer.model.at(name), 70);
  }
}

TEST_P(SmtLibText, MayHaveNoVariables) {
  BvTerms terms;
  EXPECT_EQ(ask_program({&terms, {terms.boolean(true)}}).verdict, Verdict::satisfiable);
  EXPECT_EQ(ask_program({&terms, {terms.boolean(false)}}).verdict, Verdict::unsatisfiable);
  EXPECT_EQ(ask_program({&terms, {}}).verdict, Verdict::satisfiable);
}

INSTANTIATE_TEST_SUITE_P(Programs, SmtLibText,
                         testing::Values(Program{"z3", "z3 -in"}, Program{"cvc5", "cvc5"},
                                         Program{"bitwuzla", ""}),
                         [](const auto& test) { return test.param.name; });

TEST(BitvectorTerms, ExtendAZeroExtendedWordByZeros) {
  BvTerms terms;
  const TermId x = terms.variable("x", 4);
  EXPECT_EQ(terms.sign_extend(terms.zero_extend(x, 6), 9), terms.zero_extend(x, 9));
}

TEST(SmtLibScript, DeclaresDefinesAssertsAndAsks) {
  BvTerms terms;
  const TermId x = terms.variable("a[0]", 4);
  const TermId product = terms.mul(x, terms.constant(3, 4));
  const Query query{&terms, {terms.eq(product, terms.constant(6, 4))}};
  const std::string text = to_smtlib(query);
  EXPECT_NE(text.find("(set-logic QF_BV)"), std::string::npos);
  EXPECT_NE(text.find("(declare-const |a[0]| (_ BitVec 4))"), std::string::npos);
  EXPECT_NE(text.find("(bvmul |a[0]| (_ bv3 4))"), std::string::npos);
  EXPECT_NE(text.find("(check-sat)\n(get-value (|a[0]|))"), std::string::npos);
  const std::string bare = to_smtlib(query, false);
  EXPECT_EQ(bare.find("get-value"), std::string::npos);
  EXPECT_EQ(bare.find("produce-models"), std::string::npos);
}

}  // namespace
}  // namespace mmaspec::lang_test::smtlib_test
