// Exception flags of RTL: `rtl --map flags=...`.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/cli/process.h"
#include "util/json.h"

namespace mmaspec::rtl::flags_test {
namespace {

using cli_test::expect_refused;
using cli_test::has_program;
using cli_test::mmaspec;
using cli_test::Outcome;
using testing::HasSubstr;

const std::string kDesign = MMASPEC_SOURCE_DIR "/tests/rtl/designs/flags.v";
const std::string kProduct = "design:sequential-fma(a=e5m2,b=e5m2,c=e5m2,d=e5m2,k=1)";

class Flags : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_program("yosys")) GTEST_SKIP() << "there is no yosys";
  }
  static Outcome ask(const std::vector<std::string>& more, const std::string& against = kProduct,
                     const std::string& signals = "{nv,dz,of,uf,nx}") {
    std::vector<std::string> arguments{
        "rtl",   kDesign, "--top", "flags", "--any-nan",        "--against",
        against, "--map", "c=0",   "--map", "flags=" + signals, "--where",
        "d != 0"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return mmaspec(arguments);
  }
};

TEST_F(Flags, OfAMultiplierAreProved) {
  const Outcome o = ask({"--json"});
  ASSERT_EQ(o.status, 0) << o.out << o.err;
  const Json answer = Json::parse(o.out);
  EXPECT_EQ(answer["verdict"], "proved");
  EXPECT_EQ(answer["flags"]["verdict"], "proved");
  EXPECT_EQ(answer["flags"]["how"], "enumeration");
}

TEST_F(Flags, AMissingOverflowIsAWitness) {
  const Outcome o = ask({"--define", "WRONG_OVERFLOW"});
  EXPECT_EQ(o.status, 1) << o.out << o.err;
  EXPECT_THAT(o.out, HasSubstr("proved: rtl/flags computes " + kProduct));
  EXPECT_THAT(o.out, HasSubstr("rtl/flags does not compute the flags of " + kProduct));
  EXPECT_THAT(o.out, HasSubstr("specified flags: overflow, inexact; flags of rtl/flags: inexact"));
}

TEST_F(Flags, TininessIsAnOption) {
  const Outcome o = ask({"--tininess", "before"});
  EXPECT_EQ(o.status, 1) << o.out << o.err;
  EXPECT_THAT(o.out, HasSubstr("specified flags: underflow, inexact; flags of rtl/flags: inexact"));
}

TEST_F(Flags, MustBeDefined) {
  const auto refused = [](const std::string& design, const std::string& why) {
    expect_refused(ask({}, design), {"--map flags: flags are not defined for " + design, why});
  };
  refused("design:exact-dot-add(a=e4m3,b=e4m3,c=f32,d=f32,k=1)",
          "e4m3 is not a format of IEEE 754");
  refused("design:sequential-fma(a=f16,b=f16,c=f32,d=f32,k=2)", "it rounds more than once");
  refused("design:fused-dot-add(a=f16,b=f16,c=f32,d=f32,k=1,fraction_bits=24)",
          "only design:sequential-fma with k=1 and design:exact-dot-add have one rounding");
  expect_refused(ask({}, kProduct, "{nv,dz,of,uf}"), {"--map flags:", "5 bits"});
  expect_refused(ask({}, kProduct, "{nv,dz,of,uf,fx}"), {"--map flags:", "no signal 'fx'"});
  expect_refused(mmaspec({"rtl", kDesign, "--top", "flags", "--map", "flags=nv", "--answer",
                          "--formats", "e5m2,e5m2,e5m2,e5m2", "--k", "1"}),
                 {"--map flags needs --against"});
}

}  // namespace
}  // namespace mmaspec::rtl::flags_test
