// Absolute error bounds compared with results: no input of random designs, chains and plans has a
// larger error, and constructed inputs of real instructions have nearly this error.
#include "queries/errors/range_error.h"

#include <gtest/gtest.h>

#include <random>

#include "concrete/dot/runner.h"
#include "queries/values/exact_result.h"
#include "queries/values/ordinals.h"
#include "tests/support/case_selection.h"
#include "tests/support/drawn_designs.h"

namespace mmaspec::range_error_test {
namespace {

using boost::multiprecision::abs;

Rational value_of(const Format& f, const Integer& pattern) {
  return abs(decode(f, pattern).value());
}

/// Finite operands of at most a random magnitude, often near it.
class OperandsBelow {
 public:
  OperandsBelow(const Format& f, std::mt19937& random, bool may_be_zero = false)
      : f_(&f), random_(&random), ordinals_(f) {
    most_ = ordinals_.largest_finite() <= 0
                ? 0
                : 1 + static_cast<std::int64_t>(
                          random() % static_cast<std::uint64_t>(ordinals_.largest_finite()));
    // Magnitudes near one, like most data.
    if (random() % 2 == 0) {
      const std::int64_t one =
          ordinals_.of(largest_at_most(f, Rational(1)).convert_to<std::uint64_t>());
      most_ = std::clamp<std::int64_t>(one + static_cast<std::int64_t>(random() % 5) - 2, 1,
                                       ordinals_.largest_finite());
    }
    // Or near the least normal number.
    if (random() % 3 == 0) {
      most_ = std::min(1 + static_cast<std::int64_t>(
                               random() % static_cast<std::uint64_t>(4 * ordinals_.binade())),
                       ordinals_.largest_finite());
    }
    if (may_be_zero && random() % 2 == 0) most_ = 0;
  }

  Rational bound() const { return value_of(*f_, Integer(ordinals_.pattern(most_))); }

  Integer next() {
    std::mt19937& random = *random_;
    const auto below = [&](std::int64_t n) {
      return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
    };
    std::int64_t x = below(most_ + 1);
    if (random() % 2 == 0) x = most_ - below(std::min<std::int64_t>(most_ + 1, 4));
    if (random() % 8 == 0) x = 0;
    const bool negative = one_sign_ ? false : random() % 2 == 0;
    // In some formats the pattern of -0 is NaN.
    const bool has_it = x > 0 || f_->specials != Specials::nan_minus_zero;
    if (negative && has_it && -1 - x >= ordinals_.least_finite()) x = -1 - x;
    return Integer(ordinals_.pattern(x));
  }
  void keep_to_one_sign() { one_sign_ = true; }

 private:
  const Format* f_;
  std::mt19937* random_;
  Ordinals ordinals_;
  std::int64_t most_ = 0;
  bool one_sign_ = false;
};

/// 1, or the largest number below it.
Rational largest_at_most_one(const Format& f) {
  return value_of(f, largest_at_most(f, Rational(1)));
}

/// The largest magnitude of finite patterns.
Rational largest(const Format& f, const std::vector<Integer>& patterns) {
  Rational most = 0;
  for (const Integer& p : patterns) most = std::max(most, Rational(abs(decode(f, p).value())));
  return most;
}

/// The range of one dot product's own operands, which are finite.
OperandRange range_of(const DotFormats& formats, const DotValues& values) {
  const auto terms = exact_terms(formats, values);
  OperandRange range{largest(*formats.a, values.a),
                     largest(*formats.b, values.b),
                     largest(*formats.c, {values.c}),
                     1,
                     1,
                     0};
  if (formats.scale != nullptr) {
    range.scale_a = largest(*formats.scale, values.scale_a);
    range.scale_b = largest(*formats.scale, values.scale_b);
  }
  // The last term is c.
  Rational sum = terms->back();
  range.magnitudes = abs(sum);
  range.partial_sums = abs(sum);
  range.non_negative = sum >= 0;
  range.non_positive = sum <= 0;
  for (std::size_t k = 0; k + 1 < terms->size(); ++k) {
    const Rational& product = (*terms)[k];
    sum += product;
    range.product = std::max(range.product, Rational(abs(product)));
    *range.magnitudes += abs(product);
    range.non_negative = range.non_negative && product >= 0;
    range.non_positive = range.non_positive && product <= 0;
    range.partial_sums = std::max(*range.partial_sums, Rational(abs(sum)));
  }
  return range;
}

struct Found {
  bool known = false;
  ErrorInterval bound;
  Rational below = 0;  ///< the largest errors of each sign
  Rational above = 0;

