// Derived proofs compared with analytical proofs, all inputs and search, which share no reasoning
// with them: for designs of the catalogue, random designs, designs at the limits and one beyond,
// and new algorithms that only this test defines.

#include "queries/derive/derive.h"

#include <gtest/gtest.h>

#include "queries/prove/prove.h"
#include "tests/queries/derive/ieee_sums.h"
#include "tests/queries/derive/new_algorithms.h"
#include "tests/queries/derive/subjects.h"
#include "tests/support/case_selection.h"
#include "tests/support/drawn_designs.h"
#include "tests/support/searched.h"

namespace mmaspec {
namespace {

bool is_derived(const std::string& property, const Subject& s, double seconds) {
  const Portfolio solvers("auto", Limits{seconds});
  std::vector<AttemptReport> attempts;
  return derive(find_property(property), s, 0, solvers, Deadline::in(seconds), attempts)
      .has_value();
}

const std::string kSmall = "(a=e2m1,b=e2m1,c=e5m2,d=e5m2,";

// Compared with all inputs, if there are few.
TEST(Derive, ProvesPropertiesThatSearchOfAllInputsConfirms) {
  for (const std::string& name :
       {"design:fused-dot-add" + kSmall + "k=1,fraction_bits=2)",
        "design:fused-dot-add" + kSmall + "k=1,fraction_bits=3,floor=-15,round=rne)",
        "design:fused-dot-add" + kSmall + "k=1,fraction_bits=3,align_round=rd)",
        "design:round-down-dot-add" + kSmall + "k=1,sum_bits=3,c_bits=2,zero_exponent=-14)",
        "design:exact-dot-add" + kSmall + "k=1,round=rne)"}) {
    EXPECT_TRUE(is_derived("monotone-c", named(name), 60)) << name;
    EXPECT_EQ(searched("monotone-c", named(name)), Outcome::proved) << name;
  }
}

// With one parameter less the property fails.
TEST(Derive, HoldsUpToTheLimitOfTheProperty) {
  for (const auto& [holds, fails] : std::vector<std::pair<std::string, std::string>>{
           {"design:fused-dot-add" + kSmall + "k=2,fraction_bits=3,align_round=rd)",
            "design:fused-dot-add" + kSmall + "k=2,fraction_bits=2,align_round=rd)"},
           {"design:fused-dot-add" + kSmall + "k=4,fraction_bits=4,round=rne)",
            "design:fused-dot-add" + kSmall + "k=4,fraction_bits=2,round=rne)"},
           {"design:fused-dot-add" + kSmall + "k=4,block=2,fraction_bits=3)",
            "design:fused-dot-add" + kSmall + "k=4,block=2,fraction_bits=1)"},
           {"design:round-down-dot-add" + kSmall + "k=2,sum_bits=3,zero_exponent=-14)",
            "design:round-down-dot-add" + kSmall + "k=2,sum_bits=1,zero_exponent=-14)"}}) {
    EXPECT_TRUE(is_derived("monotone-c", named(holds), 60)) << holds;
    EXPECT_NE(searched("monotone-c", named(holds)), Outcome::refuted) << holds;
    EXPECT_FALSE(is_derived("monotone-c", named(fails), 60)) << fails;
    EXPECT_EQ(searched("monotone-c", named(fails)), Outcome::refuted) << fails;
  }
}

TEST(Derive, ProvesPropertiesOfNewAlgorithms) {
  using namespace new_algorithms;
  const DotFormats eight{&formats::e2m1, &formats::e4m3, &formats::e5m2, &formats::e5m2, 8};
  const DotFormats three{&formats::e2m1, &formats::e2m1, &formats::e5m2, &formats::e5m2, 3};
  struct Case {
    std::string what;
    Algorithm holds;
    Algorithm fails;
    DotFormats formats;
  };
  const Rounding rz = Rounding::toward_zero;
  const Rounding rne = Rounding::nearest_even;
  for (const Case& c : std::vector<Case>{
           {"groups of four", in_groups_of_four(3, rz), in_groups_of_four(1, rz), eight},
           {"groups of four, to nearest", in_groups_of_four(3, rne), in_groups_of_four(2, rne),
            eight},
           {"tree with c below", truncating_tree(4, rz, true), truncating_tree(1, rz, true),
            three}}) {
    EXPECT_FALSE(find_property("monotone-c").holds_because(of(c.holds, c.formats)));
    EXPECT_TRUE(is_derived("monotone-c", of(c.holds, c.formats), 60)) << c.what;
    EXPECT_NE(searched("monotone-c", of(c.holds, c.formats)), Outcome::refuted) << c.what;
    EXPECT_FALSE(is_derived("monotone-c", of(c.fails, c.formats), 60)) << c.what;
    EXPECT_EQ(searched("monotone-c", of(c.fails, c.formats)), Outcome::refuted) << c.what;
  }
}

// What holds for sums of one sign may fail for sums of the other.
TEST(Derive, ProvesMonotonicityOfSumsOfBothSigns) {
  using namespace new_algorithms;
  const DotFormats two{&formats::e2m1, &formats::e2m1, &formats::e5m2, &formats::e5m2, 2};
  const auto as_it_is = [](Int magnitude) { return magnitude; };
  const auto exchanged = [](Int magnitude) {
    return select(magnitude == 40, 56, select(magnitude == 56, 40, magnitude));
  };
  for (const bool below_zero : {false, true}) {
    const Subject holds = of(spoiled_on_one_side(5, below_zero, as_it_is), two);
    EXPECT_TRUE(is_derived("monotone-c", holds, 60)) << below_zero;
    const Subject fails = of(spoiled_on_one_side(5, below_zero, exchanged), two);
    EXPECT_FALSE(is_derived("monotone-c", fails, 60)) << below_zero;
    EXPECT_EQ(searched("monotone-c", fails), Outcome::refuted) << below_zero;
    const Subject by_value = of(exchanged_on_one_side(5, below_zero), two);
    EXPECT_FALSE(is_derived("monotone-c", by_value, 60)) << below_zero;
    EXPECT_EQ(searched("monotone-c", by_value), Outcome::refuted) << below_zero;
  }
}

// A sum of two terms is monotone, however few bits it has.
TEST(Derive, ProvesPropertiesOfATreeWithCAtItsRoot) {
  const DotFormats eight{&formats::e2m1, &formats::e4m3, &formats::e5m2, &formats::e5m2, 8};
  for (const int places : {1, 3}) {
    const Subject s =
        of(new_algorithms::truncating_tree(places, Rounding::nearest_even, false), eight);
    EXPECT_TRUE(is_derived("monotone-c", s, 60)) << places;
    EXPECT_NE(searched("monotone-c", s), Outcome::refuted) << places;
  }
}

// In products: true for exact sums that saturate; not for a chain, in which a product reaches later
// steps through c.
TEST(Derive, ProvesMonotonicityInProductsOnlyForSingleSums) {
  const std::string integers = "design:integer-dot-add(a=s4,b=s4,c=s8,d=s8,k=4,overflow=";
  EXPECT_TRUE(is_derived("monotone-product", named(integers + "saturate,group=4)"), 60));
  EXPECT_FALSE(is_derived("monotone-product", named(integers + "wrap,group=4)"), 60));
  EXPECT_FALSE(is_derived(
      "monotone-product",
      named("design:fused-dot-add" + kSmall + "k=4,block=2,fraction_bits=4,round=rne)"), 20));
}

// Search refutes no derived property of random designs with parameters near the limits, whether
// analytical proofs decide them or not.
TEST(Derive, IsNotRefutedBySearchesOnRandomDesigns) {
  DrawnDesigns designs(3);
  int derived = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    const Subject s = named(designs.next());
    if (!is_selected(i, 2)) continue;
    if (!is_derived("monotone-c", s, 3)) continue;
    ++derived;
    EXPECT_NE(searched("monotone-c", s), Outcome::refuted) << s.first.name();
  }
  EXPECT_GT(derived, 0);
}

// Also for designs whose rounding and flushing violate it.
TEST(Derive, IsNotRefutedByInputsOfRandomIeeeDesigns) {
  std::mt19937 random(5);
  int derived = 0;
  for (int i = 0; i < 5; ++i) {
    const Subject s = named(drawn_ieee_design(random));
    for (const std::string property : {"monotone-c", "monotone-product"}) {
      if (!find_property(property).says_nothing_because(s).empty()) continue;
      if (!is_derived(property, s, 4)) continue;
      ++derived;
      EXPECT_NE(searched(property, s), Outcome::refuted) << property << " of " << s.first.name();
    }
  }
  EXPECT_GT(derived, 1);
}

TEST(Derive, IsNamedAsTheReasonOfAProof) {
  ProveOptions options;
  options.strategies.set(Strategy::steps, false);
  const Portfolio solvers("auto", Limits{60});
  const Subject s = named("design:fused-dot-add" + kSmall + "k=4,fraction_bits=4,round=rne)");
  const Proof proof = prove(find_property("monotone-c"), s, options, solvers);
  EXPECT_EQ(proof.outcome, Outcome::proved);
  EXPECT_EQ(by(proof.justification.kind), "derivation") << proof.justification.how();
  // Solvers do not prove it without the derivation.
  options.strategies = Strategies::none();
  options.strategies.set(Strategy::derive, true);
  EXPECT_EQ(prove(find_property("monotone-c"), s, options, solvers).outcome, Outcome::proved);
}

}  // namespace
}  // namespace mmaspec
