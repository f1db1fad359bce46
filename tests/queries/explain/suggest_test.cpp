// Suggested operands: the products of plans that differ must differ.

#include "queries/studies/explain/suggest.h"

#include <gtest/gtest.h>

#include "spec/catalog/instruction.h"

namespace mmaspec::suggest_test {
namespace {

/// The number of unlike products of the operands that are suggested for these plans.
std::size_t products(const std::vector<std::string>& plans) {
  const auto k = static_cast<std::size_t>(find_instruction(plans.front()).formats.k);
  return explain::suggest(plans, k, false, Deadline()).classes;
}

// Sums of f32 that are rounded to a narrow format afterwards differ from narrow sums only near the
// numbers at which the rounding changes.
TEST(Suggest, DistinguishesPlansWithNarrowResults) {
  const std::string f16 = "hopper/mma.m16n8k16.f32.f16.f16.f32";
  EXPECT_EQ(products({"hopper/mma.m16n8k16.f16.f16.f16.f16",
                      "plan:epilogue(" + f16 + ",k=16,beta=0,out=f16)"}),
            2);
  const std::string bf16 = "hopper/mma.m16n8k16.f32.bf16.bf16.f32";
  EXPECT_EQ(products({"plan:epilogue(chain(" + bf16 + ",k=64),k=64,beta=0,out=bf16)",
                      "plan:epilogue(split-k(" + bf16 + ",k=64,parts=2),k=64,beta=0,out=bf16)",
                      "plan:epilogue(split-k(" + bf16 + ",k=64,parts=4),k=64,beta=0,out=bf16)",
                      "plan:epilogue(split-k(" + bf16 +
                          ",k=64,parts=4,reduce=tree),k=64,beta=0,out=bf16)",
                      "plan:epilogue(promote(" + bf16 + ",k=64,every=48),k=64,beta=0,out=bf16)"}),
            5);
}

TEST(Suggest, DoesNotDistinguishEqualPlans) {
  const std::string f16 = "hopper/mma.m16n8k16.f32.f16.f16.f32";
  EXPECT_EQ(products({"plan:epilogue(promote(" + f16 + ",k=64,every=32),k=64,beta=0,out=f16)",
                      "plan:epilogue(split-k(" + f16 + ",k=64,parts=2),k=64,beta=0,out=f16)"}),
            1);
}

TEST(Suggest, TakesAnyNumberOfProducts) {
  for (const char* k : {"1", "2", "3", "9"}) {
    const std::string chain = std::string("chain(x86/vfmadd231ps,k=") + k + "),k=" + k;
    EXPECT_EQ(products({"plan:epilogue(" + chain + ",beta=0,out=bf16)",
                        "plan:epilogue(" + chain + ",beta=0,out=f16)"}),
              2);
  }
}

}  // namespace
}  // namespace mmaspec::suggest_test
