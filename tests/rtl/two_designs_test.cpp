// Two hardware designs against each other: several files, other ports, another latency.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/cli/process.h"
#include "util/json.h"

namespace mmaspec::rtl::two_designs_test {
namespace {

using cli_test::Folder;
using cli_test::has_program;
using cli_test::mmaspec;
using cli_test::Outcome;
using testing::HasSubstr;

constexpr const char* kPlain = R"(
module plain(input signed [15:0] a, b, input signed [31:0] c, output signed [31:0] d);
  wire signed [7:0] a0 = a[7:0], a1 = a[15:8], b0 = b[7:0], b1 = b[15:8];
  assign d = c + a0 * b0 + a1 * b1;
endmodule
)";

constexpr const char* kMultiplier = R"(
module multiplier(input clk, input signed [7:0] x, y, output reg signed [15:0] p);
  always @(posedge clk) p <= x * y;
endmodule
)";

constexpr const char* kPipeline = R"(
module pipeline #(parameter WIDTH = 17) (
  input clk, input [7:0] x0, x1, y0, y1, input signed [31:0] acc, output reg signed [31:0] sum);
  wire signed [15:0] p0, p1;
  multiplier m0(clk, x0, y0, p0);
  multiplier m1(clk, x1, y1, p1);
  reg signed [31:0] held;
  always @(posedge clk) held <= acc;
  wire signed [WIDTH-1:0] both = p0 + p1;
  always @(posedge clk) sum <= held + both;
endmodule
)";

class TwoDesigns : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_program("yosys")) GTEST_SKIP() << "there is no yosys";
    plain_ = folder_.write("plain.v", kPlain);
    multiplier_ = folder_.write("multiplier.v", kMultiplier);
    pipeline_ = folder_.write("pipeline.v", kPipeline);
  }
  Outcome ask(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{"rtl",
                                       pipeline_,
                                       multiplier_,
                                       "--top",
                                       "pipeline",
                                       "--latency",
                                       "2",
                                       "--map",
                                       "a={x1,x0}",
                                       "--map",
                                       "b={y1,y0}",
                                       "--map",
                                       "c=acc",
                                       "--map",
                                       "d=sum",
                                       "--formats",
                                       "s8,s8,s32,s32",
                                       "--k",
                                       "2",
                                       "--against-rtl",
                                       plain_,
                                       "--against-top",
                                       "plain",
                                       "--against-latency",
                                       "0",
                                       "--against-map",
                                       "a=a"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return mmaspec(arguments);
  }

  Folder folder_;
  std::string plain_;
  std::string multiplier_;
  std::string pipeline_;
};

TEST_F(TwoDesigns, EqualOnesAreProved) {
  const Outcome o = ask({"--json"});
  ASSERT_EQ(o.status, 0) << o.out << o.err;
  const Json answer = Json::parse(o.out);
  EXPECT_EQ(answer["against"], "against-rtl/plain");
  if (has_program("iverilog")) {
    EXPECT_EQ(answer["simulation"]["rows"], 256);
    EXPECT_EQ(answer["against_simulation"]["rows"], 256);
  }
}

TEST_F(TwoDesigns, AWitnessIsConfirmedByTheSimulationOfBoth) {
  folder_.write("pipeline.v", std::string(kPipeline).replace(
                                  std::string(kPipeline).find("WIDTH = 17"), 10, "WIDTH = 16"));
  const Outcome o = ask({"--json"});
  ASSERT_EQ(o.status, 1) << o.out << o.err;
  const Json answer = Json::parse(o.out);
  if (has_program("iverilog")) {
    EXPECT_TRUE(answer["simulation"]["fails"].get<bool>());
    EXPECT_TRUE(answer["against_simulation"]["fails"].get<bool>());
    const auto bits = [&](const char* member) {
      return "0x" + answer["witness"][member].get<std::string>();
    };
    EXPECT_EQ(answer["simulation"]["d"].get<std::string>(), bits("d_other"));
    EXPECT_EQ(answer["against_simulation"]["d"].get<std::string>(), bits("d"));
  }
}

TEST_F(TwoDesigns, FilesMayComeFromAList) {
  const std::string list =
      folder_.write("files.f", "// sources\n+define+UNUSED=1 +incdir+" + folder_.path().string() +
                                   "\npipeline.v # the top\n-F " +
                                   folder_.write("more.f", "multiplier.v\n") + "\n");
  std::vector<std::string> arguments{
      "rtl",       "--top",     "pipeline",
      "--latency", "2",         "--map",
      "a={x1,x0}", "--map",     "b={y1,y0}",
      "--map",     "c=acc",     "--map",
      "d=sum",     "--against", "design:integer-dot-add(a=s8,b=s8,c=s32,d=s32,k=2)"};
  const auto with = [&](const std::string& file) {
    std::vector<std::string> all = arguments;
    all.insert(all.end(), {"-f", file});
    return mmaspec(all);
  };
  const Outcome missing = with(list);  // pipeline.v is looked for in the current folder
  EXPECT_EQ(missing.status, 2);
  EXPECT_THAT(missing.err, HasSubstr("pipeline.v: cannot be read"));
  const Outcome o = with(folder_.write("outer.f", "-F " + list + "\n"));
  EXPECT_EQ(o.status, 0) << o.out << o.err;
  EXPECT_THAT(with(folder_.write("bad.f", "\n-v lib.v\n")).err,
              HasSubstr("bad.f:2: -v: this option"));
  EXPECT_THAT(with(folder_.write("bad.f", "$NOT_SET_AT_ALL/x.v\n")).err,
              HasSubstr("NOT_SET_AT_ALL"));
  EXPECT_EQ(mmaspec(arguments).status, 2);
}

TEST_F(TwoDesigns, WhatIsMissingOrDoesNotFitIsSaid) {
  const auto says = [](const std::vector<std::string>& arguments) {
    const Outcome o = mmaspec(arguments);
    EXPECT_EQ(o.status, 2) << o.out;
    return o.err;
  };
  EXPECT_THAT(says({"rtl", plain_, "--top", "plain", "--against-top", "plain", "--formats",
                    "s8,s8,s32,s32", "--k", "2"}),
              HasSubstr("--against-rtl is required"));
  EXPECT_THAT(says({"rtl", plain_, "--top", "plain", "--against-rtl", plain_, "--formats",
                    "s8,s8,s32,s32", "--k", "2"}),
              HasSubstr("--against-top is required"));
  EXPECT_THAT(says({"rtl", plain_, "--top", "plain", "--against-rtl", plain_, "--against-top",
                    "plain", "--formats", "s8,s8,s32,s32", "--k", "2", "--against-map", "c=0"}),
              HasSubstr("same constant operands"));
  EXPECT_THAT(says({"rtl", plain_, "--top", "plain", "--against", "design:exact-dot-add",
                    "--against-rtl", plain_}),
              HasSubstr("exclude each other"));
}

}  // namespace
}  // namespace mmaspec::rtl::two_designs_test
