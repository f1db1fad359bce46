// Derivations from relations between nodes of two runs or of two designs, compared with all inputs
// and search, which share no reasoning with them: random designs, pairs of them, designs at the
// limits and one beyond, samples that mislead, and algorithms that only the tests define.

#include "queries/relations/relations.h"

#include <gtest/gtest.h>

#include <array>

#include "queries/prove/diff.h"
#include "queries/prove/property_case.h"
#include "queries/relations/maxima.h"
#include "tests/queries/derive/ieee_sums.h"
#include "tests/queries/derive/new_algorithms.h"
#include "tests/queries/derive/subjects.h"
#include "tests/support/case_selection.h"
#include "tests/support/drawn_designs.h"
#include "tests/support/searched.h"

namespace mmaspec::relations_test {
namespace {

const std::vector<std::string> kProperties = {"scale-invariant", "negation-symmetric"};

/// All cases are derived, or are one expression; with at most this many samples.
bool is_derived(const std::string& name, const Subject& s, double seconds,
                std::size_t samples = 1000) {
  const Property& property = find_property(name);
  const Portfolio solvers("auto", Limits{seconds});
  const ProveOptions options;
  std::vector<AttemptReport> attempts;
  for (int i = 0; i < property.cases(s); ++i) {
    PropertyCase c(property, s, options, i);
    if (c.is_one_expression()) continue;
    DerivationGoal claimed = c.claimed();
    if (claimed.samples.size() > samples) claimed.samples.resize(samples);
    if (!derive_by_relations(claimed, solvers, Deadline::in(seconds), attempts)) return false;
  }
  return true;
}

/// Are the two equal, without derivations?
std::optional<bool> equal(const Instruction& first, const Instruction& second,
                          const Portfolio& solvers) {
  DiffOptions how;
  how.strategies = Strategies::none();
  how.strategies.set(Strategy::enumerate, true);
  how.strategies.set(Strategy::search, true);
  how.shrink = how.vacuity = false;
  const DiffResult r = diff(first, second, how, solvers);
  if (r.verdict == Verdict::unknown) return std::nullopt;
  return r.verdict == Verdict::unsatisfiable;
}
std::optional<bool> equal_by_all_inputs(const Instruction& first, const Instruction& second) {
  return equal(first, second, no_solvers());
}
std::optional<bool> equal_by_solvers(const Instruction& first, const Instruction& second) {
  return equal(first, second, Portfolio("auto", Limits{60}));
}

/// The same by derivation only: true, or not concluded.
bool equal_by_derivation(const Instruction& first, const Instruction& second, double seconds) {
  DiffOptions how;
  how.strategies = Strategies::none();
  how.strategies.set(Strategy::derive, true);
  how.vacuity = false;
  const DiffResult r = diff(first, second, how, Portfolio("auto", Limits{seconds}));
  return r.verdict == Verdict::unsatisfiable &&
         r.justification.kind == Justification::Kind::derivation;
}

TEST(Relations, DeriveNothingFalseAboutSmallDesigns) {
  DrawnDesigns designs(11);
  int derived = 0;
  std::size_t refuted = 0;
  for (std::size_t i = 0; i < 7; ++i) {
    const Subject s = named(designs.next());
    for (const std::string& property : kProperties) {
      if (!find_property(property).says_nothing_because(s).empty()) continue;
      const Outcome outcome = searched(property, s);
      const bool skipped = outcome == Outcome::refuted && !is_selected(refuted++, 2);
      if (skipped || !is_selected(i, 3) || !is_derived(property, s, 4)) continue;
      ++derived;
      EXPECT_NE(outcome, Outcome::refuted) << property << " of " << s.first.name();
    }
  }
  EXPECT_GT(derived, 0);
  EXPECT_GT(refuted, 2U);
}

TEST(Relations, DeriveNothingFalseAboutIeeeDesigns) {
  std::mt19937 random(13);
  int derived = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const Subject s = named(drawn_ieee_design(random));
    if (!is_selected(i, 2)) continue;
    for (const std::string& property : kProperties) {
      if (!find_property(property).says_nothing_because(s).empty()) continue;
      if (!is_derived(property, s, 4)) continue;
      ++derived;
      EXPECT_NE(searched(property, s), Outcome::refuted) << property << " of " << s.first.name();
    }
  }
  EXPECT_GT(derived, 0);
}

// More suggestions are wrong; no proof is.
TEST(Relations, AreNotMisledBySamples) {
  DrawnDesigns designs(12);
  int derived = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    const Subject s = named(designs.next());
    if (!is_selected(i, 3)) continue;
    for (const std::string& property : kProperties) {
      if (!find_property(property).says_nothing_because(s).empty()) continue;
      if (!is_derived(property, s, 6, 2)) continue;
      ++derived;
      EXPECT_NE(searched(property, s), Outcome::refuted) << property << " of " << s.first.name();
    }
  }
  EXPECT_GT(derived, 0);
}

