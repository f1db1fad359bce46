// Encodings of random expressions compared with their values, by each solver.

#include "tests/support/lang/random.h"

#include <gtest/gtest.h>

#include "spec/lang/print.h"
#include "tests/support/lang/solve.h"

namespace mmaspec::lang_test::random_test {
namespace {

class RandomEncoding : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (is_missing(GetParam())) GTEST_SKIP() << "there is no " << GetParam() << " here";
  }
};

/// True if any root differs from its table.
TermId any_differs(const RandomGraph& r, Encoder& encoder, BvTerms& terms) {
  TermId any = terms.boolean(false);
  for (std::size_t k = 0; k < r.roots.size(); ++k) {
    // inputs are enumerated in the same order in both places
    std::size_t i = 0;
    const auto meaning = [&](const std::vector<Integer>& /*inputs*/) { return r.values[i++][k]; };
    any = terms.bool_or(any, differs_from_table(*r.graph, encoder, terms, {r.roots[k], meaning}));
  }
  return any;
}

TEST_P(RandomEncoding, EqualsTheEvaluatorForAllInputs) {
  for (int seed = 0; seed < rounds(20); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const RandomGraph r = random_graph(static_cast<std::uint64_t>(seed), {2, 3, 2}, 25);
    BvTerms terms;
    Encoder encoder(*r.graph, terms);
    const Answer answer = ask(GetParam(), {&terms, {any_differs(r, encoder, terms)}});
    ASSERT_EQ(answer.verdict, Verdict::unsatisfiable)
        << answer.reason << testing::PrintToString(inputs_of(*r.graph, answer)) << '\n'
        << print(*r.graph, r.roots);
  }
}

TEST_P(RandomEncoding, AgreesAtACornerOfWideInputs) {
  const std::vector<unsigned> widths{11, 16, 5, 24};
  for (int seed = 0; seed < rounds(40); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto s = static_cast<std::uint64_t>(seed) + 1000;
    const RandomGraph r = random_graph(s, widths, 40, corner_inputs(s, widths, 4));
    BvTerms terms;
    Encoder encoder(*r.graph, terms);
    // At some corner some root differs from its value.
    TermId any = terms.boolean(false);
    for (std::size_t i = 0; i < r.inputs.size(); ++i) {
      std::vector<TermId> here;
      for (std::size_t x = 0; x < widths.size(); ++x) {
        here.push_back(input_is(*r.graph, terms, r.graph->inputs()[x], r.inputs[i][x]));
      }
      TermId differs = terms.boolean(false);
      for (std::size_t k = 0; k < r.roots.size(); ++k) {
        differs = terms.bool_or(differs,
                                node_is_not(*r.graph, encoder, terms, r.roots[k], r.values[i][k]));
      }
      here.push_back(differs);
      any = terms.bool_or(any, terms.bool_and(here));
    }
    const Answer answer = ask(GetParam(), {&terms, {any}});
    ASSERT_EQ(answer.verdict, Verdict::unsatisfiable)
        << answer.reason << testing::PrintToString(inputs_of(*r.graph, answer)) << '\n'
        << print(*r.graph, r.roots);
  }
}

// Checks that the test above can fail.
TEST_P(RandomEncoding, AWrongValueIsFound) {
  RandomGraph r = random_graph(7, {2, 3, 2}, 25);
  const std::size_t wrong = r.inputs.size() / 3;
  r.values[wrong].back() = 1 - r.values[wrong].back();  // the last root is a Boolean
  BvTerms terms;
  Encoder encoder(*r.graph, terms);
  const Answer answer = ask(GetParam(), {&terms, {any_differs(r, encoder, terms)}});
  ASSERT_EQ(answer.verdict, Verdict::satisfiable) << answer.reason;
  EXPECT_EQ(inputs_of(*r.graph, answer), r.inputs[wrong]);
}

INSTANTIATE_TEST_SUITE_P(Solvers, RandomEncoding, testing::Values("z3", "cvc5", "bitwuzla"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace mmaspec::lang_test::random_test
