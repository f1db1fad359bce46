// Block scale factors: each product has those of its own index, for any lengths of steps and scale
// blocks, and all parts have an effect: exponent, significand, zero, NaN.

#include <gtest/gtest.h>

#include <algorithm>

#include "concrete/dot/model.h"
#include "spec/catalog/instruction.h"
#include "spec/formats/text.h"
#include "tests/support/numeric_fused_dot_add.h"

namespace mmaspec::scale_factors_test {
namespace {

using numeric::Kind;
using numeric::Meaning;
using numeric::Rational;

Integer run(const std::string& design, const std::vector<std::string>& a,
            const std::vector<std::string>& sa) {
  const Instruction i = find_instruction("design:" + design);
  const DotFormats& f = i.formats;
  const auto all = [](const Format& format, const std::vector<std::string>& texts, int count) {
    std::vector<Integer> patterns;
    for (int k = 0; k < count; ++k) {
      const auto index = static_cast<std::size_t>(k);
      patterns.push_back(parse_pattern_of(format, index < texts.size() ? texts[index] : "1"));
    }
    return patterns;
  };
  const DotValues v{all(*f.a, a, f.k), all(*f.b, {}, f.k), 0, all(*f.scale, sa, f.scales()),
                    all(*f.scale, {}, f.scales())};
  return DotModel(i.algorithm, f).run(v);
}

std::string text(const std::string& design, const std::vector<std::string>& a,
                 const std::vector<std::string>& sa) {
  return to_decimal(*find_instruction("design:" + design).formats.d, run(design, a, sa));
}

TEST(ScaleFactors, BlocksNeedNotAlignWithSteps) {
  const std::string ones = "(a=e5m2,b=e5m2,c=f32,d=f32,scale=ue8m0,scale_block=4";
  for (const char* rest : {",k=12,block=12", ",k=12,block=6", ",k=12,block=4", ",k=12,block=3",
                           ",k=12,block=2", ",k=12,block=1"}) {
    EXPECT_EQ(text("fused-dot-add" + ones + rest + ",fraction_bits=25)", {}, {"1", "2", "4"}), "28")
        << rest;
    EXPECT_EQ(text("exact-dot-add" + ones + rest + ")", {}, {"1", "2", "4"}), "28") << rest;
  }
  EXPECT_EQ(text("fused-dot-add" + ones + ",k=8,block=2,fraction_bits=25)", {}, {"1", "2"}), "12");
  EXPECT_EQ(text("exact-dot-add" + ones + ",k=8,block=2)", {}, {"1", "2"}), "12");
}

TEST(ScaleFactors, MultiplyWithTheirSignificands) {
  const std::string formats = "(a=e4m3,b=e4m3,c=f32,d=f32,k=1,scale=ue4m3,scale_block=1";
  for (const std::string& design :
       {"fused-dot-add" + formats + ",fraction_bits=25)", "exact-dot-add" + formats + ")",
        "group-dot-fused-sum" + formats + ")"}) {
    EXPECT_EQ(text(design, {}, {"1.5"}), "1.5") << design;
    EXPECT_EQ(text(design, {"3"}, {"0x1p-9"}), "0.005859375") << design;  // a subnormal scale
                                                                          // factor
    EXPECT_EQ(text(design, {}, {"0"}), "0") << design;
    EXPECT_EQ(text(design, {}, {"nan"}), "nan") << design;
  }
}

// Infinity times zero is NaN, whether the zero is an operand or a scale factor.
TEST(ScaleFactors, ThatAreZeroMakeNanOfInfinities) {
  const std::string formats = "(a=e5m2,b=e5m2,c=f32,d=f32,k=4,scale=ue4m3,scale_block=2";
  for (const std::string& design :
       {"fused-dot-add" + formats + ",fraction_bits=25,block=1)", "exact-dot-add" + formats + ")",
        "group-dot-fused-sum" + formats + ",group=2)"}) {
    EXPECT_EQ(text(design, {"1", "1", "inf"}, {"1", "0"}), "nan") << design;
    EXPECT_EQ(text(design, {"1", "1", "-inf"}, {"0", "1"}), "-inf") << design;
  }
}

// MMA-Sim's code of January 2026 gives every number that is zero the exponent -126, also scale
// factors.
TEST(ScaleFactors, OfZeroBehaveLikeZeroOperands) {
  const Instruction fp4 =
      find_instruction("blackwell/tcgen05.mma.block_scale.m128n8k64.block16.f32.e2m1.e2m1.ue4m3");
  const Instruction mma_sim = find_instruction(fp4.name() + "@mma-sim-2025");
  DotValues v{std::vector<Integer>(64, 0),
              std::vector<Integer>(64, 0),
              0,
              {0, 0, 0, 0},
              {0x38, 0x38, 0x38, 0x38}};
  v.c = 0x03123457;  // 0x1.2468aep-121
  // -126 + 0: no bits of c are cut; with an exponent of -6 some would be.
  EXPECT_EQ(DotModel(mma_sim.algorithm, fp4.formats).run(v), 0x03123457);
  v.scale_a[1] = 0x38;  // a group of zeros with exponent 0
  EXPECT_EQ(DotModel(mma_sim.algorithm, fp4.formats).run(v), 0);
  EXPECT_EQ(DotModel(fp4.algorithm, fp4.formats).run(v), 0x03123457);
}

// MMA-Sim 2.1.1: a group whose products cancel counts its scale factors' exponent, a group of zeros
// does not; and the largest exponent is at least -139.
TEST(ScaleFactors, OfCancelledGroupsCountInOneModel) {
  const Instruction fp4 =
      find_instruction("rtx-blackwell/mma.block_scale.m16n8k64.block16.f32.e2m1.e2m1.f32.ue8m0");
  const Instruction mma_sim = find_instruction(fp4.name() + "@mma-sim");
  DotValues v{std::vector<Integer>(64, 0), std::vector<Integer>(64, 0),
              0x3f800001,  // 1 + 2^-23
              std::vector<Integer>(4, 127), std::vector<Integer>(4, 127)};
  v.scale_a[1] = 127 + 60;
  const auto results = [&] {
    return std::pair{DotModel(fp4.algorithm, fp4.formats).run(v),
                     DotModel(mma_sim.algorithm, fp4.formats).run(v)};
  };
  EXPECT_EQ(results(), std::pair(Integer(0x3f800001), Integer(0x3f800001)));  // all zeros
  v.a[16] = v.a[17] = v.b[16] = 2;                                            // 1 * 1 - 1 * 1
  v.b[17] = 10;
  EXPECT_EQ(results(), std::pair(Integer(0x3f800001), Integer(0)));
  v.scale_a[1] = 127;
  EXPECT_EQ(results(), std::pair(Integer(0x3f800001), Integer(0x3f800001)));
  // Products of 2^-140 and -2^-170; the second is below 2^(-139 - 35) + 2^-174: only the floor cuts
  // it.
  v = {std::vector<Integer>(64, 0), std::vector<Integer>(64, 0), 0, std::vector<Integer>(4, 127),
       std::vector<Integer>(4, 127)};
  v.a[0] = v.b[0] = 2;
  v.scale_a[0] = 127 - 74;
  v.scale_b[0] = 127 - 74;  // 2^-148
  v.a[16] = 2;
  v.b[16] = 10;
  v.scale_a[1] = 127 - 88;
  v.scale_b[1] = 127 - 87;  // -2^-175
  EXPECT_EQ(results(), std::pair(Integer(1), Integer(2)));
}

/// Steps of exact sums in rationals, without slices or terms.
class ExactChain {
 public:
  ExactChain(const DotFormats& formats, int block, const ResultFormat& result, bool tiny_keeps_sign)
      : formats_(formats), block_(block), result_(result), tiny_keeps_sign_(tiny_keeps_sign) {}