/// Pairs of designs with few inputs.
struct Pairs {
  double seconds = 1;
  int derived = 0;  ///< to be equal
  int differ = 0;

  /// If they are derived to be equal, all inputs must agree.
  void compare(const Instruction& x, const Instruction& y) {
    const auto equal = equal_by_all_inputs(x, y);
    ASSERT_TRUE(equal) << x.name() << " and " << y.name();
    // An attempt to derive a false equality uses its whole time limit: a quick run makes half of
    // them.
    if (!*equal && !is_selected(static_cast<std::size_t>(differ++), 2)) return;
    if (!equal_by_derivation(x, y, seconds)) return;
    ++derived;
    EXPECT_TRUE(*equal) << x.name() << " and " << y.name();
  }
};

TEST(Relations, DeriveEqualityOfNoPairThatDiffers) {
  // Formats that represent the same numbers differently, and parameters that matter for few inputs.
  const std::vector<std::string> parameters = {"fraction_bits=8", "fraction_bits=9",
                                               "fraction_bits=3", "fraction_bits=8,floor=-6",
                                               "fraction_bits=8,block=1"};
  Pairs pairs;
  for (const std::string b : {"e2m1", "e3m2"}) {
    const auto design = [&](const std::string& with, const std::string& p) {
      return find_instruction("design:fused-dot-add(k=2,a=e2m1,b=" + with + ",c=e5m2,d=e5m2," + p +
                              ")");
    };
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      if (!is_selected(i, 2)) continue;
      for (std::size_t j = i; j < parameters.size(); ++j) {
        const Instruction x = design("e2m1", parameters[i]);
        const Instruction y = design(b, parameters[j]);
        pairs.compare(x, y);
      }
    }
  }
  EXPECT_GT(pairs.derived, 0);
  EXPECT_GT(pairs.differ, 5);
}

// If zeros count, largest exponents differ by as much as possible for some inputs, with or without
// an effect on cut bits.
TEST(Relations, DeriveEqualityOfNoPairThatDiffersInItsZeros) {
  std::vector<Instruction> designs;
  for (const std::string bits : {"3", "9"}) {
    for (const std::string floor : {"none", "-6", "-1"}) {
      for (const std::string zeros :
           {"left-out", "operands-count,zero_exponent=-1", "operands-count,zero_exponent=-7",
            "operands-count,zero_exponent=-100"}) {
        designs.push_back(find_instruction(
            "design:fused-dot-add(k=2,a=e2m1,b=e2m1,c=e5m2,d=e5m2,fraction_bits=" + bits +
            ",floor=" + floor + ",zero_terms=" + zeros + ")"));
      }
    }
  }
  std::mt19937 random(5);
  Pairs pairs;
  for (int i = 0; i < 30; ++i) {
    const Instruction& x = designs[random() % designs.size()];
    const Instruction& y = designs[random() % designs.size()];
    pairs.compare(x, y);
  }
  EXPECT_GT(pairs.derived, 3);
  EXPECT_GT(pairs.differ, 3);
}

