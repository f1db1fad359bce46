// Conversions on the command line: the commands that accept them, and that the others refuse them
// in one line.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/cli/process.h"

namespace mmaspec::cli_test::conversions_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const std::string kAway = "hopper/cvt.rna.tf32.f32";
const std::string kEven = "hopper/cvt.rn.tf32.f32";
const std::string kProduct = "hopper/mma.m16n8k16.f32.f16.f16.f32";

TEST(Conversions, AreListed) {
  const Outcome all = mmaspec({"list", "--conversions", "--arch", "h100"});
  EXPECT_EQ(all.status, 0);
  EXPECT_THAT(all.out, AllOf(HasSubstr(kAway), Not(HasSubstr("cdna4/")), Not(HasSubstr("mma."))));
  EXPECT_THAT(mmaspec({"list"}).out, Not(HasSubstr("/cvt.")));
  EXPECT_THAT(mmaspec({"list", "--conversions"}).out,
              HasSubstr("cdna4/v_cvt_scalef32_pk_fp4_f32(scale=E)"));
  EXPECT_EQ(mmaspec({"list", "--conversions", "--format", "csv"}).status, 2);
  EXPECT_EQ(mmaspec({"list", "--conversions", "--products"}).status, 2);
}

TEST(Conversions, HaveOneOperand) {
  EXPECT_THAT(mmaspec({"eval", kAway, "--c", "0x3f801000"}).out, StartsWith("d = 0x3f802000"));
  EXPECT_THAT(mmaspec({"show", kAway}).out, HasSubstr("d = c in another format"));
  EXPECT_EQ(mmaspec({"eval", kAway, "--a", "1"}).status, 2);
  EXPECT_THAT(mmaspec({"show", "--parameters", "conversion"}).out, HasSubstr("random_bits"));
}

TEST(Conversions, AreComparedAndProved) {
  const Outcome diff = mmaspec({"diff", kAway, kEven});
  EXPECT_EQ(diff.status, 1);
  EXPECT_THAT(diff.out, HasSubstr("1 ulp apart"));
  EXPECT_EQ(mmaspec({"diff", kAway, "ampere/cvt.rna.tf32.f32"}).status, 0);
  EXPECT_THAT(mmaspec({"prove", "correctly-rounded", kEven}).out, StartsWith("proved"));
  EXPECT_THAT(mmaspec({"prove", "correctly-rounded", kAway}).out, StartsWith("refuted"));
  EXPECT_THAT(mmaspec({"prove", "faithful", kAway}).out, StartsWith("proved"));
  EXPECT_THAT(mmaspec({"prove", "commutative", kAway}).out, StartsWith("not applicable"));
  const std::string scaled = "cdna4/v_cvt_scalef32_pk_f32_fp8(scale=3)";
  EXPECT_THAT(mmaspec({"prove", "faithful", scaled}).out, StartsWith("not applicable"));
  EXPECT_THAT(mmaspec({"prove", "monotone-c", scaled}).out, StartsWith("proved"));
  EXPECT_THAT(mmaspec({"prove", "monotone-c", "blackwell/cvt.rn.f16x2.e2m1x2"}).out,
              StartsWith("not applicable"));
  EXPECT_THAT(mmaspec({"prove", "faithful", "cdna3/v_cvt_pk_fp8_f32"}).out,
              StartsWith("not applicable"));
  EXPECT_EQ(mmaspec({"check", kAway, "cdna3/v_cvt_sr_fp8_f32(random=77)"}).status, 0);
}

TEST(Conversions, AreComparedInPairs) {
  const Outcome pairs = mmaspec({"matrix", kAway, kEven, "ampere/cvt.rna.tf32.f32",
                                 "design:conversion(c=f32,d=bf16)", "--format", "csv"});
  EXPECT_EQ(pairs.status, 0) << pairs.err;
  EXPECT_THAT(pairs.out, HasSubstr(kAway + "," + kEven + ",differ"));
  EXPECT_THAT(pairs.out, HasSubstr(kAway + ",ampere/cvt.rna.tf32.f32,equal"));
  // Products and conversions have no common inputs.
  const Outcome mixed = mmaspec({"matrix", kAway, kProduct});
  EXPECT_EQ(mixed.status, 0) << mixed.err;
}

TEST(Conversions, TakeTheirRandomBitsFromTheName) {
  const std::string stochastic = "blackwell/cvt.rs.satfinite.e4m3x4.f32";
  // 1.07 is 0.56 units above 1.
  EXPECT_THAT(mmaspec({"eval", stochastic + "(random=28000)", "--c", "1.07", "--round"}).out,
              StartsWith("d = 0x38"));
  EXPECT_THAT(mmaspec({"eval", stochastic + "(random=29000)", "--c", "1.07", "--round"}).out,
              StartsWith("d = 0x39"));
  EXPECT_EQ(mmaspec({"eval", stochastic + "(random=65536)", "--c", "1"}).status, 2);
  EXPECT_EQ(mmaspec({"eval", stochastic, "--c", "1"}).status, 2);
}

TEST(Conversions, AreExported) {
  for (const std::string format : {"smtlib2", "btor2", "verilog", "c", "dot", "json", "text"}) {
    const Outcome text = mmaspec({"export", kAway, "--format", format});
    EXPECT_EQ(text.status, 0) << format;
    EXPECT_FALSE(text.out.empty()) << format;
  }
  EXPECT_EQ(mmaspec({"export", kAway, "--format", "cuda"}).status, 2);
}

TEST(Conversions, AreRefusedWhereThereMustBeProducts) {
  const std::vector<std::vector<std::string>> commands = {
      {"diff", kAway, kProduct},
      {"diff", kAway, kEven, "--chain", "4"},
      {"diff", kAway, kEven, "--all-k"},
      {"diff", kAway, kEven, "--distribution", "normal"},
      {"diff", kAway, kEven, "--link"},
      {"prove", "faithful", kAway, "--picture", "conversion.svg"},
      {"eval", kAway, "--html", "conversion.html"},
      {"eval", kAway, "--chain", "4"},
      {"tolerance", kAway, kEven},
      {"suite", kAway, kEven},
      {"compare", kAway, kEven},
      {"explore", kAway},
      {"show", "plan:chain(" + kAway + ",k=2)"},
  };
  for (const auto& command : commands) {
    const Outcome refused = mmaspec(command);
    EXPECT_EQ(refused.status, 2) << command[0];
    EXPECT_EQ(std::count(refused.err.begin(), refused.err.end(), '\n'), 1) << refused.err;
  }
}

}  // namespace
}  // namespace mmaspec::cli_test::conversions_test
