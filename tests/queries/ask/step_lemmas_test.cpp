// Lemmas about single steps that analytical proofs use, proved by solvers for the functions from
// which the specifications are built, with formats and widths of real designs.

#include <gtest/gtest.h>

#include "queries/ask/question.h"
#include "queries/numbers/difference.h"
#include "spec/formats/unpack.h"
#include "spec/parts/terms.h"
#include "tests/support/case_selection.h"

namespace mmaspec::step_lemmas_test {
namespace {

Reply asked(const Graph& graph, Bool violated) {
  const Question question{&graph, {violated.id()}};
  return ask(question, Strategies::none(), Portfolio("auto", Limits{120}));
}

void expect_proved(const Graph& graph, Bool violated, const std::string& what) {
  const Reply reply = asked(graph, violated);
  EXPECT_TRUE(reply.verdict == Verdict::unsatisfiable) << what << ": " << reply.justification.how();
}

/// A product of two f16 numbers, and a largest exponent that is not less than its own.
struct AnyTerm {
  Term term;
  Int e_max;
};
AnyTerm any_term() {
  const Unpacked a = unpack(formats::f16, input("a", 16));
  const Unpacked b = unpack(formats::f16, input("b", 16));
  const Term term = exact_product(formats::f16, a, formats::f16, b);
  return {term, term.exponent + input("above", 6)};
}

TEST(StepLemmas, ATermThatIsCutABitHigherLosesThatBitAtMost) {
  for (const Rounding rounding : {Rounding::toward_zero, Rounding::down}) {
    Graph graph;
    const Graph::Building building(graph);
    const AnyTerm x = any_term();
    const Int fine = align(x.term, x.e_max, 25, rounding);
    const Int coarse = align(x.term, x.e_max + 1, 25, rounding);
    const Int lost = fine - 2 * coarse;
    const Bool toward_zero = rounding == Rounding::toward_zero && x.term.sign;
    expect_proved(graph,
                  !(select(toward_zero, Int(-1), Int(0)) <= lost &&
                    lost <= select(toward_zero, Int(0), Int(1))),
                  "lost bit");
  }
}

TEST(StepLemmas, ATermAndItsDoubleAreCutAlike) {
  for (const Rounding rounding : {Rounding::toward_zero, Rounding::down}) {
    Graph graph;
    const Graph::Building building(graph);
    const AnyTerm x = any_term();
    Term twice = x.term;
    twice.exponent = twice.exponent + 1;
    expect_proved(graph,
                  align(x.term, x.e_max, 25, rounding) != align(twice, x.e_max + 1, 25, rounding),
                  "double");
  }
}

/// Sums as wide as those of 16 terms of 25 bits, with all exponents that they may have.
struct AnySum {
  Int units;
  Int exponent;
};
AnySum any_sum(const Format& f) {
  constexpr unsigned kWidth = 32;
  const Int low = Int(f.least_exponent() - f.fraction_bits - 30);
  const auto exponents = static_cast<unsigned>(f.exponent_bits) + 1;
  return {input("sum", kWidth) - power_of_two(kWidth - 1), low + input("exponent", exponents)};
}
Int rounded(Int units, Int exponent, const ResultFormat& result) {
  return round_and_pack({units < 0, abs(units), exponent}, result);
}

TEST(StepLemmas, RoundingIsMonotone) {
  std::size_t index = 0;
  for (const ResultFormat& result : {ResultFormat{&formats::f16, Rounding::nearest_even},
                                     ResultFormat{&formats::f32, Rounding::toward_zero},
                                     ResultFormat{&formats::f32, Rounding::nearest_even}}) {
    if (!is_selected(index++, 3)) continue;
    Graph graph;
    const Graph::Building building(graph);
    const Format& f = *result.format;
    const AnySum x = any_sum(f);
    expect_proved(graph,
                  ordinal(f, rounded(x.units, x.exponent, result)) >
                      ordinal(f, rounded(x.units + 1, x.exponent, result)),
                  std::string(f.name));
  }
}

TEST(StepLemmas, RoundingDependsOnlyOnValues) {
  for (const ResultFormat& result : {ResultFormat{&formats::f16, Rounding::nearest_even},
                                     ResultFormat{&formats::f32, Rounding::toward_zero}}) {
    Graph graph;
    const Graph::Building building(graph);
    const AnySum x = any_sum(*result.format);
    expect_proved(
        graph, rounded(2 * x.units, x.exponent, result) != rounded(x.units, x.exponent + 1, result),
        std::string(result.format->name));
  }
}

// If both are zero or normal: always when rounding toward zero; when rounding to nearest, if the
// number is a multiple of the least subnormal number.
TEST(StepLemmas, ADoubleRoundsToTheDouble) {
  for (const bool nearest : {false, true}) {
    Graph graph;
    const Graph::Building building(graph);
    const Format& f = formats::f16;
    const ResultFormat result{&f, nearest ? Rounding::nearest_even : Rounding::toward_zero};
    const AnySum x = any_sum(f);
    const Int one = abs(ordinal(f, rounded(x.units, x.exponent, result)));
    const Int two = abs(ordinal(f, rounded(x.units, x.exponent + 1, result)));
    const Integer hidden = power_of_two(static_cast<unsigned>(f.fraction_bits));
    const auto fits = [&](Int p) { return (p == 0 || p >= hidden) && p <= f.largest_finite(); };
    Bool violated = fits(one) && fits(two) && two != select(one == 0, 0, one + hidden);
    if (nearest) {  // just below the least normal number it is false
      EXPECT_TRUE(asked(graph, violated).verdict == Verdict::satisfiable);
      violated = violated && x.exponent >= f.least_exponent() - f.fraction_bits;
    }
    expect_proved(graph, violated, nearest ? "to nearest" : "toward zero");
  }
}

}  // namespace
}  // namespace mmaspec::step_lemmas_test
