// Designs that add the same sums of products to c, compared with the evaluator on inputs of all
// kinds; and designs at whose boundaries nothing may be concluded.
#include "queries/theorems/added_sums.h"

#include <gtest/gtest.h>

#include "concrete/dot/runner.h"
#include "spec/catalog/instruction.h"
#include "tests/support/common_values.h"
#include "util/split_mix.h"

namespace mmaspec::added_sums_test {
namespace {

Instruction design(const std::string& algorithm, const std::string& a, const std::string& b,
                   const std::string& c, const std::string& more) {
  return find_instruction("design:" + algorithm + "(a=" + a + ",b=" + b + ",c=" + c + ",d=" + c +
                          ",k=4" + more + ")");
}

TEST(AddedSums, AreTheSameWhenConcluded) {
  SplitMix random(31);
  const auto any = [&](std::initializer_list<const char*> of) {
    return std::string(of.begin()[random.index(of.size())]);
  };
  int across_algorithms = 0;
  int declined_and_apart = 0;
  std::set<std::string> concluded;
  for (unsigned i = 0; i < 800; ++i) {
    const std::string c = any({"f32", "f32", "f16", "bf16"});
    const std::string round = ",round=" + any({"rne", "rne", "rz", "rto"});
    const std::string kept = random.one_in(6) ? ",kept_bits=" + any({"5", "7"}) : "";
    const std::string underflow = random.one_in(6) ? ",underflow=flush" : "";
    const auto drawn = [&]() -> std::pair<std::string, Instruction> {
      const std::string a = any({"e2m1", "e2m3", "e4m3", "e5m2", "f16", "bf16"});
      const std::string b = random.one_in(2) ? a : any({"e2m1", "e3m2", "e4m3"});
      const std::string result = round + kept + underflow;
      switch (random.below(6)) {
        case 0:
          return {"fma", design("sequential-fma", a, b, c,
                                result + (random.one_in(8) ? ",flush_inputs=yes" : "") +
                                    (random.one_in(8) ? ",reversed=2" : ""))};
        case 1:
          return {"exact",
                  design("exact-dot-add", a, b, c, ",block=" + any({"1", "2", "4"}) + result)};
        case 2:
          return {"pairwise", design("group-pairwise-sum", a, b, c,
                                     ",group=" + any({"1", "2", "4"}) +
                                         (random.one_in(8) ? ",flush_inputs=yes" : "") + result)};
        case 3:
          return {"pair", design("pair-dot-add", a, b, c, ",fused=" + any({"yes", "no"}) + result)};
        case 4:
          return {"bulk", design("bulk-normalized-dot-add", a, b, c,
                                 ",block=" + any({"1", "2", "4"}) +
                                     ",guard_bits=" + any({"0", "3", "8", "30", "64"}) + result)};
        default:
          return {
              "split",
              design("split-fp8", a, b, c,
                     ",halves=" + any({"chained", "added"}) +
                         ",fraction_bits=" + any({"5", "8", "12", "25", "60"}) +
                         (random.one_in(2) ? ",floor=" + any({"-133", "-21", "0"}) : "") + result)};
      }
    };
    const auto [kind, first] = drawn();
    const auto [other_kind, second] = drawn();
    const bool equal = add_the_same_sums(first, second);
    const int found = differences(first, second, i);
    if (equal) {
      EXPECT_EQ(found, 0) << first.name() << "\n" << second.name();
      if (kind != other_kind) {
        ++across_algorithms;
        concluded.insert(std::min(kind, other_kind) + "-" + std::max(kind, other_kind));
      }
    } else {
      declined_and_apart += found > 0 ? 1 : 0;
    }
  }
  EXPECT_GT(across_algorithms, 30);
  EXPECT_GE(concluded.size(), 12U);  // of 15
  EXPECT_GT(declined_and_apart, 250);
}

// What is concluded ends exactly where designs begin to differ.
TEST(AddedSums, EndWhereBitsAreLost) {
  const auto decides = [](const Instruction& first, const Instruction& second) {
    int found = 0;
    for (unsigned seed = 0; seed < 8; ++seed) found += differences(first, second, seed, 100);
    const bool equal = add_the_same_sums(first, second);
    EXPECT_EQ(equal, found == 0) << first.name() << "\n" << second.name();
    return equal;
  };
  int concluded = 0;
  for (int bits = 1; bits <= 9; ++bits) {
    const std::string kept = ",kept_bits=" + std::to_string(bits) + ",round=rz";
    const Instruction fma = design("sequential-fma", "e2m1", "e2m1", "f32", kept);
    const Instruction rounded =
        design("group-pairwise-sum", "e2m1", "e2m1", "f32", ",group=1" + kept);
    concluded += decides(fma, rounded) ? 1 : 0;
  }
  EXPECT_EQ(concluded, 7);  // products have four bits
  // The first half of e2m1's products is at most 72; a product of the second one is at least 1/4.
  const Instruction whole = design("exact-dot-add", "e2m1", "e2m1", "f32", ",block=4");
  const DotValues large{{7, 7, 1, 0}, {7, 7, 1, 0}, 0, {}, {}};
  for (int bits = 2; bits <= 12; ++bits) {
    const Instruction split =
        design("split-fp8", "e2m1", "e2m1", "f32", ",fraction_bits=" + std::to_string(bits));
    const auto run = [&](const Instruction& i) {
      return DotRunner(i.algorithm, i.formats).run(large);
    };
    EXPECT_EQ(add_the_same_sums(split, whole), run(split) == run(whole)) << bits;
    EXPECT_EQ(add_the_same_sums(split, whole), bits >= 8) << bits;
  }
  // Sums of f16's products are rounded: adding them one by one is something else.
  decides(design("pair-dot-add", "f16", "f16", "f32", ",fused=yes"),
          design("group-pairwise-sum", "bf16", "bf16", "f32", ",group=2"));
  EXPECT_FALSE(decides(design("pair-dot-add", "f16", "f16", "f32", ",fused=yes"),
                       design("exact-dot-add", "f16", "f16", "f32", ",block=2")));
  EXPECT_FALSE(decides(
      design("group-pairwise-sum", "f16", "f16", "f32", ",group=4"),
      design("bulk-normalized-dot-add", "f16", "f16", "f32", ",block=4,guard_bits=64,round=rne")));
  EXPECT_TRUE(decides(design("group-pairwise-sum", "e4m3", "e4m3", "f32", ",group=1"),
                      design("sequential-fma", "e5m2", "e5m2", "f32", "")));
  // Products of e5m2 are subnormal in f16, or below it.
  EXPECT_FALSE(decides(design("group-pairwise-sum", "e5m2", "e5m2", "f16", ",group=1"),
                       design("sequential-fma", "e5m2", "e5m2", "f16", "")));
}

TEST(AddedSums, AreNotConcludedWhereAPremiseIsMissing) {
  const std::string one = ",group=1";
  const Instruction sums = design("group-pairwise-sum", "e4m3", "e4m3", "f32", one);
  const auto fma = [](const std::string& more, const std::string& c = "f32") {
    return design("sequential-fma", "e4m3", "e4m3", c, more);
  };
  EXPECT_TRUE(add_the_same_sums(sums, fma("")));
  EXPECT_FALSE(add_the_same_sums(sums, fma(",round=rz")));
  EXPECT_FALSE(add_the_same_sums(sums, fma(",reversed=2")));
  EXPECT_FALSE(add_the_same_sums(sums, fma(",chains=2")));
  EXPECT_FALSE(add_the_same_sums(sums, fma(",flush_inputs=yes")));
  EXPECT_FALSE(add_the_same_sums(sums, fma(",kept_bits=13")));
  EXPECT_FALSE(add_the_same_sums(sums, fma("", "bf16")));
  EXPECT_FALSE(add_the_same_sums(
      sums, find_instruction("design:sequential-fma(a=e4m3,b=e4m3,c=f32,d=f32,k=2)")));
  // A chain of instructions is one chain of steps.
  const Instruction step =
      find_instruction("design:group-pairwise-sum(a=e4m3,b=e4m3,c=f32,d=f32,k=2,group=1)");
  EXPECT_TRUE(add_the_same_sums(chained(step, 4), fma("")));
  // Neither scale factors nor results without infinities are covered.
  EXPECT_FALSE(add_the_same_sums(
      design("exact-dot-add", "e2m1", "e2m1", "f32", ",block=4,scale=ue8m0,scale_block=4"),
      design("exact-dot-add", "e2m1", "e2m1", "f32", ",block=4")));
  EXPECT_FALSE(add_the_same_sums(design("sequential-fma", "e2m1", "e2m1", "e4m3", ""),
                                 design("exact-dot-add", "e2m1", "e2m1", "e4m3", ",block=1")));
}

}  // namespace
}  // namespace mmaspec::added_sums_test
