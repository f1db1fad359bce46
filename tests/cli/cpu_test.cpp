// `--device cpu`: this machine's own instructions. Tests of instructions that the CPU does not have
// are skipped with a message.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tests/support/cli/process.h"

namespace mmaspec::cli_test::cpu_test {
namespace {

using testing::HasSubstr;

/// The reason why the CPU does not run the instruction; empty if it does.
std::string lack(const std::string& instruction) {
  const Outcome outcome = mmaspec({"replay", "--random", "1", instruction, "--device", "cpu"});
  return outcome.status == 2 ? outcome.err : "";
}

void agrees(const std::string& instruction, const std::string& rows) {
  if (const std::string why = lack(instruction); !why.empty()) GTEST_SKIP() << why;
  const Outcome outcome = mmaspec({"replay", "--random", rows, instruction, "--device", "cpu"});
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr(rows + " passed, 0 failed"));
}

TEST(Cpu, RunsVdpbf16psAsSpecified) { agrees("x86/vdpbf16ps", "20000"); }
TEST(Cpu, RunsVfmaddInF32AsSpecified) { agrees("x86/vfmadd231ps", "20000"); }
TEST(Cpu, RunsVfmaddInF64AsSpecified) { agrees("x86/vfmadd231pd", "20000"); }

// Each model is wrong in one respect: the order of a pair, its single rounding, or flushing.
TEST(Cpu, RefutesWrongModels) {
  if (const std::string why = lack("x86/vdpbf16ps"); !why.empty()) GTEST_SKIP() << why;
  const std::string formats = "a=bf16,b=bf16,c=f32,d=f32,k=2,";
  const std::string right =
      "design:sequential-fma(" + formats + "flush_inputs=yes,underflow=flush-tiny,reversed=2)";
  const auto run = [&](const std::string& design) {
    return mmaspec({"replay", "--random", "20000", design, "--device", "cpu:vdpbf16ps"});
  };
  EXPECT_EQ(run(right).status, 0) << run(right).out;
  for (const std::string& wrong :
       {"design:sequential-fma(" + formats + "flush_inputs=yes,underflow=flush-tiny)",
        "design:sequential-fma(" + formats + "flush_inputs=yes,reversed=2)",
        "design:sequential-fma(" + formats + "underflow=flush-tiny,reversed=2)",
        "design:exact-dot-add(" + formats + "underflow=flush)",
        "design:pair-dot-add(" + formats + "flush_inputs=yes,underflow=flush-tiny)"}) {
    const Outcome outcome = run(wrong);
    EXPECT_EQ(outcome.status, 1) << wrong;
    EXPECT_THAT(outcome.out, HasSubstr("device  ")) << wrong;
    EXPECT_THAT(outcome.out, HasSubstr("spec    ")) << wrong;
  }
}

// Of rivals that few random rows distinguish, the one that equals the silicon remains.
TEST(Cpu, DecidesBetweenRivals) {
  if (const std::string why = lack("x86/vdpbf16ps"); !why.empty()) GTEST_SKIP() << why;
  const std::string rival =
      "design:sequential-fma(a=bf16,b=bf16,c=f32,d=f32,k=2,flush_inputs=yes,underflow=flush,"
      "reversed=2)";
  const Outcome outcome =
      mmaspec({"replay", "--decide", "x86/vdpbf16ps", rival, "--device", "cpu"});
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("survives: x86/vdpbf16ps"));
}

TEST(Cpu, SaysWhatItCannotRun) {
  const auto error = [](const std::vector<std::string>& arguments) {
    const Outcome outcome = mmaspec(arguments);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  };
  EXPECT_THAT(error({"replay", "--random", "5", "arm/bfdot", "--device", "cpu"}),
              HasSubstr("arm/bfdot: an instruction of arm"));
  EXPECT_THAT(error({"replay", "--random", "5", "x86/tdpbf16ps", "--device", "cpu"}),
              HasSubstr("tdpbf16ps"));
  EXPECT_THAT(error({"replay", "--random", "5", "x86/vdpbf16ps", "--device", "cpu:vdpbf16"}),
              HasSubstr("did you mean 'x86/vdpbf16ps'?"));
  EXPECT_THAT(error({"replay", "--random", "5",
                     "design:sequential-fma(a=bf16,b=bf16,c=f32,d=f32,k=2)", "--device", "cpu"}),
              HasSubstr("cpu:INSTRUCTION"));
}

// A longer chain is executed as by a kernel, with each result as the next c.
TEST(Cpu, RunsChains) {
  if (const std::string why = lack("x86/vfmadd231ps"); !why.empty()) GTEST_SKIP() << why;
  const Outcome outcome =
      mmaspec({"replay", "--random", "2000", "design:sequential-fma(a=f32,b=f32,c=f32,d=f32,k=8)",
               "--device", "cpu:vfmadd231ps"});
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
}

}  // namespace
}  // namespace mmaspec::cli_test::cpu_test
