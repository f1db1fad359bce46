// Chains of a group-pairwise-sum that flushes: proved equal to one longer sum, and tested with
// inputs of every kind.

#include <gtest/gtest.h>

#include "queries/draw/samples.h"
#include "queries/statement/pairing.h"
#include "queries/studies/suite/panel.h"
#include "queries/theorems/equal.h"

namespace mmaspec::chained_sum_test {
namespace {

constexpr std::size_t kLanes = 1024;

std::string sum(int k, const std::string& rest) {
  return "design:group-pairwise-sum(k=" + std::to_string(k) + "," + rest + ")";
}

/// Checks whether an input distinguishes the design from a chain of it, and whether the proof is
/// made.
void expect_chain(const std::string& rest, int k, int longer, bool argued, bool differs) {
  SCOPED_TRACE(rest);
  const Instruction step = find_instruction(sum(k, rest));
  const Instruction chain = chained(step, longer);
  const Instruction whole = find_instruction(sum(longer, rest));
  EXPECT_EQ(equal_because(chain, whole).has_value(), argued);
  EXPECT_EQ(equal_because(whole, chain).has_value(), argued);
  const Panel panel({{step, chain}, {whole, whole}}, {InputClass::any, {}, false});
  if (panel.expressions() == 1) {
    EXPECT_FALSE(differs);
    return;
  }
  Panel::Runner runner(panel);
  Sampler sampler(panel.formats(), InputClass::any, 11);
  Lanes lanes(panel.graph().inputs().size(), kLanes);
  bool found = false;
  for (int i = 0; i < 150; ++i) {
    sampler.fill(lanes);
    if (i % 2 == 1) {
      // Sums near the least normal number, where flushing has an effect.
      const Format& c = *panel.formats().c;
      const auto mask = (std::uint64_t{1} << c.sign_bit()) |
                        ((std::uint64_t{4} << (c.fraction_bits + c.ignored_low_bits)) - 1);
      std::uint64_t* row = lanes[2 * static_cast<std::size_t>(longer)];
      for (std::size_t lane = 0; lane < kLanes; ++lane) row[lane] &= mask;
    }
    runner.run(lanes, [&](std::size_t, const Partition& p) { found = found || p[0] != p[1]; });
  }
  EXPECT_EQ(found, differs);
}

TEST(ChainedPairwiseSum, EqualsOneSumIfResultsAreFlushed) {
  for (const std::string round : {"rne", "rz", "rd", "ru", "rna"}) {
    for (const std::string overflow : {"infinity", "directed", "saturate"}) {
      expect_chain("group=2,flush_inputs=yes,underflow=flush,a=bf16,b=bf16,round=" + round +
                       ",overflow=" + overflow,
                   2, 6, true, false);
    }
  }
  expect_chain("group=4,flush_inputs=yes,underflow=flush", 4, 16, true, false);
  expect_chain("group=1,flush_inputs=yes,underflow=flush,kept_bits=7,a=bf16,b=bf16", 1, 4, true,
               false);
  expect_chain("group=2,flush_inputs=yes,underflow=flush,c=f16,d=f16", 2, 8, true, false);
}

TEST(ChainedPairwiseSum, DiffersFromOneSumIfResultsAreNotFlushed) {
  expect_chain("group=2,flush_inputs=yes,a=bf16,b=bf16", 2, 4, false, true);
  expect_chain("group=2,flush_inputs=yes,c=f16,d=f16", 2, 4, false, true);
}

TEST(ChainedPairwiseSum, IsNotConcludedForOtherSums) {
  const std::string rest = "flush_inputs=yes,underflow=flush,group=";
  const Instruction chain = chained(find_instruction(sum(4, rest + "2")), 8);
  const auto declines = [&](const std::string& other) {
    EXPECT_FALSE(equal_because(chain, find_instruction(sum(8, other)))) << other;
  };
  declines(rest + "4");
  declines(rest + "2,round=rz");
  declines(rest + "2,overflow=saturate");
  declines(rest + "2,kept_bits=20");
  declines("flush_inputs=no,underflow=flush,group=2");
  declines("flush_inputs=yes,group=2");
  EXPECT_FALSE(equal_because(chain, shortened(find_instruction(sum(16, rest + "2")), 8)));
  EXPECT_FALSE(equal_because(chain, chained(find_instruction(sum(4, rest + "4")), 8)));
  EXPECT_TRUE(equal_because(chain, chained(find_instruction(sum(2, rest + "2")), 8)));
}

}  // namespace
}  // namespace mmaspec::chained_sum_test
