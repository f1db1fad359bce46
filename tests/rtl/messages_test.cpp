// What the command says of designs that it cannot check as they are given: signals by their names
// in the RTL, and what the user can do; constants in the place of ports.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/cli/process.h"
#include "util/json.h"

namespace mmaspec::rtl::messages_test {
namespace {

using cli_test::Folder;
using cli_test::has_program;
using cli_test::mmaspec;
using cli_test::Outcome;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kClocks = R"(
module register(input ck, input [31:0] x, output reg [31:0] y);
  always @(posedge ck) y <= x;
endmodule
module falling(input ck, input [31:0] x, output reg [31:0] y);
  always @(negedge ck) y <= x;
endmodule
module aliased(input clk, input [15:0] a, b, input [31:0] c, output [31:0] d);
  wire ck = clk;
  wire [31:0] m;
  register first(ck, c, m);
  register second(.ck(clk), .x(m), .y(d));
endmodule
module inverted(input clk, input [15:0] a, b, input [31:0] c, output [31:0] d);
  wire ck_n = ~clk;
  wire [31:0] m;
  register first(ck_n, c, m);
  falling second(clk, m, d);
endmodule
module bit_of_port(input [1:0] clks, input [15:0] a, b, input [31:0] c, output [31:0] d);
  register only(clks[1], c, d);
endmodule
module two_clocks(input clk, other_clk, input [15:0] a, b, input [31:0] c, output [31:0] d);
  wire [31:0] m;
  wire ck = other_clk;
  register first(clk, c, m);
  register second(ck, m, d);
endmodule
module two_edges(input clk, input [15:0] a, b, input [31:0] c, output [31:0] d);
  wire [31:0] m;
  wire ck_n = ~clk;
  register first(clk, c, m);
  register second(ck_n, m, d);
endmodule
module gate(input clk, enable, input [15:0] a, b, input [31:0] c, output [31:0] d);
  wire gated = clk & enable;
  register only(gated, c, d);
endmodule
module divided(input clk, input [15:0] a, b, input [31:0] c, output [31:0] d);
  reg half;
  always @(posedge clk) half <= ~half;
  register only(half, c, d);
endmodule
module no_registers(input clk, input [15:0] a, b, input [31:0] c, output [31:0] d);
  assign d = c;
endmodule
)";

constexpr const char* kUndefined = R"(
module part(input [31:0] x, output [31:0] y);
  wire [31:0] missing;
  assign y = x ^ missing;
endmodule
module undriven(input rst, input [15:0] a, b, input [31:0] c, output [31:0] d);
  wire [31:0] e, unused;
  part u_part(c, e);
  assign d = a[0] ? e : unused & 0;
endmodule
module port(input rst, input [15:0] a, b, input [31:0] c, output [31:0] d);
  assign d = rst ? 0 : c;
endmodule
module default_x(input [15:0] a, b, input [31:0] c, output reg [31:0] d);
  always @* case (a[1:0])
    0: d = c;
    1: d = 32'hx;
    default: d = {28'd0, 4'b1z0x};
  endcase
endmodule
module divider(input [15:0] a, b, input [31:0] c, output [31:0] d);
  wire [15:0] quotient = a / b;
  assign d = quotient + c;
endmodule
module unused_divider(input [15:0] a, b, input [31:0] c, output [31:0] d);
  wire [15:0] quotient = a / b;
  assign d = c;
endmodule
)";

constexpr const char* kIndexes = R"(
module beyond(input [15:0] a, b, input [31:0] c, output [31:0] d);
  wire [31:0] shifted = c[b[4:0] +: 32];
  assign d = ~shifted;
endmodule
module within(input [15:0] a, b, input [31:0] c, output [31:0] d);
  wire [31:0] shifted = b[4:0] == 0 ? c[b[7:0] >> 5 +: 32] : 32'd0;
  assign d = b[7:5] != 0 ? c : shifted;
endmodule
)";

