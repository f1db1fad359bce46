// Derived error bounds compared with inputs, with the analysis, and with algorithms at the limits
// of derivation; none of these shares its reasoning.

#include "queries/error_bounds/error_bound.h"

#include <gtest/gtest.h>

#include "queries/errors/error_analysis.h"
#include "queries/prove/property_case.h"
#include "tests/queries/derive/ieee_sums.h"
#include "tests/queries/derive/new_algorithms.h"
#include "tests/queries/derive/subjects.h"
#include "tests/support/case_selection.h"
#include "tests/support/drawn_designs.h"
#include "tests/support/searched.h"

namespace mmaspec::error_bound_test {
namespace {

std::optional<Rational> derived(Subject s, double seconds, std::size_t samples = 1000) {
  const Property& property = find_property("error-bound");
  const Portfolio solvers("auto", Limits{seconds});
  const ProveOptions options;
  std::vector<AttemptReport> attempts;
  s.parameter = 0;
  PropertyCase c(property, s, options, 0);
  DerivationGoal claimed = c.claimed();
  if (claimed.samples.size() > samples) claimed.samples.resize(samples);
  const auto error = derive_error(claimed, s.formats(), solvers, Deadline::in(seconds), attempts);
  return error ? std::optional(error->in_ulp) : std::nullopt;
}

/// For the property with this bound; all inputs if there are few.
Outcome searched_beyond(Subject s, const Rational& bound) {
  s.parameter = bound;
  return searched("error-bound", s);
}

/// Random sums with cuts of all kinds, with formats so small that nearly all inputs are tried.
std::string drawn_sum(std::mt19937& random) {
  const auto one_of = [&](const std::vector<std::string>& all) {
    return all[random() % all.size()];
  };
  std::string name = "design:fused-dot-add(a=" + one_of({"e2m1", "e3m2"}) +
                     ",b=e2m1,c=e5m2,d=" + one_of({"e5m2", "e4m3", "f16"}) +
                     ",k=" + one_of({"1", "2"});
  name += ",fraction_bits=" + one_of({"0", "2", "3", "5", "9"});
  name += one_of({"", ",floor=-3", ",floor=-16"});
  name += one_of({"", ",round=rne", ",round=ru", ",round=rd", ",round=rto"});
  name += one_of({"", ",align_round=rd"});
  name += one_of({"", ",c_joins=late"});
  name += one_of({"", ",normalize_products=yes"});
  name += one_of({"", ",zero_terms=operands-count,zero_exponent=-2"});
  name += one_of({"", ",block=1"});
  return name + ")";
}

/// For this many random sums, the number of derived bounds; no input may exceed them.
int derived_of_drawn_sums(unsigned seed, int sums, double seconds, const std::string& scales = "") {
  std::mt19937 random(seed);
  int count = 0;
  for (int i = 0; i < sums; ++i) {
    std::string name = drawn_sum(random);
    name.insert(name.size() - 1, scales);
    const Subject s = named(name);
    const auto bound = derived(s, seconds);
    if (!bound) continue;
    ++count;
    if (!is_selected(static_cast<std::size_t>(i), 2)) continue;
    EXPECT_NE(searched_beyond(s, *bound), Outcome::refuted) << name << " beyond " << *bound;
  }
  return count;
}

TEST(DerivedErrors, AreExceededByNoInputOfDrawnSums) {
  EXPECT_GT(derived_of_drawn_sums(21, 16, 5), 6);
}

// Products are exact if the exponent is low compared with those of their scale factors.
TEST(DerivedErrors, AreExceededByNoInputOfDrawnSumsWithScales) {
  EXPECT_GT(derived_of_drawn_sums(31, 4, 20, ",scale=ue8m0"), 0);
}

TEST(DerivedErrors, AreExceededByNoInputOfDrawnIeeeDesigns) {
  std::mt19937 random(41);
  int count = 0;
  for (int i = 0; i < 10; ++i) {
    const Subject s = named(drawn_ieee_design(random));
    const auto bound = derived(s, 15);
    if (!bound) continue;
    ++count;
    if (!is_selected(static_cast<std::size_t>(i), 2)) continue;
    EXPECT_NE(searched_beyond(s, *bound), Outcome::refuted) << s.first.name() << ": " << *bound;
  }
  EXPECT_GT(count, 2);
}

/// c + a * b, both rounded to odd at this many places below the largest exponent; the sum is
/// rounded to nearest.
Subject jammed_sum(int places) {
  const DotFormats one{&formats::e2m1, &formats::e2m1, &formats::e5m2, &formats::e5m2, 1};
  return of(
      Custom{"jammed sum",
             [=](const DotFormats& f, const DotOperands& in) {
               const UnpackedOperands x = unpack(f, in);
               std::vector<Term> terms{exact_product(*f.a, unpack_normalized(*f.a, in.a[0]), *f.b,
                                                     unpack_normalized(*f.b, in.b[0])),
                                       as_term(*f.c, unpack_normalized(*f.c, in.c))};
               terms = leave_zeros_out(terms, Int(least_exponent(terms)));
               const Int e_max = largest_exponent(terms);
               const Int sum = align(terms[0], e_max, places, Rounding::to_odd) +
                               align(terms[1], e_max, places, Rounding::to_odd);
               mark("sum", sum, e_max, -places, MarkRole::sum);
               const Int d = round_and_pack({sum < 0, abs(sum), e_max - places}, ResultFormat{f.d});
               return with_special_values(special_case(x), *f.d, canonical_nan(*f.d), d);
             }},
      one);
}

// The exact sum replaces sums to odd only if they have enough bits: rounding the exact sum has an
// error of half an ulp of the sum, which is one of the largest term.
TEST(DerivedErrors, AreThoseOfTheExactSumIfSumsToOddHaveEnoughBits) {
  std::vector<Rational> bounds;
  for (const int places : {2, 3, 4, 5, 7}) {
    const Subject s = jammed_sum(places);
    const auto bound = derived(s, 60);
    ASSERT_TRUE(bound) << places;
    EXPECT_NE(searched_beyond(s, *bound), Outcome::refuted) << places << ": " << *bound;
    bounds.push_back(*bound);
  }
  EXPECT_GT(bounds.front(), 1);
  EXPECT_EQ(bounds.back(), 1);
}

TEST(DerivedErrors, AreExceededByNoInputOfDrawnDesigns) {
  DrawnDesigns designs(21);
  int count = 0;
  for (std::size_t i = 0; i < 16; ++i) {
    const Subject s = named(i % 2 == 0 ? designs.next() : designs.next_of_vector_units());
    if (!find_property("error-bound").says_nothing_because(s).empty()) continue;
    const auto bound = derived(s, 8);
    if (!bound) continue;
    ++count;
    EXPECT_NE(searched_beyond(s, *bound), Outcome::refuted)
        << s.first.name() << " beyond " << *bound;
  }
  EXPECT_GT(count, 0);
}

// Too few samples suggest wrong units and limits.
TEST(DerivedErrors, AreNotMisledBySamples) {
  DrawnDesigns designs(22);
  int count = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    const Subject s = named(designs.next());
    if (!find_property("error-bound").says_nothing_because(s).empty()) continue;
    if (const auto bound = derived(s, 20, 4)) {
      ++count;
      EXPECT_NE(searched_beyond(s, *bound), Outcome::refuted) << s.first.name();
    }
  }
  EXPECT_GT(count, 0);
}

// All inputs of a design with few: some have nearly the derived error.
TEST(DerivedErrors, AreWithinAFactorOfFourOfRealErrors) {
  for (const std::string parameters :
       {"fraction_bits=3,round=rz", "fraction_bits=2,round=rne", "fraction_bits=4,floor=-3",
        "fraction_bits=3,align_round=rd", "fraction_bits=3,c_joins=late"}) {
    const Subject s = named("design:fused-dot-add(a=e2m1,c=e5m2,k=1," + parameters + ")");
    const auto bound = derived(s, 30);
    ASSERT_TRUE(bound) << parameters;
    EXPECT_NE(searched_beyond(s, *bound), Outcome::refuted) << parameters << ": " << *bound;
    EXPECT_EQ(searched_beyond(s, *bound / 4), Outcome::refuted) << parameters << ": " << *bound;
  }
}

TEST(DerivedErrors, ProveTheLeastBound) {
  const Subject s = named("design:fused-dot-add(a=e2m1,b=e3m2,c=f16,d=f16,k=4,fraction_bits=9)");
  const Tightest found =
      tightest(find_property("error-bound"), s, ProveOptions(), Portfolio("auto", Limits{20}));
  ASSERT_TRUE(found.proved && found.refuted);
  EXPECT_LT(*found.refuted, *found.proved);
  EXPECT_EQ(found.proof.justification.kind, Justification::Kind::derivation);
  EXPECT_NE(searched_beyond(s, *found.proved), Outcome::refuted);
}

// Hardly larger than the bound of the analysis written for each algorithm.
TEST(DerivedErrors, AreHardlyLargerThanTheAnalysisOfRealDesigns) {
  const std::vector<std::string> names = {
      "hopper/wgmma.m64n8k32.f16.e4m3.e5m2", "ampere/mma.m16n8k8.f16.f16.f16.f16",
      "cdna3/v_mfma_f32_32x32x4_xf32", "rdna4/v_dot2_f32_f16", "arm/fmopa.f32.f16"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!is_selected(i, names.size())) continue;
    const std::string& name = names[i];
    const Subject s = named(name);
    const auto bound = derived(s, 120);
    const auto analysed = error_by_analysis(s.first);
    ASSERT_TRUE(bound && analysed) << name;
    EXPECT_LE(*bound, *analysed * Rational(9, 8)) << name;  // a step of the requested bounds
    EXPECT_NE(searched_beyond(s, *bound), Outcome::refuted) << name;
  }
}