  /// NaN if empty.
  std::optional<Integer> operator()(const DotValues& v) const {
    Integer d = v.c;
    for (int first = 0; first < formats_.k; first += block_) {
      const auto next = step(v, first, d, first == 0 ? *formats_.c : *formats_.d);
      if (!next) return {};
      d = *next;
      if (numeric::meaning(formats_.d->name, bits_of(d)).kind == Kind::nan) return {};
    }
    return d;
  }

 private:
  static std::uint64_t bits_of(const Integer& p) { return p.convert_to<std::uint64_t>(); }

  std::optional<Integer> step(const DotValues& v, int first, const Integer& c_pattern,
                              const Format& c_format) const {
    Rational sum = 0;
    bool plus = false;
    bool minus = false;
    const auto infinity = [&](bool negative) { (negative ? minus : plus) = true; };
    const Meaning c = numeric::meaning(c_format.name, bits_of(c_pattern));
    if (c.kind == Kind::nan) return {};
    if (c.kind == Kind::infinity) infinity(c.negative);
    if (c.kind == Kind::number) sum = numeric::value(c_format.name, bits_of(c_pattern));
    for (int i = first; i < first + block_; ++i) {
      const auto k = static_cast<std::size_t>(i);
      const auto s = static_cast<std::size_t>(i / formats_.scale_block);
      const std::vector<Meaning> factors{
          numeric::meaning(formats_.a->name, bits_of(v.a[k])),
          numeric::meaning(formats_.b->name, bits_of(v.b[k])),
          numeric::meaning(formats_.scale->name, bits_of(v.scale_a[s])),
          numeric::meaning(formats_.scale->name, bits_of(v.scale_b[s]))};
      Rational product = 1;
      bool infinite = false;
      bool negative = false;
      for (const Meaning& f : factors) {
        if (f.kind == Kind::nan) return {};
        negative = negative != f.negative;
        if (f.kind == Kind::infinity) {
          infinite = true;
        } else {
          product *= numeric::exact(f.magnitude);
        }
      }
      if (infinite && product == 0) return {};
      if (infinite) infinity(negative);
      if (!infinite) sum += negative ? Rational(-product) : product;
    }
    if (plus && minus) return {};
    if (plus || minus) {
      if (!formats_.d->has_infinity()) return {};
      const numeric::Layout& l = numeric::layout(formats_.d->name);
      const Integer sign = Integer(1) << (l.exponent_bits + l.fraction_bits);
      return Integer(sign - (Integer(1) << l.fraction_bits) + (minus ? sign : Integer(0)));
    }
    return numeric::rounded(numeric::place_of(formats_.d->name, abs(sum)),
                            {sum < 0, false, tiny_keeps_sign_}, result_);
  }