class Messages : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_program("yosys")) GTEST_SKIP() << "there is no yosys";
    clocks_ = folder_.write("clocks.v", kClocks);
    undefined_ = folder_.write("undefined.v", kUndefined);
  }
  static Outcome ask(const std::string& file, const std::string& top,
                     const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{
        "rtl", file,        "--top",
        top,   "--against", "design:exact-dot-add(a=f16,b=f16,c=f32,d=f32,k=1)"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return mmaspec(arguments);
  }
  /// Bad input: one line.
  static std::string refusal(const Outcome& o) {
    EXPECT_EQ(o.status, 2) << o.out << o.err;
    EXPECT_EQ(std::count(o.err.begin(), o.err.end(), '\n'), 1) << o.err;
    return o.err;
  }

  Folder folder_;
  std::string clocks_;
  std::string undefined_;
};

TEST_F(Messages, AliasesOfAClockAreTheClock) {
  for (const std::vector<std::string>& more :
       std::vector<std::vector<std::string>>{{}, {"--clock", "clk"}}) {
    for (const char* top : {"aliased", "inverted"}) {
      std::vector<std::string> options{"--latency", "2", "--json"};
      options.insert(options.end(), more.begin(), more.end());
      const Outcome o = ask(clocks_, top, options);
      ASSERT_EQ(o.status, 1) << top << o.err;
      const Json answer = Json::parse(o.out);
      EXPECT_EQ(answer["witness"]["c"], answer["witness"]["d_other"]);
      if (has_program("iverilog")) {
        EXPECT_TRUE(answer["simulation"]["fails"].get<bool>()) << o.out;
        EXPECT_EQ(answer["simulation"]["rows"], 257);
      }
    }
  }
  EXPECT_EQ(ask(clocks_, "bit_of_port", {"--latency", "1", "--clock", "clks[1]"}).status, 1);
  EXPECT_EQ(ask(clocks_, "gate", {"--latency", "1", "--set", "enable=1"}).status, 1);
}

TEST_F(Messages, NameTheClocksThatDiffer) {
  EXPECT_THAT(
      refusal(ask(clocks_, "two_clocks", {"--latency", "2"})),
      AllOf(HasSubstr("the rising edge of clk ("), HasSubstr("the rising edge of other_clk (")));
  EXPECT_THAT(refusal(ask(clocks_, "two_edges", {"--latency", "2"})),
              AllOf(HasSubstr("the rising edge of clk ("), HasSubstr("the falling edge of clk (")));
  EXPECT_THAT(refusal(ask(clocks_, "gate", {"--latency", "1"})),
              AllOf(HasSubstr("gated"), HasSubstr("made by logic"), HasSubstr("--set")));
  EXPECT_THAT(refusal(ask(clocks_, "gate", {"--latency", "1", "--set", "enable=0"})),
              HasSubstr("is constant"));
  EXPECT_THAT(refusal(ask(clocks_, "divided", {"--latency", "1"})),
              AllOf(HasSubstr("the rising edge of half ("), Not(HasSubstr("line"))));
  EXPECT_THAT(refusal(ask(clocks_, "aliased", {"--latency", "2", "--clock", "ck"})),
              HasSubstr("rising edge of clk"));
  EXPECT_THAT(refusal(ask(clocks_, "no_registers", {"--latency", "1"})), HasSubstr("no registers"));
  EXPECT_THAT(refusal(ask(clocks_, "aliased", {"--latency", "1"})),
              AllOf(HasSubstr("initial value of register first.y"), HasSubstr("--latency")));
}

TEST_F(Messages, NameUndefinedSignals) {
  EXPECT_THAT(refusal(ask(undefined_, "undriven")),
              AllOf(HasSubstr("the undefined value of u_part.missing"),
                    Not(HasSubstr("undefined value 1")), Not(HasSubstr("rst"))));
  EXPECT_THAT(refusal(ask(undefined_, "port")),
              AllOf(HasSubstr("port rst"), HasSubstr("--set PORT=VALUE")));
  EXPECT_THAT(refusal(ask(undefined_, "default_x")),
              HasSubstr("the undefined value of a value in d"));
  EXPECT_THAT(refusal(ask(undefined_, "divider")),
              AllOf(HasSubstr("division"), HasSubstr("quotient")));
  EXPECT_EQ(ask(undefined_, "unused_divider").status, 1);
}