  Rational worst() const { return std::max(below, above); }
};

void expect_within_bound(const Found& found, const std::string& name) {
  EXPECT_LE(found.below, found.bound.below) << name;
  EXPECT_LE(found.above, found.bound.above) << name;
}

/// The bound for a random range, and the largest error of `count` random inputs in it.
Found attacked(const Instruction& instruction, std::mt19937& random, int count) {
  const DotFormats& f = instruction.formats;
  OperandsBelow a(*f.a, random);
  OperandsBelow b(*f.b, random);
  OperandsBelow c(*f.c, random, true);
  OperandRange range{a.bound(), b.bound(), c.bound(), 1, 1, a.bound() * b.bound()};
  std::optional<OperandsBelow> scale_a;
  std::optional<OperandsBelow> scale_b;
  if (f.scale != nullptr) {
    scale_a.emplace(*f.scale, random);
    scale_b.emplace(*f.scale, random);
    range.scale_a = scale_a->bound();
    range.scale_b = scale_b->bound();
    range.product *= range.scale_a * range.scale_b;
  }
  if (random() % 3 == 0) {
    a.keep_to_one_sign();
    b.keep_to_one_sign();
    c.keep_to_one_sign();
    // Scale factors of a plan may have either sign.
    if (scale_a && f.scale->has_sign) {
      scale_a->keep_to_one_sign();
      scale_b->keep_to_one_sign();
    }
    range.non_negative = true;
  }
  Found found;
  const auto bound = error_in_range(instruction, range);
  if (!bound) return found;
  found.known = true;
  found.bound = *bound;
  DotRunner runner(instruction.algorithm, f);
  for (int i = 0; i < count; ++i) {
    DotValues v;
    const bool equal = random() % 4 == 0;
    for (int k = 0; k < f.k; ++k) {
      v.a.push_back(equal && k > 0 ? v.a[0] : a.next());
      v.b.push_back(equal && k > 0 ? v.b[0] : b.next());
    }
    v.c = c.next();
    for (int s = 0; s < (f.scale == nullptr ? 0 : f.scales()); ++s) {
      v.scale_a.push_back(scale_a->next());
      v.scale_b.push_back(scale_b->next());
    }
    const Decoded d = decode(*f.d, runner.run(v));
    EXPECT_TRUE(d.is_finite()) << instruction.name();
    if (!d.is_finite()) return found;
    const Rational error = d.value() - *exact_dot(f, v);
    found.below = std::max(found.below, Rational(-error));
    found.above = std::max(found.above, error);
    // From this input's terms and partial sums.
    const auto own = error_in_range(instruction, range_of(f, v));
    EXPECT_TRUE(own) << instruction.name();
    if (!own) return found;
    EXPECT_TRUE(-own->below <= error && error <= own->above)
        << error << instruction.name() << " a = " << testing::PrintToString(v.a)
        << " b = " << testing::PrintToString(v.b) << " c = " << v.c;
  }
  return found;
}

TEST(RangeError, IsExceededByNoInputOfDrawnDesigns) {
  std::mt19937 random(7);
  DrawnDesigns designs(7);
  int known = 0;
  const int count = is_full_run() ? 4000 : 800;
  for (int i = 0; i < count; ++i) {
    const Instruction instruction =
        drawn(designs, i % 2 == 0 ? DrawnOf::vector_units : DrawnOf::matrix_units);
    const Found found = attacked(instruction, random, 60);
    known += found.known ? 1 : 0;
    expect_within_bound(found, instruction.name());
  }
  EXPECT_GT(known, count / 4);
}

TEST(RangeError, IsExceededByNoInputOfChains) {
  std::mt19937 random(8);
  DrawnDesigns designs(8);
  int known = 0;
  const int count = is_full_run() ? 1000 : 200;
  for (int i = 0; i < count; ++i) {
    const Instruction step =
        find_instruction(i % 2 == 0 ? designs.next() : designs.next_of_vector_units());
    if (!(*step.formats.c == *step.formats.d)) continue;
    const Instruction chain = chained(step, 32 * step.formats.k);
    const Found found = attacked(chain, random, 30);
    known += found.known ? 1 : 0;
    expect_within_bound(found, chain.name());
  }
  EXPECT_GT(known, count / 10);
}

// Blocks of fused multiply-adds with scale factors, for all roundings and with flushing.
TEST(RangeError, IsExceededByNoInputOfScaledChains) {
  std::mt19937 random(15);
  int known = 0;
  int tried = 0;
  for (const std::string formats : {"a=e4m3,b=e5m2,c=f32,d=f32", "a=e2m1,b=e2m3,c=f32,d=f32",
                                    "a=e5m2,b=e5m2,c=f16,d=f16", "a=e2m1,b=e2m1,c=f16,d=f32"}) {
    for (const std::string scale : {"ue8m0", "ue4m3"}) {
      for (const std::string rest : {"", ",round=rz", ",round=rd", ",round=ru,flush_inputs=yes",
                                     ",underflow=flush,flush_inputs=yes", ",kept_bits=6"}) {
        const std::string name = "design:sequential-fma(" + formats + ",k=8,scale=" + scale +
                                 ",scale_block=" + (tried / 20 % 2 == 0 ? "4" : "2") + rest + ")";
        const Instruction design = find_instruction(name);
        for (int i = 0; i < 20; ++i, ++tried) {
          const Found found = attacked(design, random, 40);
          known += found.known ? 1 : 0;
          expect_within_bound(found, name);
        }
      }
    }
  }
  EXPECT_GT(known, tried / 4);
}

TEST(RangeError, IsExceededByNoInputOfPlans) {
  std::mt19937 random(9);
  int known = 0;
  const std::string unit = "design:fused-dot-add(a=e4m3,b=e4m3,c=f32,d=f32,k=4,fraction_bits=";
  int plans = 0;
  for (const char* places : {"6)", "13)", "25)"}) {
    for (const std::string& name : std::vector<std::string>{
             "plan:split-k(" + unit + places + ",k=32,parts=4)",
             "plan:split-k(" + unit + places + ",k=32,parts=4,reduce=tree,c_joins=first)",
             "plan:split-k(" + unit + places + ",k=32,parts=4,reduce=atomic,order=5)",
             "plan:promote(" + unit + places + ",k=32,every=8)",
             "plan:epilogue(" + unit + places + ",k=16,out=bf16)",
             "plan:epilogue(" + unit + places + ",k=16,out=bf16,bias=after)",
             "plan:promote(" + unit + places + ",k=32,every=8,scales=yes)",
             "plan:convert(" + unit + places + ",k=8,a=f32,b=f16)",
             "plan:convert(" + unit + places + ",k=8,a=e4m3,b=bf16,round=rz)",
             "plan:permute(" + unit + places + ",k=32,block=2,ways=4)",
             "plan:permute(" + unit + places + ",k=32,block=4,order=reversed)",
             "plan:rest-first(" + unit + places + ",k=27,tile=8)",
             "plan:split-k(" + unit + places + ",k=32,parts=8,reduce=tree,fan=3)",
             "plan:split-k(" + unit + places + ",k=32,parts=4,reduce=halves,partial=bf16)",
             "plan:promote(" + unit + places + ",k=32,every=8,scales=yes,fma=no)",
             "plan:epilogue(plan:promote(" + unit + places + ",k=32,every=8),k=64,out=f16)"}) {
      const Instruction plan = find_instruction(name);
      for (int i = 0; i < 10; ++i) {
        const Found found = attacked(plan, random, 40);
        known += found.known ? 1 : 0;
        expect_within_bound(found, name);
      }
      plans += 10;
    }
  }
  EXPECT_GT(known, plans / 2);
}

TEST(RangeError, IsExceededByNoInputOfTheCatalogue) {
  std::mt19937 random(10);
  std::size_t known = 0;
  std::size_t index = 0;
  for (const Instruction& instruction : catalogue()) {
    if (!is_selected(index++, 4)) continue;
    const Found found = attacked(instruction, random, 25);
    known += found.known ? 1 : 0;
    expect_within_bound(found, instruction.name());
  }
  EXPECT_GT(known, index / 8);
}

// Words of f32 operands, with accumulators of all kinds.
TEST(RangeError, IsExceededByNoInputOfWords) {
  std::mt19937 random(12);
  int known = 0;
  int plans = 0;
  const std::string bf16 = "design:fused-dot-add(a=bf16,b=bf16,c=f32,d=f32,k=2,fraction_bits=";
  const std::string f16 = "design:fused-dot-add(a=f16,b=f16,c=f32,d=f32,k=2,fraction_bits=";
  const std::string fma = "design:sequential-fma(a=f16,b=f16,c=f32,d=f32,k=2)";
  for (const std::string& name : std::vector<std::string>{
           "plan:bf16x3(" + bf16 + "24),k=8)", "plan:bf16x6(" + bf16 + "25),k=4)",
           "plan:bf16x9(" + bf16 + "12),k=4)", "plan:markidis(" + f16 + "25),k=8)",
           "plan:ootomo(" + f16 + "24),k=8)", "plan:multiword(" + fma + ",k=4,words=3)",
           "plan:multiword(" + f16 + "24),k=4,words=2,theta=256)",
           "plan:multiword(" + fma + ",k=4,words=2,sums=weight,scale=11,theta=1)",
           "plan:multiword(" + f16 + "24),k=8,words=2,subnormals=no,lowest_first=no)"}) {
    const Instruction plan = find_instruction(name);
    for (int i = 0; i < 40; ++i, ++plans) {
      const Found found = attacked(plan, random, 25);
      known += found.known ? 1 : 0;
      expect_within_bound(found, name);
    }
  }
  EXPECT_GT(known, plans / 4);
}

// Slices and residues of f32 operands, with exact and other sums.
TEST(RangeError, IsExceededByNoInputOfSlices) {
  std::mt19937 random(13);
  int known = 0;
  int plans = 0;
  const std::string s8 = "hopper/mma.m16n8k32.s32.s8.s8.s32,k=32,of=f32";
  const std::string f16 = "hopper/mma.m16n8k16.f32.f16.f16.f32,k=16,of=f32";
  const std::string cut =
      "design:fused-dot-add(a=f16,b=f16,c=f32,d=f32,k=2,fraction_bits=6),k=4,of=f32";
  for (const std::string& name :
       {"plan:ozaki1(" + s8 + ",slices=3)", "plan:ozaki1(" + s8 + ",slices=2,reach=0)",
        "plan:ozaki1(" + f16 + ",slices=3,reach=4)", "plan:ozaki1(" + cut + ",slices=3)",
        "plan:ozaki2(" + s8 + ",moduli=5)"}) {
    const Instruction plan = find_instruction(name);
    for (int i = 0; i < 12; ++i, ++plans) {
      const Found found = attacked(plan, random, 12);
      known += found.known ? 1 : 0;
      expect_within_bound(found, name);
    }
  }
  EXPECT_GT(known, plans / 3);
}

// For sums that may be subnormal, the pseudo-code keeps other bits than those of the value.
TEST(RangeError, OfPseudoCodeHoldsForNormalSums) {
  std::mt19937 random(14);
  const Instruction f16 = find_instruction(
      "design:bulk-normalized-dot-add(a=f16,b=f16,c=f32,d=f32,k=4,guard_bits=2,dot=pseudo-code)");
  for (int i = 0; i < 40; ++i) {
    const Found found = attacked(f16, random, 40);
    EXPECT_TRUE(found.known);
    expect_within_bound(found, f16.name());
  }
  const Instruction bf16 = find_instruction(
      "design:bulk-normalized-dot-add(a=bf16,b=bf16,c=f32,d=f32,k=4,guard_bits=2,dot=pseudo-code)");
  EXPECT_FALSE(error_in_range(bf16, {1, 1, 0, 1, 1, 1}));
}

/// Products of parts of operands, and sums in which every pattern is a number, have no bound.
bool has_no_bound(const Instruction& i) {
  const auto* bulk = i.algorithm.as<BulkNormalizedDotAdd>();
  return i.algorithm.as<PartialProductDotAdd>() != nullptr ||
         (bulk != nullptr && bulk->numbers_alone);
}

// All steps of the catalogue's other units have a known bound.
TEST(RangeError, IsKnownForTheWholeCatalogue) {
  for (const Instruction& i : catalogue()) {
    const DotFormats& f = i.formats;
    // Numbers of a few bits, so that no step overflows.
    const auto one = [](const Format& x) {
      return x.is_integer() ? Rational(1) : largest_at_most_one(x);
    };
    OperandRange range{one(*f.a), one(*f.b), 0, 1, 1, one(*f.a) * one(*f.b)};
    EXPECT_EQ(error_in_range(i, range).has_value(), !has_no_bound(i)) << i.name();
  }
}

// With rounding toward zero and terms of one sign, errors have one sign.
TEST(RangeError, HasOneSignIfTheTermsHaveOneSign) {
  OperandRange range{1, 1, 0, 1, 1, 1};
  const Instruction hopper =
      find_instruction("plan:chain(hopper/mma.m16n8k16.f32.f16.f16.f32,k=256)");
  const auto both = error_in_range(hopper, range);
  EXPECT_EQ(both->below, both->above);
  range.non_negative = true;
  const auto below = error_in_range(hopper, range);
  EXPECT_EQ(below->above, 0);
  EXPECT_EQ(below->below, both->below);
  range.non_negative = false;
  range.non_positive = true;
  EXPECT_EQ(error_in_range(hopper, range)->below, 0);
}

// Rounded down, a tiny negative c becomes a whole unit.
TEST(RangeError, CoversASmallAccumulatorThatIsRoundedDown) {
  const Instruction design = find_instruction(
      "design:round-down-dot-add(a=bf16,b=f16,c=e5m2,d=e5m2,k=2,product_bits=3,sum_bits=16,c_bits="
      "2)");
  const DotValues v{{Integer(49024), Integer(0)}, {Integer(44535), Integer(0)}, 139, {}, {}};
  DotRunner runner(design.algorithm, design.formats);
  const Rational error = abs(
      Rational(decode(*design.formats.d, runner.run(v)).value() - *exact_dot(design.formats, v)));
  EXPECT_EQ(error, Rational(999) / 32768);
  EXPECT_LE(error, error_in_range(design, range_of(design.formats, v))->size());
}

// Alternating signs keep the partial sums small, and so the losses of steps; partial sums of a
// separately added part of K are at most twice as large.
TEST(RangeError, OfAnInputIsThatOfItsPartialSums) {
  const std::string chain = "plan:chain(hopper/mma.m16n8k16.f32.f16.f16.f32,k=256)";
  const std::string split = "plan:split-k(hopper/mma.m16n8k16.f32.f16.f16.f32,k=256,parts=2)";
  DotValues v;
  for (int k = 0; k < 256; ++k) v.a.emplace_back(k % 2 == 0 ? 0x3c00 : 0xbc00);
  v.b.assign(256, Integer(0x3c00));
  v.c = 0;
  for (const std::string& name : {chain, split}) {
    const Instruction unit = find_instruction(name);
    OperandRange range = range_of(unit.formats, v);
    EXPECT_EQ(range.magnitudes, Rational(256));
    EXPECT_EQ(range.partial_sums, Rational(1));
    const Rational own = error_in_range(unit, range)->size();
    range.partial_sums.reset();
    const Rational of_magnitudes = error_in_range(unit, range)->size();
    EXPECT_LT(own * 16, of_magnitudes) << name;
  }
}

// The sum 16 - 3 * 2^-10 + 3 * 2^-22 loses three quarters of a unit in the last place.
TEST(RangeError, IsNearTheErrorOfAConstructedInput) {
  const Instruction hopper = find_instruction("hopper/mma.m16n8k16.f32.f16.f16.f32");
  const OperandRange range{1, 1, 0, 1, 1, 1};
  const auto bound = error_in_range(hopper, range);
  ASSERT_TRUE(bound);
  DotValues v;
  v.a.assign(16, Integer(0x3c00));
  for (std::size_t k = 0; k < 3; ++k) v.a[k] = 0x3bff;  // 1 - 2^-11
  v.b = v.a;
  v.c = 0;
  DotRunner runner(hopper.algorithm, hopper.formats);
  const Rational error = abs(
      Rational(decode(*hopper.formats.d, runner.run(v)).value() - *exact_dot(hopper.formats, v)));
  EXPECT_LE(error, bound->size());
  EXPECT_GE(error * 2, bound->size());
}

TEST(RangeError, CoversZerosThatCountALargeExponent) {
  std::mt19937 random(11);
  const Instruction design = find_instruction(
      "design:fused-dot-add(a=e2m1,b=e2m1,c=e5m2,d=f32,k=2,fraction_bits=4,zero_terms=operands-"
      "count,zero_exponent=5)");
  Rational worst = 0;
  for (int i = 0; i < 100; ++i) {
    const Found found = attacked(design, random, 40);
    expect_within_bound(found, design.name());
    worst = std::max(worst, found.worst());
  }
  EXPECT_GT(worst, 1);  // more than the products' own exponents explain
}

TEST(RangeError, DeclinesIfAStepMayOverflow) {
  const Instruction f16 = find_instruction("hopper/mma.m16n8k16.f16.f16.f16.f16");
  EXPECT_TRUE(error_in_range(f16, {1, 1, 0, 1, 1, 1}));
  EXPECT_FALSE(error_in_range(f16, {4096, 1, 0, 1, 1, 4096}));
  EXPECT_FALSE(error_in_range(f16, {1, 1, 60000, 1, 1, 1}));
}

}  // namespace
}  // namespace mmaspec::range_error_test