TEST(DerivedErrors, CoverNewAlgorithms) {
  using namespace new_algorithms;
  const DotFormats eight{&formats::e2m1, &formats::e4m3, &formats::e5m2, &formats::e5m2, 8};
  for (const Rounding rounding : {Rounding::toward_zero, Rounding::nearest_even}) {
    for (const Algorithm& algorithm :
         {in_groups_of_four(6, rounding), truncating_tree(6, rounding, false)}) {
      const Subject s = of(algorithm, eight);
      EXPECT_FALSE(error_by_analysis(s.first));
      const auto bound = derived(s, 120);
      ASSERT_TRUE(bound) << algorithm.name();
      EXPECT_NE(searched_beyond(s, *bound), Outcome::refuted) << algorithm.name();
    }
  }
}

/// The first product and c, added and rounded to a pattern, to which the products from `next` on
/// are added.
Subject by_way_of_a_pattern(std::size_t next) {
  const DotFormats three{&formats::e2m1, &formats::e2m1, &formats::e5m2, &formats::e5m2, 3};
  return of(Custom{"by way of a pattern",
                   [=](const DotFormats& f, const DotOperands& in) {
                     const auto rounded = [&](Int sum, const UnpackedOperands& x) {
                       const Int d = round_and_pack({sum < 0, abs(sum), Int(-20)}, {f.d});
                       return with_special_values(special_case(x), *f.d, canonical_nan(*f.d), d);
                     };
                     const auto in_units = [&](const Term& t) {
                       return negate_if(
                           t.sign, shift_left(t.significand, t.exponent - t.fraction_bits + 20));
                     };
                     const UnpackedOperands x = unpack(f, in);
                     const auto product = [&](std::size_t k) {
                       return in_units(exact_product(*f.a, x.a[k], *f.b, x.b[k]));
                     };
                     const Int first = rounded(product(0) + in_units(as_term(*f.c, x.c)), x);
                     mark("intermediate pattern", first, MarkRole::pattern);
                     UnpackedOperands rest = x;
                     rest.c = unpack(*f.d, first);
                     Int sum = in_units(as_term(*f.d, rest.c));
                     for (std::size_t k = next; k < x.a.size(); ++k) sum = sum + product(k);
                     return rounded(sum, rest);
                   }},
            three);
}

