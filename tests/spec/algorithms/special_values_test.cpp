// NaNs, infinities and overflow, in every format that has them.

#include <gtest/gtest.h>

#include "spec/formats/unpack.h"
#include "tests/support/numeric_dot.h"

namespace mmaspec::special_values_test {
namespace {

using numeric::Dot;

bool is_nan(const Format& f, const Integer& p) { return decode(f, p).is_nan; }

/// One instruction for each pair of operand format and algorithm; f64's NaNs have no fixed pattern.
const std::vector<std::string>& instructions() {
  static const std::vector<std::string> all = {
      "volta/mma.m8n8k4.f32.f16.f16.f32",         "turing/mma.m16n8k8.f16.f16.f16.f16",
      "ampere/mma.m16n8k16.f32.bf16.bf16.f32",    "ampere/mma.m16n8k8.f32.tf32.tf32.f32",
      "hopper/mma.m16n8k16.f32.f16.f16.f32",      "hopper/wgmma.m64n8k32.f32.e5m2.e5m2",
      "hopper/wgmma.m64n8k32.f16.e5m2.e4m3",      "ada/mma.m16n8k32.f32.e4m3.e4m3.f32",
      "ada/mma.m16n8k16.f16.e5m2.e5m2.f16",       "blackwell/mma.m16n8k32.f32.e5m2.e5m2.f32",
      "blackwell/mma.m16n8k32.f16.e5m2.e4m3.f16", "rtx-blackwell/mma.m16n8k32.f32.e5m2.e2m1.f32",
      "ampere/mma.m8n8k4.f64.f64.f64.f64",        "hopper/mma.m16n8k16.f64.f64.f64.f64"};
  return all;
}

class SpecialValues : public testing::TestWithParam<std::string> {
 protected:
  SpecialValues() : dot_(GetParam()) {}

  void expect_nan(const Integer& d) const {
    EXPECT_TRUE(is_nan(*dot_.formats().d, d)) << to_hex(d);
    if (dot_.instruction().canonical_nan) {
      EXPECT_EQ(d, canonical_nan(*dot_.formats().d));
    }
  }
  /// 1 at every position except `place`.
  static std::vector<std::string> ones_but(std::size_t place, const std::string& x, int k) {
    std::vector<std::string> all(static_cast<std::size_t>(k), "1");
    all[place] = x;
    return all;
  }

