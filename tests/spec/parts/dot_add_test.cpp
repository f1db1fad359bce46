// Formats of dot products are compared by value; parameters as text, and their bounds.
#include "spec/parts/dot_add.h"

#include <gmock/gmock.h>

#include "spec/catalog/instruction.h"
#include "spec/parts/parameter_text.h"
#include "spec/parts/spelling.h"

namespace mmaspec::dot_add_test {
namespace {

TEST(DotFormats, AreEqualIfTheyHoldEqualFormats) {
  const Format same = formats::f16;  // another object
  DotFormats x{};
  x.a = x.b = &formats::f16;
  x.c = x.d = &formats::f32;
  x.k = 4;
  DotFormats y = x;
  y.a = &same;
  EXPECT_EQ(x, y);
  y.a = &formats::bf16;
  EXPECT_FALSE(x == y);
  y = x;
  y.scale = &formats::ue8m0;
  y.scale_block = 4;
  EXPECT_FALSE(x == y);
  EXPECT_FALSE(y == x);
}

TEST(IntegersAsText, CountRepetitions) {
  EXPECT_EQ(to_string(std::vector<int>{}), "");
  EXPECT_EQ(to_string(std::vector<int>{5}), "5");
  EXPECT_EQ(to_string(std::vector<int>{5, 6}), "5:6");
  EXPECT_EQ(to_string(std::vector<int>{768, 768, 768, 256, 256, 7}), "768x3:256x2:7");
}

TEST(NearestSpelling, IsHalfTheNameAwayAtMost) {
  const std::vector<std::string> known{"fraction_bits", "block"};
  EXPECT_EQ(nearest("fraction_bit", known), "fraction_bits");
  EXPECT_EQ(nearest("Fractoin-Bits", known), "fraction_bits");
  EXPECT_EQ(nearest("blokc", known), "block");
  EXPECT_EQ(nearest("fxaxtxoxxbxtx", known), "");  // 6 of 13 letters
  EXPECT_EQ(nearest("zzzzzzzz", known), "");
}

TEST(ZeroExponent, IsBounded) {
  const auto design = [](int exponent) {
    return "design:fused-dot-add(k=2,fraction_bits=4,zero_terms=operands-count,zero_exponent=" +
           std::to_string(exponent) + ")";
  };
  for (const int exponent : {-5000, 5000}) EXPECT_NO_THROW(find_instruction(design(exponent)));
  for (const int exponent : {-5001, 5001}) {
    EXPECT_THROW(find_instruction(design(exponent)), std::invalid_argument) << exponent;
  }
}

}  // namespace
}  // namespace mmaspec::dot_add_test
