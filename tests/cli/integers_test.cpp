// Integer instructions on the command line: operands and results in decimal, this machine's own
// instructions, and one clear line if a command does not accept integers.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/cli/process.h"
#include "util/json.h"

namespace mmaspec::cli_test::integers_test {
namespace {

using testing::HasSubstr;

const std::string kMma = "ampere/mma.m8n8k16.s32.s8.s8.s32";
const std::string kSatfinite = "ampere/mma.m8n8k16.satfinite.s32.s8.s8.s32";

TEST(Integers, AreWrittenInDecimal) {
  const Outcome outcome =
      mmaspec({"eval", kMma, "--a=-128,0x7f,3", "--b", "-128,0x80,-1", "--c", "2147483647"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  // 2^31 - 1 + 16384 - 16256 - 3
  EXPECT_EQ(outcome.out, "d = 0x8000007c  -2147483524\n");
  const Outcome saturated = mmaspec(
      {"eval", kSatfinite, "--a=-128", "--b", "-128", "--c", "2147483647", "--json", "--trace"});
  EXPECT_EQ(saturated.status, 0) << saturated.err;
  const Json row = Json::parse(saturated.out);
  EXPECT_EQ(row.at("d"), "7fffffff");
  EXPECT_EQ(row.at("value"), "2147483647");
  const Outcome none = mmaspec({"eval", kMma, "--a", "128", "--b", "1"});
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.err, HasSubstr("s8 does not represent 128; nearest: 127"));
}

TEST(Integers, DifferWhereSumsSaturate) {
  const std::string k = "design:integer-dot-add(k=4,overflow=saturate";
  const Outcome outcome = mmaspec({"diff", k + ")", k + ",group=2)", "--json"});
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  EXPECT_EQ(mmaspec({"diff", kMma, "hopper/mma.m8n8k16.s32.s8.s8.s32"}).status, 0);
  const Outcome mixed = mmaspec({"diff", kMma, "ampere/mma.m16n8k16.f32.f16.f16.f32"});
  EXPECT_EQ(mixed.status, 2);
  EXPECT_THAT(mixed.err, HasSubstr("one unit computes with integers"));
}

TEST(Integers, AreExportedAsFormulas) {
  for (const char* format : {"smtlib2", "dot", "json"}) {
    EXPECT_EQ(mmaspec({"export", kSatfinite, "--format", format}).status, 0) << format;
  }
}

TEST(Integers, AreIdentified) {
  const std::string hidden = "design:integer-dot-add(a=s8,b=s8,k=8,overflow=saturate,group=4)";
  const Outcome outcome = mmaspec({"identify", "--json", "--oracle",
                                   "\"$MMASPEC_BINARY\" eval '" + hidden + "' --rows -",
                                   "--formats", "s8,s8,s32,s32", "--k", "8", "--confirm", "1000"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json found = Json::parse(outcome.out);
  EXPECT_EQ(found.at("verdict"), "identified");
  EXPECT_EQ(found.at("equal"), "proved");
  EXPECT_THAT(found.at("design"), HasSubstr("overflow=saturate,group=4"));
}

TEST(Integers, AndFloatsAreNotIdentifiedTogether) {
  const Outcome outcome = mmaspec(
      {"identify", "--oracle", "cat", "--formats", "s8,s8,f32,f32", "--k", "4", "--timeout", "5"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
}

TEST(Integers, SayWhichPropertiesDoNotApply) {
  const Outcome outcome = mmaspec({"prove", "no-spurious-nan", kMma});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("integers"));
}

/// Runs rows on this CPU and compares its output; skipped if the CPU does not have the instruction.
void agrees(const std::string& name, const std::string& device, int status,
            const std::string& said) {
  const Outcome known = mmaspec({"replay", "--random", "1", name, "--device", device});
  if (known.status == 2) GTEST_SKIP() << known.err;
  const Outcome outcome = mmaspec({"replay", "--random", "50000", name, "--device", device});
  EXPECT_EQ(outcome.status, status) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr(said));
}

TEST(CpuIntegers, RunVpdpbusdAsSpecified) { agrees("x86/vpdpbusd", "cpu", 0, "50000 passed"); }
TEST(CpuIntegers, RunVpdpbusdsAsSpecified) { agrees("x86/vpdpbusds", "cpu", 0, "50000 passed"); }
TEST(CpuIntegers, RunVpdpwssdAsSpecified) { agrees("x86/vpdpwssd", "cpu", 0, "50000 passed"); }
TEST(CpuIntegers, RunVpdpwssdsAsSpecified) { agrees("x86/vpdpwssds", "cpu", 0, "50000 passed"); }

// Wrong in the place of saturation, in saturation at all, and in which operand is signed.
TEST(CpuIntegers, RefuteWrongModels) {
  const std::string formats = "design:integer-dot-add(a=u8,b=s8,k=4";
  agrees(formats + ",overflow=saturate)", "cpu:vpdpbusds", 0, "50000 passed");
  agrees(formats + ",overflow=saturate,group=2)", "cpu:vpdpbusds", 1, "spec ");
  agrees(formats + ")", "cpu:vpdpbusds", 1, "spec ");
  agrees(formats + ",overflow=saturate)", "cpu:vpdpbusd", 1, "spec ");
}

}  // namespace
}  // namespace mmaspec::cli_test::integers_test
