// The scope of an answer: the set of inputs, and the evidence for each unit.

#include "queries/ask/scope.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "util/json.h"

namespace mmaspec::scope_test {
namespace {

const Instruction kF16 = find_instruction("volta/mma.m8n8k4.f32.f16.f16.f32");
const Instruction kTf32 = find_instruction("hopper/mma.m16n8k8.f32.tf32.tf32.f32");
const Instruction kDesign = find_instruction("design:fused-dot-add(k=4,fraction_bits=24)");

TEST(Scope, IsShortForDefaultInputs) {
  EXPECT_EQ(inputs_text(scope_of(kF16, InputClass::finite, {})), "finite");
  EXPECT_EQ(inputs_text(scope_of(kF16, kDesign, Match::values, InputClass::normal, {"c == 0"})),
            "normal or zero, where c == 0");
}

TEST(Scope, NamesFormatsWithCommonValues) {
  const Instruction wide =
      find_instruction("design:fused-dot-add(a=f32,b=f16,c=f64,d=f64,k=4,fraction_bits=60)");
  EXPECT_EQ(inputs_text(scope_of(kF16, wide, Match::values, InputClass::any, {})),
            "any; only values that both formats hold (a: f16, f32; c: f32, f64)");
  EXPECT_EQ(inputs_text(scope_of(kTf32, InputClass::finite, {})),
            "finite; tf32 operands without their low 13 bits");
  const Instruction bf16 = find_instruction("hopper/mma.m16n8k16.f32.bf16.bf16.f32");
  const Instruction f16 = find_instruction("hopper/mma.m16n8k16.f32.f16.f16.f32");
  EXPECT_EQ(inputs_text(scope_of(f16, bf16, Match::bits, InputClass::finite, {})),
            "finite; the same bits of (a, b: f16, bf16)");
}

TEST(Scope, SaysWhatAPlanReads) {
  const auto text = [](const std::string& name) {
    return inputs_text(scope_of(find_instruction("plan:" + name), InputClass::finite, {}));
  };
  const std::string tf32 = kTf32.name();
  EXPECT_EQ(text("multiword(" + tf32 + ",words=1)"),
            "finite; a and b rounded to 1 word of tf32 by multiword");
  EXPECT_EQ(text("multiword(" + tf32 + ",words=2)"),
            "finite; a and b rounded to 2 words of tf32 by multiword");
  EXPECT_EQ(text("multiword(" + tf32 + ",words=3)"), "finite");
}

TEST(Evidence, IsTheWeakestOfEachUnit) {
  Instruction made = kF16;
  made.provenance = {{"algorithm", Evidence::hardware, ""},
                     {"fraction_bits", Evidence::model, ""},
                     {"floor", Evidence::model, ""},
                     {"round", Evidence::documented, ""}};
  const auto of_made = weakest_evidence({made, made, kDesign});
  ASSERT_EQ(of_made.size(), 1U);
  EXPECT_EQ(of_made[0].weakest, Evidence::model);
  EXPECT_EQ(evidence_line(of_made), "evidence: " + kF16.name() + " model (fraction_bits, floor)\n");
  EXPECT_EQ(evidence_json(of_made).dump(),
            R"([{"unit":")" + kF16.name() +
                R"(","evidence":"model","parameters":["fraction_bits","floor"]}])");
  made.provenance = {{"algorithm", Evidence::hardware, ""}, {"round", Evidence::hardware, ""}};
  EXPECT_EQ(evidence_text(weakest_evidence({made})), kF16.name() + " hardware");
  EXPECT_EQ(evidence_line(weakest_evidence({kDesign})), "");
}

TEST(Evidence, OfAPlanIsThatOfItsUnit) {
  const std::string nested = "plan:split-k(chain(" + kF16.name() + ",k=16),k=64,parts=4)";
  const auto unit = unit_of(find_instruction(nested));
  ASSERT_TRUE(unit);
  EXPECT_EQ(unit->name(), kF16.name());
  EXPECT_EQ(unit_of(chained(kF16, 16))->name(), kF16.name());
  EXPECT_FALSE(unit_of(find_instruction("plan:chain(" + kDesign.name() + ",k=16)")));
}

// Every instruction of the catalogue has evidence.
TEST(Evidence, IsKnownOfTheWholeCatalogue) {
  EXPECT_EQ(weakest_evidence(catalogue()).size(), catalogue().size());
  EXPECT_THAT(evidence_summary(weakest_evidence(catalogue())),
              testing::HasSubstr("the weakest for each of " + std::to_string(catalogue().size())));
}

}  // namespace
}  // namespace mmaspec::scope_test