  const Dot dot_;
};

TEST_P(SpecialValues, ANanOperandGivesNan) {
  const DotFormats& f = dot_.formats();
  for (std::size_t i = 0; i < static_cast<std::size_t>(f.k); ++i) {
    if (f.a->has_nan()) expect_nan(dot_.bits(ones_but(i, "nan", f.k), ones_but(0, "1", f.k), "1"));
    if (f.b->has_nan()) expect_nan(dot_.bits(ones_but(0, "1", f.k), ones_but(i, "nan", f.k), "1"));
    // A zero or an infinity as other factor does not change this.
    if (f.a->has_nan()) expect_nan(dot_.bits(ones_but(i, "nan", f.k), {}, "inf"));
  }
  expect_nan(dot_.bits({"1"}, {"1"}, "nan"));
  expect_nan(dot_.bits({}, {}, "nan"));
}

TEST_P(SpecialValues, InfinitiesAddUpOrCancel) {
  const DotFormats& f = dot_.formats();
  EXPECT_EQ(dot_({"1"}, {"1"}, "inf"), "inf");
  EXPECT_EQ(dot_({"-1"}, {"1"}, "-inf"), "-inf");
  EXPECT_EQ(dot_({}, {}, "-inf"), "-inf");
  if (!f.a->has_infinity()) return;
  for (std::size_t i = 0; i < static_cast<std::size_t>(f.k); ++i) {
    const std::vector<std::string> ones = ones_but(0, "1", f.k);
    const std::vector<std::string> a = ones_but(i, "inf", f.k);
    const std::vector<std::string> minus = ones_but(i, "-inf", f.k);
    EXPECT_EQ(dot_(a, ones, "1"), "inf");
    EXPECT_EQ(dot_(minus, ones, "1"), "-inf");
    EXPECT_EQ(dot_(minus, ones_but(i, "-1", f.k), "1"), "inf");
    EXPECT_EQ(dot_(a, ones, "inf"), "inf");
    expect_nan(dot_.bits(a, ones, "-inf"));
    expect_nan(dot_.bits(a, ones_but(i, "0", f.k), "1"));
    expect_nan(dot_.bits(a, ones_but(i, "-0", f.k), "inf"));
    if (f.b->has_infinity()) {
      EXPECT_EQ(dot_(a, ones_but(i, "-inf", f.k), "1"), "-inf");
      expect_nan(dot_.bits(ones_but(i, "0", f.k), ones_but(i, "inf", f.k), "1"));
    }
    const std::size_t other = (i + 1) % static_cast<std::size_t>(f.k);
    std::vector<std::string> both = a;
    both[other] = "-inf";
    expect_nan(dot_.bits(both, ones, "1"));
  }
}

INSTANTIATE_TEST_SUITE_P(Instructions, SpecialValues, testing::ValuesIn(instructions()),
                         [](const auto& test) {
                           std::string name = test.param;
                           for (char& c : name) {
                             if (c == '/' || c == '.' || c == '-') c = '_';
                           }
                           return name;
                         });

// The low 13 bits of the register are not part of the operand, not even of a NaN.
TEST(Tf32, NanOfLowBitsAloneIsAnInfinity) {
  for (const char* name :
       {"ampere/mma.m16n8k8.f32.tf32.tf32.f32", "hopper/mma.m16n8k8.f32.tf32.tf32.f32"}) {
    const Dot dot(name);
    EXPECT_EQ(dot({"0x7f800001"}, {"1"}), "inf");
    EXPECT_EQ(dot({"0x7f801fff"}, {"-1"}), "-inf");
    EXPECT_EQ(dot({"0x7f802000"}, {"1"}), "nan");
    EXPECT_EQ(dot({"0x7f801fff"}, {"0x00001fff"}), "nan");  // infinity * 0
    EXPECT_EQ(dot({"0x3f801fff"}, {"0x3f801fff"}), "0x1p+0");
    // c is f32: a NaN there remains a NaN.
    EXPECT_EQ(dot({"1"}, {"1"}, "0x7f800001"), "nan");
  }
}

// Half an ulp beyond the largest number is rounded to nearest even, which is infinity.
TEST(F16Results, OverflowFrom65520On) {
  for (const char* name :
       {"volta/mma.m8n8k4.f16.f16.f16.f16", "turing/mma.m8n8k4.f16.f16.f16.f16",
        "ampere/mma.m16n8k16.f16.f16.f16.f16", "hopper/mma.m16n8k16.f16.f16.f16.f16",
        "blackwell/mma.m16n8k16.f16.f16.f16.f16"}) {
    const Dot dot(name);
    EXPECT_EQ(dot({"4"}, {"3.75"}, "65504"), "0x1.ffcp+15") << name;         // 65519
    EXPECT_EQ(dot({"4"}, {"3.998046875"}, "65504"), "0x1.ffcp+15") << name;  // 65519.992
    EXPECT_EQ(dot({"4"}, {"4"}, "65504"), "inf") << name;                    // 65520
    EXPECT_EQ(dot({"-4"}, {"4"}, "-65504"), "-inf") << name;
    EXPECT_EQ(dot({"256"}, {"256"}, "0"), "inf") << name;
    EXPECT_EQ(dot({"256", "-1"}, {"256", "32"}, "0"), "0x1.ffcp+15") << name;  // 65504
  }
}

// Results are cut toward zero, and still overflow to infinity instead of the largest number.
TEST(F32Results, OverflowFrom2To128On) {
  const Dot ampere("ampere/mma.m16n8k8.f32.bf16.bf16.f32");
  const Dot hopper("hopper/mma.m16n8k16.f32.bf16.bf16.f32");
  for (const Dot* dot : {&ampere, &hopper}) {
    EXPECT_EQ((*dot)({"0x1p127"}, {"1"}, "0x1.fffffep126"), "0x1.fffffep+127");
    EXPECT_EQ((*dot)({"0x1p127"}, {"1"}, "0x1p127"), "inf");
    EXPECT_EQ((*dot)({"0x1p103"}, {"1"}, "0x1.fffffep127"), "0x1.fffffep+127");  // below one ulp
    EXPECT_EQ((*dot)({"0x1p104"}, {"1"}, "0x1.fffffep127"), "inf");              // one ulp
    EXPECT_EQ((*dot)({"-0x1p104"}, {"1"}, "-0x1.fffffep127"), "-inf");
    // Only the sum overflows, never a product.
    EXPECT_EQ((*dot)({"0x1p127", "-0x1p127"}, {"0x1p100", "0x1p100"}, "0"), "0x0p+0");
    EXPECT_EQ((*dot)({"0x1p127", "-0x1p127"}, {"2", "1"}, "0"), "0x1p+127");
  }
}

// Ada's FP8 results keep 13 fraction bits of f32 and overflow to infinity like others.
TEST(F32Results, OfThirteenFractionBits) {
  const Dot dot("ada/mma.m16n8k32.f32.e4m3.e4m3.f32");
  EXPECT_EQ(dot({}, {}, "0x1.fffffep127"), "0x1.fff8p+127");
  EXPECT_EQ(dot({}, {}, "0x1.0004p0"), "0x1p+0");
  EXPECT_EQ(dot({}, {}, "0x1.0008p0"), "0x1.0008p+0");
  EXPECT_EQ(dot({}, {}, "inf"), "inf");
}

// In a chain of blocks an infinity that an earlier block produced remains, whatever follows.
TEST(Chains, KeepAnEarlierInfinity) {
  const Dot ampere("ampere/mma.m16n8k16.f16.f16.f16.f16");
  const Dot hopper("hopper/mma.m16n8k16.f16.f16.f16.f16");
  std::vector<std::string> a(16, "0");
  a[0] = "256";
  a[8] = "-256";
  const std::vector<std::string> b(16, "256");
  EXPECT_EQ(ampere(a, b), "inf");     // the second block adds a number
  EXPECT_EQ(hopper(a, b), "0x0p+0");  // one block
  a[8] = "-inf";
  EXPECT_EQ(ampere(a, b), "nan");
  EXPECT_EQ(hopper(a, b), "-inf");
  const Dot bf16("ampere/mma.m16n8k16.f32.bf16.bf16.f32");
  std::vector<std::string> c(16, "0");
  c[0] = "0x1p127";
  c[8] = "-0x1p127";
  EXPECT_EQ(bf16(c, std::vector<std::string>(16, "2")), "inf");
}

}  // namespace
}  // namespace mmaspec::special_values_test
