// Operands and results in time: valid signals, resets, operands that arrive in several cycles; and
// operands and results in several ports.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/cli/process.h"
#include "util/json.h"

namespace mmaspec::rtl::timing_test {
namespace {

using cli_test::Folder;
using cli_test::has_program;
using cli_test::mmaspec;
using cli_test::Outcome;
using testing::HasSubstr;

const std::string kDesigns = MMASPEC_SOURCE_DIR "/tests/rtl/designs/";
using Options = std::vector<std::string>;

class Timing : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_program("yosys")) GTEST_SKIP() << "there is no yosys";
  }
  static Outcome ask(const std::string& file, const std::string& top, const std::string& against,
                     const Options& more) {
    Options arguments{"rtl", file, "--top", top, "--against", against};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return mmaspec(arguments);
  }
  static Outcome pipeline(const Options& more) {
    return ask(kDesigns + "valid_pipeline.v", "valid_pipeline",
               "design:integer-dot-add(a=s8,b=s8,c=s32,d=s32,k=2)", more);
  }
  static Outcome serial(const std::string& file, const Options& more) {
    Options options{"--map", "a=x", "--map", "b=y", "--map", "d=sum"};
    options.insert(options.end(), more.begin(), more.end());
    return ask(file, "serial", "design:integer-dot-add(a=s8,b=s8,c=s32,d=s32,k=4)", options);
  }
  /// Bad input: one line.
  static std::string refusal(const Outcome& o) {
    EXPECT_EQ(o.status, 2) << o.out << o.err;
    EXPECT_EQ(std::count(o.err.begin(), o.err.end(), '\n'), 1) << o.err;
    return o.err;
  }

  Folder folder_;
};

TEST_F(Timing, LatencyIsFoundFromTheValidSignals) {
  const Options valid{"--set", "rst_n=1", "--valid-in", "valid_i", "--valid-out", "valid_o"};
  Options json = valid;
  json.emplace_back("--json");
  const Outcome proved = pipeline(json);
  ASSERT_EQ(proved.status, 0) << proved.out << proved.err;
  EXPECT_EQ(Json::parse(proved.out)["latency"], 3);
  const Outcome text = pipeline(valid);
  EXPECT_THAT(text.out, HasSubstr("valid_o shows the result after 3 clock edges"));
  // Given, it is checked.
  Options two = valid;
  two.insert(two.end(), {"--latency", "2"});
  EXPECT_THAT(
      refusal(pipeline(two)),
      HasSubstr("valid_o of valid_pipeline is not always what valid_i was with the operands "
                "after 2 clock edges"));
  Options three = valid;
  three.insert(three.end(), {"--latency", "3"});
  EXPECT_EQ(pipeline(three).status, 0);
}

TEST_F(Timing, ABubbleBehindAnOperationIsNoPartOfIt) {
  EXPECT_THAT(refusal(pipeline({"--set", "rst_n=1", "--valid-in", "valid_i", "--valid-out",
                                "valid_o", "--define", "STALE"})),
              HasSubstr("depends on later values of port valid_i"));
}

TEST_F(Timing, OneOperationAfterAReset) {
  const Outcome o = pipeline({"--reset", "rst_n=0", "--valid-in", "valid_i", "--valid-out",
                              "valid_o", "--timeout", "120"});
  EXPECT_EQ(o.status, 0) << o.out << o.err;
  EXPECT_THAT(o.out, HasSubstr("first operation after a reset"));
}

TEST_F(Timing, ATestbenchGivesElementsInTheirCycles) {
  const std::string bench = (folder_.path() / "bench.v").string();
  const Options all{"--cycles",    "4",       "--valid-in",  "start",    "--valid-out",
                    "done",        "--reset", "rst=1",       "--define", "WRONG",
                    "--testbench", bench,     "--no-shrink", "--json"};
  const Outcome o = serial(kDesigns + "serial.v", all);
  ASSERT_EQ(o.status, 1) << o.out << o.err;
  EXPECT_EQ(Json::parse(o.out)["latency"], 3);
  if (!has_program("iverilog")) GTEST_SKIP() << "there is no iverilog";
  EXPECT_TRUE(Json::parse(o.out)["simulation"]["fails"].get<bool>()) << o.out;
  const std::string program = (folder_.path() / "bench").string();
  const std::string compile =
      "iverilog -g2012 -s mmaspec_testbench -o " + program + " " + kDesigns + "serial.v " + bench;
  ASSERT_EQ(std::system((compile + " -DWRONG").c_str()), 0);
  EXPECT_NE(std::system(("vvp -n " + program + " > /dev/null").c_str()), 0);
  // The right design passes up to its valid signal, which the wrong one's row has too early.
  ASSERT_EQ(std::system(compile.c_str()), 0);
  EXPECT_NE(std::system(("vvp -n " + program + " | grep -q 'done is not 1'").c_str()), 1);
}