// Zero operands count, with -126 plus the other operand's exponent, or they do not: when this
// matters, no bits of f16 numbers are cut.
TEST(Relations, DeriveEqualityOfDesignsWhoseZerosCount) {
  const std::vector<std::pair<std::string, std::string>> pairs = {
      {"hopper/wgmma.m64n8k32.f16.e5m2.e5m2", "hopper/wgmma.m64n8k32.f16.e5m2.e5m2@mma-sim"},
      {"blackwell/tcgen05.mma.m64n8k32.f16.e2m1.e2m3@mma-sim",
       "blackwell/tcgen05.mma.m64n8k32.f16.e2m1.e2m1"}};
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (!is_selected(i, pairs.size())) continue;
    const auto& [first, second] = pairs[i];
    EXPECT_TRUE(equal_by_derivation(find_instruction(first), find_instruction(second), 120))
        << first << " and " << second;
  }
}

// Subnormal numbers of one format are normal in the other, so that exponents differ. When they do,
// nothing of these products and of an f16 number is cut, but an f32 number is cut.
TEST(Relations, DeriveEqualityOfFormatsWithOtherExponents) {
  const auto design = [](const std::string& format, const std::string& k) {
    return find_instruction("design:fused-dot-add(k=" + k + ",a=" + format + ",b=" + format +
                            ",c=f32,d=f32,fraction_bits=25,floor=-133)");
  };
  EXPECT_TRUE(equal_by_derivation(design("e2m3", "8"), design("e2m1", "8"), 60));
  EXPECT_TRUE(equal_by_derivation(find_instruction("blackwell/tcgen05.mma.m64n8k32.f16.e2m3.e4m3"),
                                  find_instruction("blackwell/tcgen05.mma.m64n8k32.f16.e2m1.e5m2"),
                                  120));
  if (is_full_run()) {
    EXPECT_FALSE(equal_by_derivation(design("e2m1", "2"), design("e3m2", "2"), 20));
  }
  EXPECT_EQ(equal_by_all_inputs(design("e2m1", "2"), design("e3m2", "2")), false);
}

// Each exponent is the larger one for some products, or zeros have a far lower exponent in one of
// them: the same bits of products are cut with a guard bit, and others without.
TEST(Relations, DeriveEqualityOfFormatsWithExponentsThatDifferEitherWay) {
  const auto design = [](const std::string& a, const std::string& b, const char* guard_bits) {
    return find_instruction("design:bulk-normalized-dot-add(k=2,a=" + a + ",b=" + b +
                            ",c=e4m3,d=e4m3,guard_bits=" + guard_bits + ")");
  };
  const std::vector<std::array<std::string, 4>> factors = {{"e2m1", "e3m2", "e3m2", "e2m1"},
                                                           {"bf16", "bf16", "e2m1", "e2m1"}};
  for (std::size_t i = 0; i < factors.size(); ++i) {
    const auto& [a, b, of_a, of_b] = factors[i];
    if (is_selected(i, 2)) {
      EXPECT_TRUE(equal_by_derivation(design(a, b, "1"), design(of_a, of_b, "1"), 150)) << a;
      EXPECT_EQ(equal_by_solvers(design(a, b, "1"), design(of_a, of_b, "1")), true) << a;
    }
    if (is_selected(i + 1, 2)) {
      EXPECT_FALSE(equal_by_derivation(design(a, b, "0"), design(of_a, of_b, "0"), 5)) << a;
      EXPECT_EQ(equal_by_solvers(design(a, b, "0"), design(of_a, of_b, "0")), false) << a;
    }
  }
}

