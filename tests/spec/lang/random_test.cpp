// Random expressions: folding and normal forms preserve values, and every range is correct.

#include "tests/support/lang/random.h"

#include <gtest/gtest.h>

#include "concrete/evaluator.h"
#include "spec/lang/print.h"

namespace mmaspec::lang_test::random_test {
namespace {

void expect_meaning_and_ranges(const RandomGraph& r) {
  const ExactEvaluator evaluator(*r.graph, r.roots);
  ExactEvaluator::Values values = evaluator.scratch();
  for (std::size_t i = 0; i < r.inputs.size(); ++i) {
    SCOPED_TRACE(testing::PrintToString(r.inputs[i]));
    ASSERT_NO_THROW(evaluator.evaluate(r.inputs[i], values));
    ASSERT_NO_THROW(evaluator.check_ranges(values));
    for (std::size_t k = 0; k < r.roots.size(); ++k) {
      ASSERT_EQ(values[r.roots[k]], r.values[i][k]) << print(*r.graph, {r.roots[k]});
    }
  }
}

TEST(RandomExpressions, KeepTheirMeaningAndRangesAtAllInputs) {
  for (int seed = 0; seed < rounds(150); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_meaning_and_ranges(random_graph(static_cast<std::uint64_t>(seed), {3, 3, 2}, 30));
    if (HasFatalFailure()) return;
  }
}

TEST(RandomExpressions, KeepTheirMeaningAndRangesAtCornersOfWideInputs) {
  const std::vector<unsigned> widths{11, 16, 5, 24};
  for (int seed = 0; seed < rounds(150); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto s = static_cast<std::uint64_t>(seed);
    expect_meaning_and_ranges(random_graph(s, widths, 40, corner_inputs(s, widths, 150)));
    if (HasFatalFailure()) return;
  }
}

TEST(RandomExpressions, AreTheSameNodesWhenBuiltAgain) {
  for (int seed = 0; seed < rounds(300); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const RandomGraph r = random_graph(static_cast<std::uint64_t>(seed), {1, 1, 1}, 40);
    for (std::size_t k = 0; k < r.roots.size(); ++k) {
      ASSERT_EQ(r.roots[k], r.again[k]) << print(*r.graph, {r.roots[k], r.again[k]});
    }
  }
}

}  // namespace
}  // namespace mmaspec::lang_test::random_test