  const DotFormats formats_;
  const int block_;
  const ResultFormat result_;
  const bool tiny_keeps_sign_;
};

template <typename T>
const T& one_of(numeric::Random& random, const std::vector<T>& all) {
  return all[static_cast<std::size_t>(random.below(static_cast<int>(all.size())))];
}

// 600 fraction bits cut nothing: then a fused step is an exact one, except for the sign after
// underflow.
TEST(ScaleFactors, OfRandomDesignsAgainstRationals) {
  numeric::Random random(71);
  int finite = 0;
  for (int design = 0; design < 150; ++design) {
    const int k = one_of<int>(random, {1, 2, 4, 6, 8, 12});
    std::vector<int> divisors;
    for (int n = 1; n <= k; ++n) {
      if (k % n == 0) divisors.push_back(n);
    }
    const bool fused = random.coin();
    const int block = one_of(random, divisors);
    const Rounding rounding = one_of(random, numeric::all_roundings());
    const Overflow overflow =
        one_of<Overflow>(random, {Overflow::to_infinity, Overflow::directed, Overflow::saturate});
    const auto name = [](auto value, const std::vector<std::string>& names) {
      return names[static_cast<std::size_t>(value)];
    };
    const std::vector<std::string> operands{"f16", "e4m3", "e5m2", "e4m3fnuz", "e2m1", "e3m2"};
    const std::string d = one_of<std::string>(random, {"f32", "f16", "bf16", "e4m3", "e5m2"});
    const std::string text =
        std::string(fused ? "design:fused-dot-add(fraction_bits=600," : "design:exact-dot-add(") +
        "a=" + one_of(random, operands) + ",b=" + one_of(random, operands) +
        ",c=" + one_of<std::string>(random, {"f32", "f16", d}) + ",d=" + d +
        ",k=" + std::to_string(k) + ",scale=" + one_of<std::string>(random, {"ue8m0", "ue4m3"}) +
        ",scale_block=" + std::to_string(one_of(random, divisors)) +
        ",block=" + std::to_string(block) +
        ",round=" + name(rounding, {"rz", "rne", "rd", "ru", "rna"}) +
        ",overflow=" + name(overflow, {"infinity", "directed", "saturate"}) + ")";
    SCOPED_TRACE(text);
    const Instruction i = find_instruction(text);
    const DotModel model(i.algorithm, i.formats);
    const ExactChain chain(i.formats, block, {i.formats.d, rounding, Underflow::gradual, overflow},
                           !fused);
    numeric::DotInputs inputs(i.formats, static_cast<std::uint64_t>(design));
    ExactEvaluator::Values scratch = model.evaluator().scratch();
    for (int n = 0; n < 120; ++n) {
      const DotValues v = inputs.next();
      const Integer got = model.run(v, scratch);
      if (n % 16 == 0) model.evaluator().check_ranges(scratch);
      const auto expected = chain(v);
      if (!expected) {
        ASSERT_TRUE(decode(*i.formats.d, got).is_nan) << to_hex(got);
        continue;
      }
      ++finite;
      ASSERT_EQ(got, *expected) << to_hex(got) << " instead of " << to_hex(*expected);
    }
  }
  EXPECT_GT(finite, 5000);
}

}  // namespace
}  // namespace mmaspec::scale_factors_test
