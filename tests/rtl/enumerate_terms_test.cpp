// All values of few variables: random terms against the simulator that has no machine words.

#include "hardware/rtl/equivalence/enumerate_terms.h"

#include <gtest/gtest.h>

#include <random>

#include "hardware/rtl/equivalence/simulate_terms.h"

namespace mmaspec::rtl::enumerate_terms_test {
namespace {

constexpr std::size_t kWork = std::size_t{1} << 32;

/// Random terms over variables of a few bits in all, with words of 1 to 200 bits.
class Terms {
 public:
  explicit Terms(unsigned seed) : random_(seed) {
    for (unsigned bits = 2 + below(9); bits > 0;) {
      const unsigned width = 1 + below(std::min(bits, 5U));
      const std::string name = "v" + std::to_string(words_.size());
      words_.push_back(terms.variable(name, width));
      variables.emplace_back(name, width);
      bits -= width;
    }
    for (int i = 0; i < 60; ++i) add();
  }

  TermId assertion() { return terms.bool_and({boolean(), terms.bool_or(boolean(), boolean())}); }

  BvTerms terms;
  std::vector<std::pair<std::string, unsigned>> variables;

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  TermId word() { return words_[below(static_cast<unsigned>(words_.size()))]; }
  /// A word of some width, made so.
  TermId word(unsigned width) {
    const TermId x = word();
    const unsigned from = terms.width(x);
    if (from == width) return x;
    if (from > width) {
      const unsigned low = below(from - width + 1);
      return terms.extract(x, low + width - 1, low);
    }
    return below(2) == 0 ? terms.zero_extend(x, width) : terms.sign_extend(x, width);
  }
  TermId boolean() {
    const TermId x = word();
    const TermId y = word(terms.width(x));
    switch (below(5)) {
      case 0:
        return terms.eq(x, y);
      case 1:
        return terms.ult(x, y);
      case 2:
        return terms.slt(x, y);
      case 3:
        return terms.bool_not(terms.bool_xor(terms.ult(x, y), terms.slt(y, x)));
      default:
        return terms.from_bit(terms.extract(x, 0, 0));
    }
  }
  void add() {
    const unsigned width = below(4) == 0 ? 1 + below(200) : 1 + below(70);
    const TermId x = word(width);
    const TermId y = word(width);
    switch (below(8)) {
      case 0:
        words_.push_back(terms.add(x, y));
        break;
      case 1:
        words_.push_back(terms.mul(x, y));
        break;
      case 2:
        words_.push_back(terms.bv_not(x));
        break;
      case 3:
        words_.push_back(terms.bv_xor(x, y));
        break;
      case 4:
        words_.push_back(terms.ite(boolean(), x, y));
        break;
      case 5:
        if (width < 100) words_.push_back(terms.concat(x, y));
        break;
      case 6:
        words_.push_back(terms.add(x, terms.constant(Integer(random_()) << below(60), width)));
        break;
      default:
        words_.push_back(terms.to_bit(boolean()));
        break;
    }
  }

  std::mt19937_64 random_;
  std::vector<TermId> words_;
};

TEST(EnumerateTerms, FindsWhatTheSimulatorFinds) {
  int satisfiable = 0;
  int unsatisfiable = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    Terms t(seed);
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
