// Sums of products in any tree, compared with sums of floating-point operations, and with plans of
// other schemes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

#include "concrete/dot/runner.h"
#include "spec/catalog/instruction.h"

namespace mmaspec::sum_tree_test {
namespace {

using testing::HasSubstr;

const std::string kFma = "x86/vfmadd231ps";

float number(const Integer& p) { return std::bit_cast<float>(p.convert_to<std::uint32_t>()); }

DotValues drawn(std::size_t k, std::mt19937& random) {
  std::uniform_real_distribution<float> numbers(-2, 2);
  const auto draw = [&] {
    return Integer(
        std::bit_cast<std::uint32_t>(std::ldexp(numbers(random), static_cast<int>(random() % 8))));
  };
  DotValues v;
  for (std::size_t i = 0; i < k; ++i) {
    v.a.push_back(draw());
    v.b.push_back(draw());
  }
  v.c = draw();
  return v;
}

Integer run(const std::string& plan, const DotValues& values) {
  const Instruction i = find_instruction(plan);
  return DotRunner(i.algorithm, i.formats).run(values);
}

TEST(SumTree, AddsInTheOrderOfItsText) {
  std::mt19937 random(8);
  for (int row = 0; row < 50; ++row) {
    const DotValues v = drawn(7, random);
    const auto p = [&](std::size_t i) { return number(v.a[i]) * number(v.b[i]); };
    const auto fma = [&](std::size_t i, float sum) {
      return std::fmaf(number(v.a[i]), number(v.b[i]), sum);
    };
    const auto tree = [&](const std::string& text) {
      return number(run("plan:sum-tree(" + kFma + ",k=7,tree=" + text + ")", v));
    };
    const float c = number(v.c);
    EXPECT_EQ(tree("(0..6)"), fma(6, fma(5, fma(4, fma(3, fma(2, fma(1, p(0))))))) + c);
    EXPECT_EQ(tree("((0..6/2)+(1..5/2))"),
              (fma(6, fma(4, fma(2, p(0)))) + fma(5, fma(3, p(1)))) + c);
    EXPECT_EQ(tree("((3+0)+(6)+1+((2)+(5))+4)"),
              fma(4, (fma(1, fma(0, p(3)) + p(6)) + (p(2) + p(5)))) + c);
  }
}

TEST(SumTree, EqualsOtherSchemes) {
  std::mt19937 random(9);
  const std::string tree = "plan:sum-tree(" + kFma + ",k=12,tree=";
  for (int row = 0; row < 20; ++row) {
    const DotValues v = drawn(12, random);
    EXPECT_EQ(run(tree + "((0..10)+(11)))", v),
              run("plan:split-k(" + kFma + ",k=12,lengths=11:1)", v));
    EXPECT_EQ(run(tree + "((0..9/3)+(1..10/3)+(2..11/3)))", v),
              run("plan:permute(split-k(" + kFma + ",k=12,parts=3),k=12,ways=3,block=1)", v));
  }
}

TEST(SumTree, RefusesWhatIsNotATree) {
  const auto refusal = [](const std::string& inner, const std::string& k, const std::string& tree) {
    try {
      find_instruction("plan:sum-tree(" + inner + ",k=" + k + tree + ")");
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  for (const char* tree :
       {"", "0", "0..3", "()", "(0..2)", "(0..4)", "(0..3+3)", "(0..3", "(0..3))", "(0..3)+",
        "(0+)", "(0..3/2)", "(0..2/0+3)", "(3..0)", "(0..99999999999)", "(-1+0..3)", "((0..3)x)",
        "(0,1,2,3)", "(0 +1..3)"}) {
    EXPECT_NE(refusal(kFma, "4", std::string(",tree=") + tree), "accepted") << tree;
  }
  EXPECT_THAT(
      refusal(kFma, "4", ",tree=(0..2)"),
      HasSubstr("expected sums such as ((0..62/2)+(1..63/2)), with each product from 0 to 3"));
  EXPECT_THAT(refusal(kFma, "4", ""), HasSubstr("tree"));
  EXPECT_THAT(refusal("hopper/mma.m16n8k16.f32.f16.f16.f32", "16", ",tree=(0..15)"),
              HasSubstr("an instruction with one product"));
  const std::string deep = std::string(30000, '(') + "0" + std::string(30000, ')');
  EXPECT_EQ(refusal(kFma, "1", ",tree=" + deep), "accepted");
}

}  // namespace
}  // namespace mmaspec::sum_tree_test
