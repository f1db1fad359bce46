// Products that are wrong on one pair of operands, or on one input of 2^48: no proof may overlook
// it.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/cli/process.h"
#include "util/json.h"
#include "util/split_mix.h"

namespace mmaspec::rtl::rare_faults_test {
namespace {

using cli_test::has_program;
using cli_test::mmaspec;
using cli_test::Outcome;

/// p = a * b of s8 in 16 bits, one way of several.
std::string product(int kind) {
  switch (kind) {
    case 0:
      return "  wire [7:0] x = a[7] ? -a : a;\n  wire [7:0] y = b[7] ? -b : b;\n"
             "  wire [15:0] m = x * y;\n  wire [15:0] p = a[7] ^ b[7] ? -m : m;\n";
    case 1:
      return "  wire signed [15:0] p = $signed(a) * $signed(b);\n";
    case 2:
      return "  reg [15:0] p;\n  integer i;\n  always @* begin\n    p = 0;\n"
             "    for (i = 0; i < 7; i = i + 1) if (b[i]) p = p + ({{8{a[7]}}, a} << i);\n"
             "    if (b[7]) p = p - ({{8{a[7]}}, a} << 7);\n  end\n";
    default:  // by the operands' halves
      return "  wire signed [12:0] low = $signed(a) * $signed({1'b0, b[3:0]});\n"
             "  wire signed [12:0] top = $signed(a) * $signed(b[7:4]);\n"
             "  wire [15:0] p = {top[11:0], 4'd0} + {{3{low[12]}}, low};\n";
  }
}

std::string module_with(int kind, const std::string& fault) {
  return "module top(input [7:0] a, b, input [31:0] c, output [31:0] d);\n" + product(kind) +
         "  wire fault = " + fault +
         ";\n  assign d = c + {{16{p[15]}}, p[15:1], p[0] ^ fault};\nendmodule\n";
}

Outcome ask(const std::string& file, const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{
      "rtl",    file,        "--top",
      "top",    "--against", "design:integer-dot-add(a=s8,b=s8,c=s32,d=s32,k=1)",
      "--json", "--timeout", "60"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return mmaspec(arguments);
}

class RareFaults : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    if (!has_program("yosys")) GTEST_SKIP() << "there is no yosys";
  }
};

TEST_P(RareFaults, AreNotOverlooked) {
  const int kind = GetParam();
  const cli_test::Folder folder;
  SplitMix random(static_cast<unsigned>(kind) + 1);
  const Outcome right = ask(folder.write("right.v", module_with(kind, "1'b0")));
  EXPECT_EQ(right.status, 0) << right.out << right.err;
  const unsigned a = static_cast<unsigned>(random() & 255);
  const unsigned b = static_cast<unsigned>(random() & 255);
  const std::string pair = fmt::format("a == {} && b == {}", a, b);
  const Outcome wrong = ask(folder.write("wrong.v", module_with(kind, pair)));
  ASSERT_EQ(wrong.status, 1) << wrong.out << wrong.err;
  const Json witness = Json::parse(wrong.out)["witness"];
  EXPECT_EQ(witness["a"], fmt::format("{:02x}", a));
  EXPECT_EQ(witness["b"], fmt::format("{:02x}", b));
  // One input of 2^48, and conditions that leave one c.
  const std::string input = fmt::format("{} && c == {}", pair, random() & 0x7fffffff);
  const std::string rarest = folder.write("rarest.v", module_with(kind, input));
  EXPECT_NE(ask(rarest).status, 0);
  const std::string at_zero = folder.write("zero.v", module_with(kind, pair + " && c == 0"));
  EXPECT_EQ(ask(at_zero, {"--where", "c == 0"}).status, 1);
  EXPECT_EQ(ask(at_zero, {"--where", "c == 1"}).status, 0);
  EXPECT_EQ(ask(at_zero, {"--set", "c=0", "--map", "c=0"}).status, 1);
}

INSTANTIATE_TEST_SUITE_P(Rtl, RareFaults, testing::Range(0, 4));

}  // namespace
}  // namespace mmaspec::rtl::rare_faults_test