// c[n +: 32] has bits beyond c unless n is 0.
TEST_F(Messages, ReadsBeyondAVectorAreUndefined) {
  const std::string file = folder_.write("indexes.v", kIndexes);
  EXPECT_THAT(refusal(ask(file, "beyond")),
              AllOf(HasSubstr("undefined"), HasSubstr("shifted"), HasSubstr("index")));
  EXPECT_EQ(ask(file, "within").status, 1);
}

TEST_F(Messages, HintAtAnotherFrontEnd) {
  const std::string cast =
      "module top(input [15:0] a, b, input [31:0] c, output [31:0] d);\n"
      "  typedef struct packed { logic s; logic [30:0] r; } t; t x;\n"
      "  assign x = c; assign d = '{s: ~x.s, r: x.r};\nendmodule\n";
  EXPECT_THAT(refusal(ask(folder_.write("top.sv", cast), "top")), HasSubstr("--front-end slang"));
  EXPECT_THAT(refusal(ask(folder_.write("top.v", cast), "top")),
              AllOf(HasSubstr("--front-end slang"), HasSubstr("*.sv")));
  EXPECT_THAT(refusal(ask(folder_.write("top.vhd", "entity top is end;"), "top")),
              HasSubstr("ghdl"));
}

// d = a * b of e4m3, in f16: there is no c.
constexpr const char* kNoC = R"(
module product(input signed [7:0] a, b, output signed [31:0] d);
  assign d = a * b;
endmodule
module wrong(input signed [7:0] a, b, output signed [31:0] d);
  assign d = a == 77 && b == -3 ? 5 : a * b;
endmodule
)";

TEST_F(Messages, OperandsMayBeConstants) {
  const std::string file = folder_.write("no_c.v", kNoC);
  const std::string against = "design:integer-dot-add(a=s8,b=s8,c=s32,d=s32,k=1)";
  const auto rtl = [&](const std::string& top, const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"rtl", file, "--top", top, "--against", against};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return mmaspec(arguments);
  };
  EXPECT_THAT(refusal(rtl("product", {})), HasSubstr("--map c=0"));
  for (const char* zero : {"c=0", "c=32'h0", "c=0x0", "c=32'd0", "c='b0"}) {
    const Outcome o = rtl("product", {"--map", zero});
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_THAT(o.out, HasSubstr("all inputs with c = 0x00000000"));
  }
  // Another constant: d = a * b is no longer right.
  const Outcome five = rtl("product", {"--map", "c=5", "--json"});
  ASSERT_EQ(five.status, 1) << five.err;
  EXPECT_EQ(Json::parse(five.out)["witness"]["c"], "00000005");
  EXPECT_EQ(Json::parse(five.out)["inputs"], "all inputs with c = 0x00000005");
  const Outcome wrong = rtl("wrong", {"--map", "c=0", "--json"});
  ASSERT_EQ(wrong.status, 1) << wrong.err;
  EXPECT_EQ(Json::parse(wrong.out)["witness"]["a"], "4d");
  EXPECT_EQ(Json::parse(wrong.out)["witness"]["b"], "fd");
  for (const char* bad : {"c=33'h100000000", "c=4'h1f", "c=12x", "d=0", "e=0"}) {
    refusal(rtl("product", {"--map", bad}));
  }
  // a is 1 in both elements: the unit adds.
  const std::string adds =
      folder_.write("adds.v",
                    "module adds(input signed [15:0] b, input [31:0] c, output [31:0] d);\n"
                    "  assign d = $signed(b[7:0]) + $signed(b[15:8]) + $signed(c);\nendmodule\n");
  const Outcome one = mmaspec({"rtl", adds, "--top", "adds", "--map", "a=8'd1", "--against",
                               "design:integer-dot-add(a=s8,b=s8,c=s32,d=s32,k=2)"});
  EXPECT_EQ(one.status, 0) << one.out << one.err;
  EXPECT_THAT(one.out, HasSubstr("a[*] = 0x01"));
  EXPECT_THAT(refusal(mmaspec({"prove", "commutative", "--rtl", file, "--top", "product", "--map",
                               "c=0", "--formats", "s8,s8,s32,s32", "--k", "1"})),
              HasSubstr("--map must name ports"));
}

