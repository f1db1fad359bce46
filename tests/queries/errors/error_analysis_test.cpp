// The analysis of errors compared with results: no input of any design has a larger error, and some
// have nearly this error.

#include "queries/errors/error_analysis.h"

#include <gtest/gtest.h>

#include "queries/draw/samples.h"
#include "queries/numbers/where.h"
#include "queries/property/property.h"
#include "queries/prove/prove.h"
#include "queries/studies/table/table.h"
#include "queries/values/exact_result.h"
#include "tests/support/case_selection.h"
#include "tests/support/searched.h"

namespace mmaspec::error_analysis_test {
namespace {

/// The largest error of `count` random inputs.
Rational largest_error(const Instruction& instruction, int count) {
  const Counterexamples& property = counterexamples_of(find_property("error-bound"));
  const DotFormats& f = instruction.formats;
  DotModel model(instruction.algorithm, f);
  Sampler sampler(f, InputClass::finite, 1);
  Random random(1);
  Rational worst = 0;
  const Subject subject{instruction};
  for (int i = 0; i < count; ++i) {
    Candidate candidate{sampler.next()};
    property.bias_sample(subject, 0, candidate, random);
    if (const auto e = error_in_ulp(f, candidate.values, model.run(candidate.values))) {
      worst = std::max(worst, *e);
    }
  }
  return worst;
}

TEST(ErrorAnalysis, HoldsForEveryDesignOfTheCatalogue) {
  int known = 0;
  for (const TableRow& row : rows_by_design(catalogue())) {
    const auto bound = error_by_analysis(row.subject.first);
    if (!bound) continue;
    ++known;
    EXPECT_LE(largest_error(row.subject.first, 150), *bound) << row.names[0];
  }
  EXPECT_GT(known, 200);
}

// All inputs of small designs: the bound holds and is close to the largest error.
TEST(ErrorAnalysis, IsNearTheLargestErrorOfSmallDesigns) {
  std::size_t index = 0;
  for (const char* name :
       {"design:fused-dot-add(a=e2m1,c=e5m2,k=1,fraction_bits=3,round=rz)",
        "design:fused-dot-add(a=e2m1,c=e5m2,k=1,fraction_bits=2,round=rne)",
        "design:fused-dot-add(a=e2m1,c=e5m2,k=1,fraction_bits=4,floor=-3)",
        "design:round-down-dot-add(a=e2m1,c=e5m2,k=1,product_bits=3,sum_bits=2,c_bits=2,zero_"
        "exponent"
        "=-14)",
        "design:round-down-dot-add(a=e2m1,c=e5m2,k=1,product_bits=4,sum_bits=5,c_bits=3,c_reach=2,"
        "zero_terms=left-out)",
        "design:sequential-fma(a=e2m1,c=e5m2,k=1)",
        "design:group-pairwise-sum(a=e2m1,c=e5m2,k=1,group=1)",
        "design:group-pairwise-sum(a=e2m1,c=e5m2,k=1,group=1,flush_inputs=yes)",
        "design:sequential-fma(a=e2m1,c=e5m2,d=e5m2,k=1,flush_inputs=yes)",
        "design:sequential-fma(a=e2m1,c=e5m2,d=e5m2,k=1,round=rto)",
        "design:sequential-fma(a=e2m1,c=e5m2,d=e4m3,k=1,round=ru,kept_bits=1)",
        "design:floored-dot-add(a=e2m1,c=e5m2,k=1,group=1,product_bits=3,c_bits=5)",
        "design:floored-dot-add(a=e2m1,c=e5m2,d=e4m3,k=1,group=1,product_bits=2,c_bits=2)",
        "design:ones-complement-dot-add(a=e2m1,c=e5m2,k=1,product_bits=3,c_bits=4)",
        "design:ones-complement-dot-add(a=e2m1,c=e5m2,d=e5m2,k=1,product_bits=2,c_bits=2,"
        "zero_c_counts=yes)",
        "design:bulk-normalized-dot-add(a=e2m1,c=e5m2,d=e5m2,k=1,guard_bits=0)",
        "design:bulk-normalized-dot-add(a=e2m1,c=e5m2,d=e4m3,k=1,guard_bits=1,round=rne)"}) {
    if (!is_selected(index++, 2)) continue;
    const Instruction instruction = find_instruction(name);
    const DotFormats& f = instruction.formats;
    const auto bound = error_by_analysis(instruction);
    ASSERT_TRUE(bound) << name;
    DotModel model(instruction.algorithm, f);
    Rational worst = 0;
    for (int x = 0; x < 1 << 16; ++x) {
      const DotValues v{{x % 16}, {x / 16 % 16}, x / 256, {}, {}};
      if (const auto e = error_in_ulp(f, v, model.run(v))) worst = std::max(worst, *e);
    }
    EXPECT_LE(worst, *bound) << name;
    EXPECT_GT(worst * 16, *bound) << name;
  }
}

// Products of parts: all inputs of small designs, with one and several phases, alignment that
// rounds once or twice, zeros whose exponents exceed those of all terms, and Wormhole's
// normalisation.
TEST(ErrorAnalysis, HoldsForSumsOfPartialProducts) {
  for (const char* name : {"c=e5m2,phases=1,fraction_bits=3,aligned_bits=3",
                           "c=e5m2,phases=4,fraction_bits=2,aligned_bits=4",
                           "c=e5m2,phases=4,fraction_bits=4,aligned_bits=4,minus_one_wraps=yes",
                           "c=e5m2,phases=2,fraction_bits=26,aligned_bits=30,minus_one_wraps=yes",
                           "c=e5m2,d=e4m3,phases=3,fraction_bits=1,aligned_bits=2",
                           "c=e5m2,phases=4,fraction_bits=3,aligned_bits=5,round=rz"}) {
    // A zero of e2m1 counts a larger exponent than small terms have, one of e5m2 does not.
    for (const char* formats : {"a=e2m1,b=e2m1", "a=e5m2,b=e5m2"}) {
      const bool small = std::string(formats).starts_with("a=e2m1");
      const Instruction instruction =
          find_instruction("design:partial-product-dot-add(" + std::string(formats) +
                           ",k=1,group=1,a_bits=1,b_bits=2," + name + ")");
      const DotFormats& f = instruction.formats;
      const auto bound = error_by_analysis(instruction);
      const bool wraps = std::string(name).find("minus_one_wraps") != std::string::npos;
      ASSERT_EQ(bound.has_value(), !(small && wraps)) << instruction.name();
      if (!bound) continue;
      DotModel model(instruction.algorithm, f);
      const int values = 1 << f.a->storage_bits;
      for (int x = 0; x < values * values * 256; x += small ? 1 : 397) {
        const DotValues v{{x % values}, {x / values % values}, x / values / values, {}, {}};
        const auto e = error_in_ulp(f, v, model.run(v));
        ASSERT_TRUE(!e || *e <= *bound) << instruction.name() << " " << x;
      }
    }
  }
  // The result is not rounded as Tenstorrent's chips do.
  EXPECT_FALSE(error_by_analysis(find_instruction(
      "design:partial-product-dot-add(k=4,group=4,fraction_bits=23,underflow=gradual)")));
}

TEST(ErrorAnalysis, DeclinesUnknownSteps) {
  for (const char* name : {"design:round-down-dot-add(k=4,underflow=flush)",
                           "design:round-down-dot-add(k=4,product_bits=19)",
                           "design:fused-dot-add(k=4,fraction_bits=24,c_joins=late)",
                           "design:fused-dot-add(k=4,fraction_bits=24,align_round=rd)",
                           "design:fused-dot-add(k=4,fraction_bits=24,zero_terms=operands-count)",
                           "design:fused-dot-add(k=4,fraction_bits=24,product_overflow=128)"}) {
    EXPECT_FALSE(error_by_analysis(find_instruction(name))) << name;
  }
}

/// The outcome of search for a bound.
Outcome searched(const Instruction& instruction, const Rational& bound) {
  Subject subject{instruction};
  subject.parameter = bound;
  return searched("error-bound", subject, AllInputs::left_out, Strategies().search_work);
}

// A subnormal c of another format than d's, whose exponent is larger than that of its value.
TEST(ErrorAnalysis, CoversAccumulatorsOfOtherFormats) {
  const Instruction groups = find_instruction(
      "design:group-dot-fused-sum(a=e2m1,b=e2m1,c=f16,d=f32,k=32,group=32,scale=ue8m0,"
      "scale_block=32,fraction_bits=20)");
  // 2^-24 has the exponent of 2^-14, below which 20 bits are kept; 2.25 * 2^-36 is cut, which is
  // 0.5625 * 2^13 ulp.
  DotValues v{std::vector<Integer>(32, 0), std::vector<Integer>(32, 0), 1, {109}, {109}};
  v.a[0] = v.b[0] = 3;
  const DotModel model(groups.algorithm, groups.formats);
  EXPECT_EQ(error_in_ulp(groups.formats, v, model.run(v)), Rational(4608));
  EXPECT_GE(*error_by_analysis(groups), 4608);

  const Instruction down = find_instruction(
      "design:round-down-dot-add(a=bf16,b=bf16,c=f16,d=f32,k=4,product_bits=24,sum_bits=24,"
      "c_bits=24,zero_terms=left-out)");
  EXPECT_EQ(searched(down, 416), Outcome::refuted);
  EXPECT_GT(*error_by_analysis(down), 416);
}

// A product that is normalized has one bit more than F holds; with few kept bits, many levels of
// roundings may more than double a sum.
TEST(ErrorAnalysis, DeclinesDesignsThatViolateItsPremises) {
  for (const char* name :
       {"design:fused-dot-add(a=f16,k=2,fraction_bits=20,normalize_products=yes)",
        "design:group-pairwise-sum(a=e2m1,c=e5m2,d=e5m2,k=8,group=8,kept_bits=1)",
        "design:sequential-fma(a=e2m1,c=e5m2,k=2,overflow=saturate)",
        "design:pair-dot-add(a=e2m1,c=e5m2,k=2,overflow=directed)",
        "design:bulk-normalized-dot-add(a=e2m1,c=e5m2,d=f32,k=2,guard_bits=1,dot=pseudo-code)"}) {
    EXPECT_FALSE(error_by_analysis(find_instruction(name))) << name;
  }
  EXPECT_TRUE(error_by_analysis(
      find_instruction("design:fused-dot-add(a=f16,k=2,fraction_bits=21,normalize_products=yes)")));
}

// 17 terms with F = 25: at most 1/4 ulp of each of 16 is cut, and 2^5 rounded; with subnormal
// factors, 16 are cut at 2^8 ulp, or c alone at 2^18.
TEST(ErrorAnalysis, GivesTheSumOfTheStepsErrors) {
  const auto bound = error_by_analysis(find_instruction("hopper/mma.m16n8k16.f32.f16.f16.f32"));
  ASSERT_TRUE(bound);
  EXPECT_EQ(*bound, Rational((1 << 18) + 32));
  EXPECT_EQ(*error_by_analysis(find_instruction("hopper/mma.m16n8k16.f32.f16.f16.f32"),
                               ErrorOf::normal_factors),
            Rational(4 + 32));
}

// A condition that excludes subnormal factors gives the bound of normal ones.
TEST(ErrorAnalysis, TakesConditionsOnFactorsIntoAccount) {
  Subject subject{find_instruction("design:fused-dot-add(k=1,fraction_bits=24)")};
  subject.parameter = 3;
  const Portfolio nobody(std::vector<std::unique_ptr<Backend>>(), Limits{5});
  const auto outcome = [&](const std::vector<std::string>& conditions) {
    const Where where(conditions);
    ProveOptions options;
    options.where = [&](const DotFormats& f, const DotOperands& in, Int d) {
      return where.holds(f, in, d);
    };
    return prove(find_property("error-bound"), subject, options, nobody).outcome;
  };
  EXPECT_EQ(outcome({"normal(a[0])", "normal(b[*])"}), Outcome::proved);
  EXPECT_EQ(outcome({"normal(a[0])"}), Outcome::refuted);
  EXPECT_EQ(outcome({"normal(a[0]) || normal(b[0])"}), Outcome::refuted);
}

}  // namespace
}  // namespace mmaspec::error_analysis_test
