// The instructions that a library runs on each machine, and statistics.
#include "queries/studies/machines/machines.h"

#include <gtest/gtest.h>

#include <set>

namespace mmaspec::machines_test {
namespace {

TEST(LibraryChoices, AreInstructionsOfTheCatalogue) {
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (const LibraryChoice& c : library_choices()) {
    EXPECT_NO_THROW(find_instruction(std::string(c.architecture) + "/" + std::string(c.mnemonic)))
        << c.mnemonic;
    EXPECT_TRUE(seen.emplace(c.product, c.architecture).second) << c.mnemonic;
    EXPECT_FALSE(c.source.empty());
  }
}

TEST(Statistics, CountResultsThatDiffer) {
  const auto drawn = [](const std::string& x, const std::string& y, std::size_t count) {
    StatisticsOptions options;
    options.count = count;
    return statistics(pair_up(find_instruction(x), find_instruction(y), {}), options, 0);
  };
  const std::string volta = "volta/mma.m8n8k4.f32.f16.f16.f32";
  const Statistics none = drawn(volta, volta, 200);
  EXPECT_EQ(none.results, 200U);
  EXPECT_EQ(none.differ, 0U);
  const Statistics some = drawn(volta, "cdna3/v_mfma_f32_32x32x8_f16", 500);
  EXPECT_GT(some.differ, 0U);
  EXPECT_GE(some.largest_ulp, some.median_ulp);
  EXPECT_GE(some.median_ulp, 1);
  EXPECT_GT(some.largest_relative, 0);
}

}  // namespace
}  // namespace mmaspec::machines_test
