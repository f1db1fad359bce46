// Clauses compared with values of random expressions: with fixed inputs, unit propagation must end
// in a model in which every expression has its value, and in a conflict if one has another value.

#include "proof/recorded/bit_blaster.h"

#include <gtest/gtest.h>

#include "tests/proof/propagation.h"
#include "tests/support/lang/random.h"
#include "tests/support/lang/solve.h"

namespace mmaspec::lang_test::bit_blaster_test {
namespace {

void expect_meaning(const RandomGraph& r) {
  BvTerms terms;
  Encoder encoder(*r.graph, terms);
  for (std::size_t i = 0; i < r.inputs.size(); ++i) {
    std::vector<TermId> here;
    for (std::size_t x = 0; x < r.inputs[i].size(); ++x) {
      here.push_back(input_is(*r.graph, terms, r.graph->inputs()[x], r.inputs[i][x]));
    }
    std::vector<TermId> right = here;
    std::vector<TermId> wrong;
    for (std::size_t k = 0; k < r.roots.size(); ++k) {
      wrong.push_back(node_is_not(*r.graph, encoder, terms, r.roots[k], r.values[i][k]));
      right.push_back(terms.bool_not(wrong.back()));
    }
    ASSERT_EQ(propagate(bit_blast({&terms, right})), Propagated::model) << "input " << i;
    here.push_back(wrong[i % wrong.size()]);
    ASSERT_EQ(propagate(bit_blast({&terms, here})), Propagated::conflict) << "input " << i;
  }
}

TEST(BitBlaster, EqualsTheEvaluatorOnAllSmallInputs) {
  for (int seed = 0; seed < rounds(12); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_meaning(random_graph(static_cast<std::uint64_t>(seed), {2, 3, 2}, 25));
  }
}

TEST(BitBlaster, EqualsTheEvaluatorAtCornersOfWideInputs) {
  const std::vector<unsigned> widths{11, 16, 5, 24};
  for (int seed = 0; seed < rounds(40); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto s = static_cast<std::uint64_t>(seed) + 5000;
    expect_meaning(random_graph(s, widths, 40, corner_inputs(s, widths, 4)));
  }
}

/// Every operation of terms alone, on all words of `width` bits.
TEST(BitBlaster, ComputesEachOperationOnAllWords) {
  constexpr unsigned kWidth = 3;
  constexpr unsigned kAll = 1U << kWidth;
  const auto as_signed = [](unsigned x) {
    return static_cast<int>(x) - (x >= kAll / 2 ? static_cast<int>(kAll) : 0);
  };
  BvTerms t;
  const TermId x = t.variable("x", kWidth);
  const TermId y = t.variable("y", kWidth);
  const auto word = [&](unsigned v) { return t.constant(v, kWidth); };
  for (unsigned a = 0; a < kAll; ++a) {
    for (unsigned b = 0; b < kAll; ++b) {
      const std::vector<std::pair<TermId, bool>> facts{
          {t.eq(t.add(x, y), word(a + b)), true},
          {t.eq(t.mul(x, y), word(a * b)), true},
          {t.eq(t.bv_xor(x, y), word(a ^ b)), true},
          {t.eq(t.bv_not(x), word(~a)), true},
          {t.ult(x, y), a < b},
          {t.slt(x, y), as_signed(a) < as_signed(b)},
          {t.eq(x, y), a == b},
          {t.eq(t.ite(t.ult(x, y), x, y), word(std::min(a, b))), true},
          {t.eq(t.concat(x, y), t.constant(a * kAll + b, 2 * kWidth)), true},
          {t.eq(t.extract(t.concat(x, y), 4, 2), t.constant((a * kAll + b) >> 2, 3)), true},
          {t.eq(t.zero_extend(x, 5), t.constant(a, 5)), true},
          {t.eq(t.sign_extend(x, 5), t.constant(as_signed(a), 5)), true},
          {t.bool_or(t.ult(x, y), t.ult(y, x)), a != b},
          {t.bool_xor(t.ult(x, y), t.slt(x, y)), (a < b) != (as_signed(a) < as_signed(b))},
      };
      for (const auto& [fact, holds] : facts) {
        const TermId yes = holds ? fact : t.bool_not(fact);
        std::vector<TermId> all{t.eq(x, word(a)), t.eq(y, word(b)), yes};
        ASSERT_EQ(propagate(bit_blast({&t, all})), Propagated::model) << a << " " << b;
        all.back() = t.bool_not(yes);
        ASSERT_EQ(propagate(bit_blast({&t, all})), Propagated::conflict) << a << " " << b;
      }
    }
  }
}

TEST(BitBlaster, NamesTheBitsOfVariables) {
  BvTerms t;
  const TermId x = t.variable("a[0]", 3);
  const Cnf cnf = bit_blast({&t, {t.ult(x, t.constant(2, 3))}});
  EXPECT_EQ(cnf.comments, std::vector<std::string>{"a[0] 2 3 4"});
  const std::string text = to_dimacs(cnf);
  EXPECT_TRUE(text.starts_with("c a[0] 2 3 4\np cnf ")) << text;
  Cnf again = parse_dimacs(text);
  again.comments = cnf.comments;
  EXPECT_EQ(to_dimacs(again), text);
}

TEST(BitBlaster, AConstantFalseHasNoModel) {
  BvTerms t;
  EXPECT_EQ(propagate(bit_blast({&t, {t.boolean(false)}})), Propagated::conflict);
}

}  // namespace
}  // namespace mmaspec::lang_test::bit_blaster_test