// What holds for sums of one sign need not hold for the other: if the last places are cut for only
// one sign, an input shows it.
TEST(DerivedErrors, CoverSumsOfBothSigns) {
  using namespace new_algorithms;
  const DotFormats one{&formats::e2m1, &formats::e2m1, &formats::e4m3, &formats::e4m3, 1};
  const auto as_it_is = [](Int magnitude) { return magnitude; };
  const auto cut = [](Int magnitude) { return shift_left(floor_shift_right(magnitude, 5), 5); };
  for (const bool below_zero : {false, true}) {
    const auto bound = derived(of(spoiled_on_one_side(6, below_zero, as_it_is), one), 60);
    ASSERT_TRUE(bound);
    const Subject spoiled = of(spoiled_on_one_side(6, below_zero, cut), one);
    EXPECT_EQ(searched_beyond(spoiled, *bound), Outcome::refuted) << below_zero;
    for (const std::size_t samples : {1000U, 4U, 1U}) {  // few samples do not show the cut
      if (const auto of_spoiled = derived(spoiled, 60, samples)) {
        EXPECT_GT(*of_spoiled, *bound) << below_zero;
        EXPECT_NE(searched_beyond(spoiled, *of_spoiled), Outcome::refuted) << below_zero;
      }
    }
  }
}

