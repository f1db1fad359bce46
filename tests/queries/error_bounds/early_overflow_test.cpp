// Derived proofs of no early overflow compared with inputs: with all of them if there are few, for
// parameters near the limits of the property.

#include "queries/error_bounds/early_overflow.h"

#include <gtest/gtest.h>

#include <random>

#include "concrete/dot/model.h"
#include "queries/prove/property_case.h"
#include "spec/formats/text.h"
#include "tests/queries/derive/subjects.h"
#include "tests/support/searched.h"

namespace mmaspec::early_overflow_test {
namespace {

bool is_derived(const Subject& s, double seconds) {
  const Portfolio solvers("auto", Limits{seconds});
  const ProveOptions options;
  std::vector<AttemptReport> attempts;
  PropertyCase c(find_property("no-early-overflow"), s, options, 0);
  return derive_no_early_overflow(c.claimed(), s.formats(), solvers, Deadline::in(seconds),
                                  attempts)
      .has_value();
}

TEST(EarlyOverflow, IsExcludedExactlyUpToItsLimit) {
  // 57344 and eight products of up to 784 in multiples of 2^-8, at an exponent of 15.
  const std::string sums = "design:fused-dot-add(a=e3m2,c=e5m2,d=e5m2,k=8,round=rne,fraction_bits=";
  EXPECT_TRUE(is_derived(named(sums + "24)"), 60));
  EXPECT_FALSE(is_derived(named(sums + "22)"), 60));
  // 57344 + 5 * 784 + 160 + 16 - 2^-8: half an ulp beyond the largest number, without the last
  // term.
  const DotValues values{
      {31, 31, 31, 31, 31, 29, 28, 33}, {31, 31, 31, 31, 31, 24, 12, 1}, 123, {}, {}};
  const auto is_infinite = [&](const std::string& bits) {
    const Instruction i = find_instruction(sums + bits);
    return decode(*i.formats.d, DotModel(i.algorithm, i.formats).run(values)).is_infinite;
  };
  EXPECT_FALSE(is_infinite("24)"));
  EXPECT_TRUE(is_infinite("22)"));
  const std::string shorter = "design:fused-dot-add(a=e3m2,c=e5m2,d=e4m3,k=2,fraction_bits=";
  EXPECT_FALSE(is_derived(named(shorter + "30)"), 60));  // e4m3 has no infinity
}

TEST(EarlyOverflow, ExclusionIsNeverContradictedByAWitness) {
  std::mt19937 random(41);
  const auto one_of = [&](const std::vector<std::string>& all) {
    return all[random() % all.size()];
  };
  int derived = 0;
  int refuted = 0;
  for (int i = 0; i < 24; ++i) {
    std::string name = "design:fused-dot-add(a=" + one_of({"e2m1", "e3m2", "e5m2"}) +
                       ",b=" + one_of({"e2m1", "e3m2"}) + ",c=e5m2,d=" + one_of({"e5m2", "f16"}) +
                       ",k=" + one_of({"1", "2"}) +
                       ",fraction_bits=" + one_of({"2", "8", "15", "16", "17", "18", "25"});
    name += one_of({"", ",floor=-3"});
    name += one_of({"", ",round=rne", ",round=ru", ",round=rd", ",round=rto"});
    name += one_of({"", ",align_round=rd"});
    name += one_of({"", ",c_joins=late"});
    name += one_of({"", ",overflow=saturate", ",overflow=directed"});
    name += one_of({"", "", ",product_overflow=8"}) + ")";
    const Subject s = named(name);
    const Outcome outcome = searched("no-early-overflow", s);
    refuted += outcome == Outcome::refuted ? 1 : 0;
    if (!is_derived(s, 3)) continue;
    ++derived;
    EXPECT_NE(outcome, Outcome::refuted) << name;
  }
  EXPECT_GT(derived, 3);
  EXPECT_GT(refuted, 3);
}

TEST(EarlyOverflow, IsExcludedForSixBitFactors) {
  EXPECT_TRUE(is_derived(named("blackwell/tcgen05.mma.m64n8k32.f16.e3m2.e3m2"), 60));
}

}  // namespace
}  // namespace mmaspec::early_overflow_test