// A zero has another exponent in the other format and has no effect: exponents are equal except for
// zeros, significands except for their number of places.
TEST(Relations, DeriveEqualityOfFusedStepsOfOtherFormats) {
  const auto design = [](const std::string& format, const std::string& k) {
    return find_instruction("design:sequential-fma(k=" + k + ",a=" + format + ",b=" + format +
                            ",c=f32,d=f32)");
  };
  const std::vector<std::pair<Instruction, Instruction>> pairs = {
      {design("f16", "4"), design("bf16", "4")},
      {design("bf16", "2"), design("e4m3fnuz", "4")},
      {find_instruction("arm/fmopa.f32.f16"), find_instruction("arm/bfdot@ebf")}};
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (!is_selected(i, pairs.size())) continue;
    const auto& [first, second] = pairs[i];
    EXPECT_TRUE(equal_by_derivation(first, second, 60)) << first.name() << second.name();
  }
}

// The same for small designs, in pairs that round, flush and treat zeros differently: all inputs
// decide.
TEST(Relations, DeriveEqualityOfNoFusedStepsThatDiffer) {
  const std::vector<std::string> parameters = {"", ",round=rz", ",underflow=flush",
                                               ",flush_inputs=yes", ",overflow=saturate"};
  const auto design = [](const std::string& formats, const std::string& with) {
    return find_instruction("design:sequential-fma(k=1," + formats + ",c=e4m3,d=e4m3" + with + ")");
  };
  Pairs pairs{5};
  for (const std::string& p : parameters) {
    for (const std::string& q : {p, parameters.front()}) {
      pairs.compare(design("a=e3m2,b=e2m1", p), design("a=e2m1,b=e2m1", q));
      pairs.compare(design("a=e2m1,b=e2m1", p), design("a=e2m1,b=e5m2", q));
    }
  }
  EXPECT_GT(pairs.derived, 3);
  EXPECT_GT(pairs.differ, 3);
}

// Exponents are equal except for zeros, and the exponent of a zero has an effect.
TEST(Relations, DeriveNoEqualityIfTheExponentOfAZeroCounts) {
  Pairs pairs{10};
  for (const int limit : {-100, -1, 0}) {
    const auto text = [&](const Format& a) {
      return of(new_algorithms::exponent_of_zero_counts(6, limit),
                DotFormats{&a, &formats::e2m1, &formats::e2m1, &formats::e4m3, 1})
          .first;
    };
    pairs.compare(text(formats::e3m2), text(formats::e2m1));
  }
  EXPECT_EQ(pairs.derived, 1);
  EXPECT_EQ(pairs.differ, 2);
}

// A wider format keeps more bits of a sum than a narrower one, which keeps them rounded to odd.
TEST(Relations, DeriveEqualityOfSumsRoundedToOdd) {
  const auto design = [](const std::string& format) {
    return find_instruction("design:sequential-fma(k=2,a=" + format + ",b=" + format +
                            ",c=f32,d=f32)");
  };
  // The finer sum in either run.
  const std::vector<std::pair<std::string, std::string>> pairs = {
      {"f32", "bf16"}, {"bf16", "f32"}, {"f32", "f16"}, {"f16", "f32"}, {"f32", "e5m2"}};
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (!is_selected(i, pairs.size())) continue;
    const auto& [first, second] = pairs[i];
    EXPECT_TRUE(equal_by_derivation(design(first), design(second), 150)) << first << second;
  }
}

// With fewer and fewer bits a result changes: all inputs decide.
TEST(Relations, DeriveEqualityOfNoSumsRoundedTooSoon) {
  constexpr int kFine = 14;
  const DotFormats small{&formats::e2m1, &formats::e2m1, &formats::e4m3, &formats::e4m3, 1};
  const auto text = [&](int places) {
    return of(new_algorithms::sum_rounded_to_odd(places), small).first;
  };
  Pairs pairs{10};
  for (int places = 2; places <= 9; ++places) {
    pairs.compare(text(kFine), text(places));
    pairs.compare(text(places), text(kFine));
  }
  EXPECT_GT(pairs.derived, 5);
  EXPECT_GT(pairs.differ, 3);
}