TEST_F(Messages, AProofAboutNoInputIsVacuous) {
  const std::string file = folder_.write("no_c.v", kNoC);
  const std::vector<std::string> question{
      "rtl",   file,  "--top",  "wrong",  "--against", "design:integer-dot-add(a=s8,b=s8,k=1)",
      "--map", "c=0", "--json", "--where"};
  const auto with = [&](const std::string& where) {
    std::vector<std::string> arguments = question;
    arguments.push_back(where);
    const Outcome o = mmaspec(arguments);
    EXPECT_EQ(o.status, 0) << o.out << o.err;
    return Json::parse(o.out);
  };
  EXPECT_EQ(with("c == 3")["vacuous"], true);
  EXPECT_EQ(with("a[0] < -128")["vacuous"], true);
  EXPECT_EQ(with("a[0] < 77")["vacuous"], false);
}

TEST_F(Messages, IdentifyAsksUnitsWithoutC) {
  const char* binary = std::getenv("MMASPEC_BINARY");
  ASSERT_NE(binary, nullptr);
  const std::string oracle = std::string(binary) + " rtl " + folder_.write("no_c.v", kNoC) +
                             " --top product --map c=0 --formats s8,s8,s32,s32 --k 1 --answer";
  const std::vector<std::string> question{"identify",      "--oracle", oracle, "--formats",
                                          "s8,s8,s32,s32", "--k",      "1",    "--confirm",
                                          "500",           "--json"};
  EXPECT_THAT(refusal(mmaspec(question)), HasSubstr("answers only rows with c = 0x00000000"));
  std::vector<std::string> without = question;
  without.emplace_back("--no-c");
  const Outcome o = mmaspec(without);
  ASSERT_EQ(o.status, 0) << o.out << o.err;
  const Json answer = Json::parse(o.out);
  EXPECT_EQ(answer["verdict"], "identified");
  EXPECT_EQ(answer["where"], "c == 0 && !negative(c)");
  const std::string rows =
      folder_.write("rows.jsonl",
                    "{\"instr\":\"oracle\",\"a\":\"01\",\"b\":\"01\",\"c\":\"00000001\",\"d\":"
                    "\"00000002\"}\n");
  EXPECT_THAT(refusal(mmaspec({"identify", "--recorded", rows, "--no-c", "--formats",
                               "s8,s8,s32,s32", "--k", "1"})),
              HasSubstr("--no-c"));
}

TEST_F(Messages, AnInternalErrorOfYosysIsOneLineWithAdvice) {
  const std::string program =
      folder_.write("broken-yosys",
                    "#!/bin/sh\necho 'ERROR: Assert failed in simplify.cc:1.' >&2\n"
                    "exit 1\n");
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  setenv("MMASPEC_YOSYS", program.c_str(), 1);
  const Outcome o = mmaspec({"rtl", folder_.write("no_c.v", kNoC), "--top", "product", "--against",
                             "design:integer-dot-add(a=s8,b=s8,c=s32,d=s32,k=1)"});
  unsetenv("MMASPEC_YOSYS");
  EXPECT_THAT(refusal(o), HasSubstr("ERROR: Assert failed in simplify.cc:1. (an internal error of "
                                    "Yosys; try a newer version"));
}

}  // namespace
}  // namespace mmaspec::rtl::messages_test