TEST(DerivedErrors, CountEachTermOnceOnEveryPath) {
  const auto bound = derived(by_way_of_a_pattern(1), 60);
  ASSERT_TRUE(bound);
  EXPECT_NE(searched_beyond(by_way_of_a_pattern(1), *bound), Outcome::refuted);
  EXPECT_FALSE(derived(by_way_of_a_pattern(0), 10));
  EXPECT_FALSE(derived(by_way_of_a_pattern(2), 10));
}

/// A sum of exact terms in units of 2^-20, rounded; `spoil` changes the terms or the marks.
template <typename Spoil>
Subject spoiled(const Spoil& spoil) {
  const DotFormats four{&formats::e2m1, &formats::e2m1, &formats::e5m2, &formats::e5m2, 4};
  return of(Custom{"spoiled",
                   [=](const DotFormats& f, const DotOperands& in) {
                     const UnpackedOperands x = unpack(f, in);
                     std::vector<Int> units;
                     const auto add = [&](const Term& t) {
                       units.push_back(negate_if(
                           t.sign, shift_left(t.significand, t.exponent - t.fraction_bits + 20)));
                     };
                     for (std::size_t k = 0; k < x.a.size(); ++k) {
                       add(exact_product(*f.a, x.a[k], *f.b, x.b[k]));
                     }
                     add(as_term(*f.c, x.c));
                     const Int sum = spoil(units);
                     const Int d = round_and_pack({sum < 0, abs(sum), Int(-20)}, {f.d});
                     return with_special_values(special_case(x), *f.d, canonical_nan(*f.d), d);
                   }},
            four);
}

TEST(DerivedErrors, CountAllTermsAndEachOnce) {
  EXPECT_TRUE(derived(spoiled([](const std::vector<Int>& units) { return total(units); }), 30));
  for (const int by : {-3, 3}) {
    const Subject shifted =
        spoiled([by](const std::vector<Int>& units) { return total(units) + by; });
    const auto bound = derived(shifted, 30);
    ASSERT_TRUE(bound) << by;
    EXPECT_NE(searched_beyond(shifted, *bound), Outcome::refuted) << by;
  }
  // A product is omitted, counts twice, or is replaced.
  EXPECT_FALSE(derived(spoiled([](std::vector<Int> units) {
                         units.pop_back();
                         return total(units);
                       }),
                       10));
  EXPECT_FALSE(derived(spoiled([](std::vector<Int> units) {
                         units.push_back(units[0]);
                         return total(units);
                       }),
                       10));
  EXPECT_FALSE(derived(spoiled([](std::vector<Int> units) {
                         units[0] = negate_if(units[1] > 5, units[0]);
                         return total(units);
                       }),
                       10));
  // A mark is false.
  EXPECT_FALSE(derived(spoiled([](const std::vector<Int>& units) {
                         const Int sum = total(units);
                         mark("sum", sum, Int(0), -19, MarkRole::sum);
                         return sum;
                       }),
                       10));
  // For one of all inputs the sum is different.
  EXPECT_FALSE(derived(spoiled([](const std::vector<Int>& units) {
                         const Int sum = total(units);
                         return select(units[0] == Integer(9) << 18, sum + (Integer(1) << 22), sum);
                       }),
                       10));
}

}  // namespace
}  // namespace mmaspec::error_bound_test