// Sums of products that are never negative saturate equally in groups of any size; others do not.
TEST(Relations, DeriveEqualityOfSaturatingSums) {
  const auto design = [](const std::string& a, const std::string& b, int group, int k = 8) {
    return find_instruction("design:integer-dot-add(k=" + std::to_string(k) + ",a=" + a +
                            ",b=" + b +
                            ",c=s32,d=s32,overflow=saturate,group=" + std::to_string(group) + ")");
  };
  const std::vector<std::pair<Instruction, Instruction>> alike = {
      {design("u8", "u8", 4), design("u8", "u8", 8)},
      {design("u8", "u8", 1), design("u8", "u8", 8)},
      {design("s4", "s4", 1, 4), design("u4", "u4", 2, 4)}};
  for (std::size_t i = 0; i < alike.size(); ++i) {
    if (!is_selected(i, alike.size())) continue;
    const auto& [first, second] = alike[i];
    EXPECT_TRUE(equal_by_derivation(first, second, 60)) << first.name() << second.name();
  }
  const std::vector<std::pair<std::string, std::string>> others = {{"s4", "s4"}, {"u4", "s4"}};
  for (std::size_t i = 0; i < others.size(); ++i) {
    if (!is_selected(i, others.size())) continue;
    const auto& [a, b] = others[i];
    EXPECT_FALSE(equal_by_derivation(design(a, b, 4), design(a, b, 8), 5)) << a;
  }
}

