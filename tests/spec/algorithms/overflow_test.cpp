// Overflow in E4M3, the only format of results without infinity: NaN unless the design saturates,
// in every algorithm and in conversions.

#include <gtest/gtest.h>

#include "spec/formats/round.h"
#include "tests/support/numeric_dot.h"

namespace mmaspec::overflow_test {
namespace {

using numeric::Dot;

const std::vector<std::string>& designs() {
  static const std::vector<std::string> all = {
      "design:sequential-fma(",
      "design:group-pairwise-sum(group=1,",
      "design:fused-dot-add(fraction_bits=25,",
      "design:round-down-dot-add(zero_terms=left-out,",
      "design:exact-dot-add(",
      "design:rounded-product-dot-add(product_bits=4,fraction_bits=25,",
      "design:exact-dot-add(block=1,"};
  return all;
}

TEST(OverflowWithoutInfinity, IsNanUnlessTheDesignSaturates) {
  for (const std::string& design : designs()) {
    const std::string formats = design + "a=e4m3,b=e4m3,c=f32,d=e4m3,k=2,round=rne,";
    const Dot to_infinity(formats + "overflow=infinity)");
    const Dot saturate(formats + "overflow=saturate)");
    SCOPED_TRACE(design);
    EXPECT_EQ(to_infinity({"256", "256"}, {"256", "1"}), "nan");
    EXPECT_EQ(to_infinity({"256", "256"}, {"-256", "1"}), "nan");
    EXPECT_EQ(to_infinity({"1"}, {"1"}, "0x1p100"), "nan");
    EXPECT_EQ(saturate({"256", "256"}, {"256", "1"}), "0x1.cp+8");
    EXPECT_EQ(saturate({"256"}, {"-256"}), "-0x1.cp+8");
    EXPECT_EQ(saturate({"1"}, {"1"}, "-0x1p100"), "-0x1.cp+8");
    EXPECT_EQ(to_infinity({}, {}, "448"), "0x1.cp+8");
    EXPECT_EQ(to_infinity({}, {}, "480"), "nan");
    EXPECT_EQ(to_infinity({}, {}, "-480"), "nan");
  }
}

// An infinite sum is exact and does not overflow: NaN if the format has no infinity.
TEST(OverflowWithoutInfinity, AnInfiniteOperandIsNanEvenWhereDesignsSaturate) {
  for (const std::string& design : designs()) {
    for (const char* overflow : {"infinity", "directed", "saturate"}) {
      const Dot dot(design + "a=e5m2,b=e5m2,c=f32,d=e4m3,k=2,overflow=" + overflow + ")");
      SCOPED_TRACE(design + overflow);
      EXPECT_EQ(dot({}, {}, "inf"), "nan");
      EXPECT_EQ(dot({"-inf"}, {"1"}, "0"), "nan");
    }
  }
}

// As in IEEE 754, the rounding decides whether an overflow gives the largest number.
TEST(OverflowWithoutInfinity, DirectedRoundingDecidesBetweenNanAndTheLargest) {
  const auto d = [](const char* round, const char* c) {
    return Dot("design:sequential-fma(a=e4m3,b=e4m3,c=f32,d=e4m3,k=1,overflow=directed,round=" +
               std::string(round) + ")")({}, {}, c);
  };
  EXPECT_EQ(d("rz", "1e9"), "0x1.cp+8");
  EXPECT_EQ(d("rd", "1e9"), "0x1.cp+8");
  EXPECT_EQ(d("rd", "-1e9"), "nan");
  EXPECT_EQ(d("ru", "1e9"), "nan");
  EXPECT_EQ(d("ru", "-1e9"), "-0x1.cp+8");
  EXPECT_EQ(d("rne", "1e9"), "nan");
}

}  // namespace
}  // namespace mmaspec::overflow_test
