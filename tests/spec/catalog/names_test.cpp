// Names of instructions, formats and hardware: spellings, aliases and suggestions.

#include "spec/catalog/names/names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/catalog/instruction.h"

namespace mmaspec::names_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string kHopper = "hopper/mma.m16n8k16.f32.f16.f16.f32";

std::string refusal(const std::string& name) {
  try {
    find_instruction(name);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "was taken";
}

TEST(Names, AreReadInAnyCaseAndSpacing) {
  const std::string plan = "plan:split-k(" + kHopper + ",k=64,parts=2)";
  for (const std::string& name :
       {"plan:split-k(" + kHopper + ", k=64, parts=2)",
        std::string("PLAN:Split-K ( Hopper/MMA.m16n8k16.F32.F16.F16.F32 , K = 64 , parts = 2 )")}) {
    EXPECT_EQ(find_instruction(name).name(), plan) << name;
  }
  EXPECT_EQ(find_instruction(" SM_90/mma.m16n8k16.f32.f16.f16.f32 ").name(), kHopper);
  EXPECT_EQ(find_instruction("design:exact-dot-add(a=FP16, c=Float32, k=4)").algorithm,
            find_instruction("design:exact-dot-add(a=f16,c=f32,k=4)").algorithm);
}

TEST(Names, OfFormatsHaveAliases) {
  const std::vector<std::pair<const char*, const Format*>> aliases{
      {"fp16", &formats::f16},      {"half", &formats::f16},     {"Float16", &formats::f16},
      {"bfloat16", &formats::bf16}, {"fp32", &formats::f32},     {"float32", &formats::f32},
      {"e4m3fn", &formats::e4m3},   {"fp8_e4m3", &formats::e4m3}};
  for (const auto& [alias, format] : aliases) EXPECT_EQ(find_format(alias), format) << alias;
}

TEST(Names, OfArchitecturesMayBeCompilerTargets) {
  const std::vector<std::pair<const char*, const char*>> targets{
      {"sm70", "volta"},          {"sm_75", "turing"},      {"sm80", "ampere"},
      {"sm86", "ampere"},         {"sm89", "ada"},          {"sm90", "hopper"},
      {"SM90a", "hopper"},        {"sm100", "blackwell"},   {"gfx908", "cdna1"},
      {"sm120", "rtx-blackwell"}, {"gfx90a", "cdna2"},      {"gfx942", "cdna3"},
      {"gfx950", "cdna4"},        {"gfx1100", "rdna3"},     {"gfx1201", "rdna4"},
      {"RTX 4090", "ada"},        {"MI450", "cdna5"},       {"gfx1250", "cdna5"},
      {"gfx1151", "rdna3.5"},     {"Strix Halo", "rdna3.5"}};
  for (const auto& [name, architecture] : targets) {
    EXPECT_EQ(architecture_named(name), architecture) << name;
  }
}

TEST(Names, OfUnsupportedHardwareAreExplained) {
  for (const std::string name : {"B300", "gb10", "gaudi3", "tpu", "sm_103", "GB10"}) {
    for (const std::string& given : {name, name + "/mma.m16n8k16.f32.f16.f16.f32"}) {
      EXPECT_THAT(refusal(given),
                  AllOf(HasSubstr("not in the catalogue: "), Not(HasSubstr("did you mean"))))
          << given;
    }
  }
  // No name has two meanings.
  for (const auto& [name, says] : uncovered_products()) {
    EXPECT_EQ(architecture_named(name), std::nullopt) << name;
    EXPECT_NE(says, "");
  }
}

TEST(Names, OfParametersThatAreMisspeltAreNamed) {
  const std::string misspelt = refusal("design:fused-dot-add(k=4,fraction_bit=25)");
  EXPECT_THAT(misspelt,
              AllOf(HasSubstr("'fraction_bit'"), HasSubstr("did you mean 'fraction_bits'"),
                    Not(HasSubstr("missing"))));
  EXPECT_THAT(refusal("design:fused-dot-add(k=4)"), HasSubstr("fraction_bits is missing"));
}

}  // namespace
}  // namespace mmaspec::names_test