TEST_F(Timing, ALatencyThatOperandsChangeIsRefused) {
  const std::string file = folder_.write("early.v", R"(
module early(input clk, rst, start, input [7:0] a, b, input [31:0] c, output done, output reg [31:0] d);
  reg one, two;
  reg zero;
  always @(posedge clk) begin
    one <= start & ~rst;
    two <= one & ~zero & ~rst;
    zero <= a == 0;
    if (start) d <= c + {{16{p[15]}}, p};
  end
  wire signed [15:0] p = $signed(a) * $signed(b);
  assign done = (one & zero) | two;
endmodule
)");
  const std::string s8 = "design:integer-dot-add(a=s8,b=s8,c=s32,d=s32,k=1)";
  EXPECT_THAT(refusal(ask(file, "early", s8,
                          {"--valid-in", "start", "--valid-out", "done", "--reset", "rst=1"})),
              HasSubstr("done of early may be 1 after 1 clock edge, and is not there for all "
                        "operands"));
}

TEST_F(Timing, SaysWhatIsMissing) {
  const std::string file = kDesigns + "serial.v";
  EXPECT_THAT(refusal(serial(file, {"--cycles", "3", "--latency", "4"})),
              HasSubstr("--cycles 3: k = 4 must be a multiple of it"));
  EXPECT_THAT(refusal(serial(file, {"--cycles", "4"})),
              HasSubstr("needs --latency or --valid-out"));
  EXPECT_THAT(refusal(serial(file, {"--cycles", "4", "--latency", "2"})),
              HasSubstr("the last operands come after 3 clock edges"));
  EXPECT_THAT(refusal(serial(file, {"--cycles", "4", "--valid-in", "start"})),
              HasSubstr("--valid-in needs --valid-out or --latency"));
  EXPECT_THAT(refusal(serial(file, {"--cycles", "4", "--latency", "4", "--reset", "reset=1"})),
              HasSubstr("serial has no input 'reset'; its inputs and their bits: c[32], clk[1], "
                        "rst[1], start[1], x[8], y[8]"));
  EXPECT_THAT(refusal(serial(file, {"--cycles", "4", "--latency", "4", "--reset", "rst=2"})),
              HasSubstr("the active value of rst is 0 or 1"));
  EXPECT_THAT(refusal(serial(file, {"--cycles", "4", "--latency", "4", "--valid-in", "x"})),
              HasSubstr("--valid-in: x has 8 bits, and needs 1"));
  EXPECT_THAT(refusal(serial(
                  file, {"--cycles", "4", "--latency", "4", "--reset", "rst=1", "--set", "rst=0"})),
              HasSubstr("rst has a constant value (--set)"));
  // Without a reset its state may be any.
  EXPECT_THAT(refusal(pipeline({"--set", "rst_n=1", "--valid-out", "valid_o"})),
              HasSubstr("valid_o of valid_pipeline is not always 1 after any number of clock edges "
                        "up to 101 (--reset gives the port that resets the design)"));
}

TEST_F(Timing, MapsAreNamedWithTheWidthsOfTheirPorts) {
  const std::string file = kDesigns + "split_ports.v";
  const std::string e2m1 = "design:exact-dot-add(a=e2m1,b=e2m1,c=f16,d=f16,k=1)";
  const Options c{"--map", "c=0", "--map", "b={b_sign,b_exponent,b_fraction}"};
  const auto with = [&](const Options& more) {
    Options all = c;
    all.insert(all.end(), more.begin(), more.end());
    return refusal(ask(file, "split_ports", e2m1, all));
  };
  EXPECT_THAT(with({"--map", "a={a_sign,a_exponent}"}),
              HasSubstr("--map a: {a_sign,a_exponent} has 3 bits (a_sign 1 + a_exponent 2), and "
                        "operand a needs 4 bits"));
  EXPECT_THAT(with({"--map", "a={a_sign,a_exponent[2:0]}"}),
              HasSubstr("a_exponent[2] does not exist: a_exponent has 2 bits"));
  EXPECT_THAT(with({}),
              HasSubstr("split_ports has no port a of 4 bits; use --map a=... to name its "
                        "ports, or --map a=0 if the design does not have this port; its "
                        "inputs and their bits: a_exponent[2]"));
  EXPECT_THAT(with({"--map", "a={a_sign,a_exponent,a_fraction}", "--map", "d={sign,exp,fraction}"}),
              HasSubstr("split_ports has no signal 'exp'; its outputs and their bits: "));
}

}  // namespace
}  // namespace mmaspec::rtl::timing_test
