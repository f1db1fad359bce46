// All values of few variables: random terms against the simulator that has no machine words.

#include "hardware/rtl/equivalence/enumerate_terms.h"

#include <gtest/gtest.h>

#include "hardware/rtl/equivalence/simulate_terms.h"
#include "tests/rtl/random_terms.h"

namespace mmaspec::rtl::enumerate_terms_test {
namespace {

constexpr std::size_t kWork = std::size_t{1} << 32;

TEST(EnumerateTerms, FindsWhatTheSimulatorFinds) {
  int satisfiable = 0;
  int unsatisfiable = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    RandomTerms t(seed);
    const TermId assertion = t.assertion();
    TermSimulator simulator(t.terms);
    unsigned bits = 0;
    for (const auto& [name, width] : t.variables) bits += width;
    for (unsigned x = 0; x < (1U << bits); ++x) {
      std::map<std::string, Integer> values;
      unsigned low = 0;
      for (const auto& [name, width] : t.variables) {
        values[name] = (x >> low) & ((1U << width) - 1);
        low += width;
      }
      simulator.add_sample(values);
    }
    const std::vector<Integer>& holds = simulator(assertion);
    const bool any = std::find(holds.begin(), holds.end(), 1) != holds.end();
    const auto answer = enumerate_terms(t.terms, assertion, kWork, {});
    ASSERT_TRUE(answer) << seed;
    ASSERT_EQ(answer->verdict, any ? Verdict::satisfiable : Verdict::unsatisfiable) << seed;
    ++(any ? satisfiable : unsatisfiable);
    if (!any) continue;
    TermSimulator model(t.terms);
    model.add_sample(answer->model);
    EXPECT_EQ(model(assertion)[0], 1) << seed;
  }
  EXPECT_GT(satisfiable, 50);
  EXPECT_GT(unsatisfiable, 20);
}

// More values than one block of lanes has: the one that satisfies is found wherever it is.
TEST(EnumerateTerms, TriesAllBlocks) {
  for (const unsigned value : {0U, 255U, 256U, 4095U, 4096U, 65535U, 70000U, 131071U}) {
    BvTerms terms;
    const TermId x = terms.variable("x", 9);
    const TermId y = terms.variable("y", 8);
    const TermId is_value = terms.eq(terms.concat(x, y), terms.constant(value, 17));
    const auto answer = enumerate_terms(terms, is_value, kWork, {});
    ASSERT_TRUE(answer);
    ASSERT_EQ(answer->verdict, Verdict::satisfiable);
    EXPECT_EQ(answer->model.at("x"), value >> 8);
    EXPECT_EQ(answer->model.at("y"), value & 255);
    // Of products: no x has more than 17 bits of x * y.
    const TermId product = terms.mul(terms.zero_extend(x, 18), terms.zero_extend(y, 18));
    const auto none =
        enumerate_terms(terms, terms.ult(terms.constant(511 * 255, 18), product), kWork, {});
    ASSERT_TRUE(none);
    EXPECT_EQ(none->verdict, Verdict::unsatisfiable);
  }
}

TEST(EnumerateTerms, DeclinesWhatIsTooMuch) {
  BvTerms terms;
  const TermId x = terms.variable("x", 64);
  const TermId y = terms.variable("y", 20);
  EXPECT_FALSE(enumerate_terms(terms, terms.eq(x, terms.constant(1, 64)), kWork, {}));
  EXPECT_FALSE(enumerate_terms(terms, terms.eq(y, terms.constant(1, 20)), 1 << 20, {}));
  EXPECT_FALSE(
      enumerate_terms(terms, terms.eq(y, terms.constant(0xfffff, 20)), kWork, Deadline::in(0)));
}

}  // namespace
}  // namespace mmaspec::rtl::enumerate_terms_test