// Chains whose intermediate results are doubled, negated, or equal.
TEST(Relations, DeriveChains) {
  const std::string chain = "design:fused-dot-add(a=f16,b=f16,c=f32,d=f32,k=8,block=4,";
  for (std::size_t i = 0; i < kProperties.size(); ++i) {
    if (!is_selected(i, kProperties.size())) continue;
    EXPECT_TRUE(is_derived(kProperties[i], named(chain + "fraction_bits=24)"), 120));
  }
  // An intermediate result is rounded although its double is not.
  const Subject cut = named("ampere/mma.m16n8k16.f16.f16.f16.f16");
  EXPECT_EQ(searched("scale-invariant", cut, AllInputs::left_out, 1'000'000'000), Outcome::refuted);
  EXPECT_FALSE(is_derived("scale-invariant", cut, 5));
}

// Samples suggest that the second half's terms are shifted to the right, which is false.
TEST(Relations, DeriveScaleInvarianceOfBothHalves) {
  EXPECT_TRUE(is_derived("scale-invariant",
                         named("design:split-fp8(a=e4m3,b=e4m3,c=f32,d=f32,k=4,halves=chained,"
                               "fraction_bits=25,floor=-133)"),
                         120));
}

TEST(Relations, DerivePropertiesOfNewAlgorithms) {
  using namespace new_algorithms;
  const DotFormats eight{&formats::e2m1, &formats::e4m3, &formats::e5m2, &formats::e5m2, 8};
  const Rounding rz = Rounding::toward_zero;
  for (std::size_t i = 0; i < kProperties.size(); ++i) {
    if (!is_selected(i, kProperties.size())) continue;
    const std::string& property = kProperties[i];
    const Subject groups = of(in_groups_of_four(3, rz), eight);
    EXPECT_FALSE(find_property(property).holds_because(groups));
    EXPECT_TRUE(is_derived(property, groups, 60)) << property;
    EXPECT_NE(searched(property, groups), Outcome::refuted) << property;
  }
}

/// Maxima of three members, functions of three bits each, in one graph.
struct Maxima {
  Graph graph;
  NodeId x = 0;
  NodeId y = 0;
  std::vector<InputValues> all;  ///< inputs

  using Member = Int (*)(Int i);
  Maxima(Member of_x, Member of_y) {
    const Graph::Building building(graph);
    std::vector<Int> xs;
    std::vector<Int> ys;
    for (const char* name : {"i", "j", "k"}) {
      const Int i = input(name, 3);
      xs.push_back(of_x(i));
      ys.push_back(of_y(i));
    }
    x = max(xs).id();
    y = max(ys).id();
    for (int i = 0; i < 512; ++i) all.push_back({i % 8, i / 8 % 8, i / 64});
  }

  /// By all inputs, instead of solvers.
  IsExcluded by_all() const {
    return [this](const std::string&, Bool violated) {
      const SimulationSignatures values(graph, {violated.id()}, all);
      const auto& of = values.values(violated.id());
      return std::all_of(of.begin(), of.end(), [](const Integer& v) { return v == 0; });
    };
  }

  /// From a few samples; conclusions hold for all inputs.
  std::optional<RelationalInvariant> bound(int farthest, Zeros zeros = Zeros::members) {
    const Graph::Building building(graph);
    const SimulationSignatures sampled(graph, {x, y}, {all[0], all[512 / 8 + 9], all[511]});
    const auto r = bound_by_members(y, x, zeros, farthest, sampled, by_all());
    EXPECT_TRUE(!r || by_all()("", !holds(*r, formats::f32)));
    return r;
  }

  std::optional<Range> range_of_y(const InputValues& sample) {
    const Graph::Building building(graph);
    return range_by_members(y, SimulationSignatures(graph, {y}, {sample}), by_all());
  }
};

TEST(Relations, BoundMaximaByTheirMembers) {
  Maxima falls([](Int i) { return i; }, [](Int i) { return select(i < 3, max(i - 2, 0), i); });
  const auto r = falls.bound(40);
  ASSERT_TRUE(r);
  EXPECT_EQ(r->kind, RelationalInvariant::Kind::bounded_difference);
  EXPECT_EQ(r->fall.constant, 0);
  EXPECT_EQ(r->fall.usual, 0U);
  EXPECT_GE(r->fall.most, 2U);
  ASSERT_TRUE(r->fall.below);
  EXPECT_GE(*r->fall.below, 2);
  EXPECT_LT(*r->fall.below, 7);
  EXPECT_FALSE(falls.bound(1));
}

TEST(Relations, BoundMaximaThatDifferEitherWayIfTheyAreSmall) {
  Maxima apart([](Int i) { return i; },
               [](Int i) { return select(i < 2, i + 2, select(i < 4, i - 1, i + 1)); });
  const auto r = apart.bound(40);
  ASSERT_TRUE(r);
  EXPECT_EQ(r->fall.constant, 2);
  EXPECT_GE(r->fall.most, 3U);
  EXPECT_EQ(r->fall.usual, 1U);
  ASSERT_TRUE(r->fall.below);
  EXPECT_GE(*r->fall.below, 3);
  EXPECT_LT(*r->fall.below, 7);
}

TEST(Relations, BoundMaximaOfWhichOnlyOneIsLarge) {
  Maxima high([](Int i) { return i; }, [](Int i) { return select(i == 0, 5, i); });
  const auto r = high.bound(40);
  ASSERT_TRUE(r);
  ASSERT_TRUE(r->fall.below);
  EXPECT_GE(*r->fall.below, 5);
}

TEST(Relations, BoundMaximaExceptForZerosFarBelow) {
  Maxima far([](Int i) { return select(i == 0, -100, i); },
             [](Int i) { return select(i < 3, max(i, 1), i); });
  EXPECT_FALSE(far.bound(40));
  const auto r = far.bound(40, Zeros::far_below);
  ASSERT_TRUE(r);
  EXPECT_TRUE(r->fall.least);
  EXPECT_LE(r->fall.most, 3U);
}

TEST(Relations, KnowMaximaThatNoMemberReaches) {
  Maxima low([](Int i) { return i; }, [](Int i) { return select(i > 5, 0, i); });
  for (int i : {4, 5}) {
    const auto range = low.range_of_y({i, i, i});
    ASSERT_TRUE(range);
    EXPECT_GE(range->high, 5);
    EXPECT_LT(range->high, 7);
  }
  EXPECT_FALSE(low.range_of_y({7, 7, 7}));
  Maxima full([](Int i) { return i; }, [](Int i) { return i; });
  EXPECT_FALSE(full.range_of_y({0, 0, 0}));
}

}  // namespace
}  // namespace mmaspec::relations_test
