// What a hardware team includes in its own benches: the checker with assertions, its bind
// directive, cover points, and the scoreboard over DPI-C of examples/dpi. They are silent on
// correct designs, and report wrong ones.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "tests/support/cli/process.h"

namespace mmaspec::rtl::checker_test {
namespace {

using cli_test::content_of;
using cli_test::expect_refused;
using cli_test::Folder;
using cli_test::has_program;
using cli_test::mmaspec;
using cli_test::Outcome;
using cli_test::run_program;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string kSource = MMASPEC_SOURCE_DIR "/";
const std::string kPipelined =
    "design:fused-dot-add(a=f16,b=f16,c=f32,d=f32,k=4,fraction_bits=25,round=rne)";
const std::string kIntegers = "design:integer-dot-add(a=s8,b=s8,c=s32,d=s32,k=2)";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string pipelined_source() {
  return content_of(kSource + "examples/rtl/fused_dot_pipelined.v");
}

class Bench : public testing::Test {
 protected:
  std::string exported(const std::string& name, const std::string& format, const std::string& file,
                       const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"export",   name,  "--format", format,
                                       "--module", "dot", "--out",    folder_ / file};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome o = mmaspec(arguments);
    EXPECT_EQ(o.status, 0) << o.err;
    return folder_ / file;
  }

  /// What the bench of these files prints in Icarus Verilog.
  std::string icarus(const std::vector<std::string>& files,
                     const std::vector<std::string>& options = {}) {
    std::vector<std::string> arguments{"-g2012", "-s", "bench", "-o", folder_ / "bench"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    arguments.insert(arguments.end(), files.begin(), files.end());
    const Outcome built = run_program("iverilog", arguments);
    EXPECT_EQ(built.status, 0) << built.out << built.err;
    return run_program("vvp", {"-n", folder_ / "bench"}).out;
  }

  /// The same in Verilator.
  std::string verilator(const std::vector<std::string>& files,
                        const std::vector<std::string>& options = {}) {
    std::vector<std::string> arguments{"--binary",   "--timing", "--assert",
                                       "-Wno-fatal", "-O0",      "--top-module",
                                       "bench",      "--Mdir",   folder_ / "verilated",
                                       "-o",         "bench"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    arguments.insert(arguments.end(), files.begin(), files.end());
    const Outcome built = run_program("verilator", arguments, {.seconds = 1500});
    EXPECT_EQ(built.status, 0) << built.out << built.err;
    const Outcome o = run_program(folder_ / "verilated/bench", {});
    return o.out + o.err;
  }

  /// A bench that gives random f16 operands near 1 to the pipelined design. Icarus Verilog has no
  /// bind directive, so the bench contains the checker there.
  std::string pipelined_bench() {
    return folder_.write("bench.sv", R"(`timescale 1ns/1ps
module bench;
  reg clk = 0, reset = 1;
  reg [63:0] a = 0, b = 0;
  reg [31:0] c = 0;
  wire [31:0] d;
  always #5 clk = ~clk;
  fused_dot_pipelined dut (.clk(clk), .a(a), .b(b), .c(c), .d(d));
`ifdef __ICARUS__
  dot_checker #(.LATENCY(3), .HAS_VALID_OUT(0)) watch (.clk(clk), .reset(reset), .valid_in(1'b1),
    .a(a), .b(b), .c(c), .valid_out(1'b0), .d(d));
  dot_coverage coverage (.clk(clk), .reset(reset), .a(a), .b(b), .c(c), .valid_in(1'b1));
`endif
  integer k;
  initial begin
    repeat (500) begin
      @(negedge clk);
      for (k = 0; k < 4; k = k + 1) begin
        a[16*k +: 16] = {$urandom} & 32'h83ff | 32'h3800 + 1024 * ({$urandom} % 8);
        b[16*k +: 16] = {$urandom} & 32'h83ff | 32'h3800 + 1024 * ({$urandom} % 8);
      end
      c = {$urandom} & 32'h80780000 | 32'h3f800000;
      reset = 0;
    end
`ifdef __ICARUS__
    $display("compared %0d", watch.compared);
    coverage.report;
`endif
    $display("done");
    $finish;
  end
endmodule
)");
  }

  Folder folder_;
};

class InIcarus : public Bench {
 protected:
  void SetUp() override {
    if (!has_program("iverilog")) GTEST_SKIP() << "there is no iverilog";
  }
};

class InVerilator : public Bench {
 protected:
  void SetUp() override {
    if (!has_program("verilator")) GTEST_SKIP() << "there is no verilator";
  }
};

TEST_F(InIcarus, TheCheckerReportsMutantsOnly) {
  const std::string checker = exported(kPipelined, "sva", "checker.sv");
  const std::string coverage = exported(kPipelined, "coverage", "coverage.sv");
  // The checker and the cover points have one name for the reference's modules.
  EXPECT_THAT(content_of(coverage), HasSubstr("module dot_bins"));
  const std::string bench = pipelined_bench();
  const std::string correct =
      icarus({kSource + "examples/rtl/fused_dot_pipelined.v", checker, coverage, bench});
  EXPECT_THAT(correct, AllOf(HasSubstr("done"), HasSubstr("compared 4"), Not(HasSubstr("ERROR"))))
      << correct;
  // Every operation is in one bin of each point, and several bins of the alignment are reached.
  EXPECT_TRUE(std::regex_search(correct, std::regex(" [1-9][0-9]* +both"))) << correct;
  EXPECT_TRUE(std::regex_search(correct, std::regex(" [1-9][0-9]* +4\\.\\.23"))) << correct;
  for (const auto& [from, to] : {std::pair("guard & (sticky | kept[S-24])", "guard"),
                                 std::pair("sign_3 <= sign;", "sign_3 <= plus < minus;"),
                                 std::pair("negative_1[i]) minus", "!negative_1[i]) minus")}) {
    const std::string wrong =
        icarus({folder_.write("wrong.v", replaced(pipelined_source(), from, to)), checker, coverage,
                bench});
    EXPECT_THAT(wrong, AllOf(HasSubstr("ERROR"), HasSubstr("specified"))) << to;
  }
}

TEST_F(InVerilator, TheBoundCheckerReportsAMutantOnly) {
  const std::string checker = exported(
      kPipelined, "sva", "checker.sv",
      {"--latency", "3", "--bind", "fused_dot_pipelined", "--bind-out", folder_ / "bind.sv"});
  const std::string bench = pipelined_bench();
  const std::string correct = verilator(
      {kSource + "examples/rtl/fused_dot_pipelined.v", checker, folder_ / "bind.sv", bench});
  EXPECT_THAT(correct, AllOf(HasSubstr("done"), Not(HasSubstr("rror")))) << correct;
  const std::string wrong_unit = folder_.write(
      "wrong.v", replaced(pipelined_source(), "sign_3 <= sign;", "sign_3 <= plus < minus;"));
  const std::string wrong = verilator({wrong_unit, checker, folder_ / "bind.sv", bench});
  EXPECT_THAT(wrong, AllOf(HasSubstr("result_is_specified"), HasSubstr("specified"))) << wrong;
}

/// Operations with bubbles and a reset in between; the last ones have an unknown bit.
std::string valid_bench(const std::string& latency, const std::string& parameters) {
  return R"(`timescale 1ns/1ps
module bench;
  reg clk = 0, rst_n = 0, valid_i = 0;
  reg [15:0] a = 0, b = 0;
  reg [31:0] c = 0;
  wire valid_o;
  wire [31:0] d;
  always #5 clk = ~clk;
  valid_pipeline dut (.*);
  dot_checker #(.LATENCY()" +
         latency + ")" + parameters + R"() watch (.clk(clk), .reset(!rst_n), .valid_in(valid_i),
    .a(a), .b(b), .c(c), .valid_out(valid_o), .d(d));
  integer i;
  initial begin
    for (i = 0; i < 300; i = i + 1) begin
      @(negedge clk);
      rst_n = i > 3 && i != 100;
      valid_i = $urandom;
      a = $urandom;
      b = $urandom;
      c = $urandom;
    end
    $display("compared %0d", watch.compared);
`ifdef UNKNOWN
    @(negedge clk) a[0] = 1'bx;
    valid_i = 1;
    @(negedge clk) valid_i = 0;
    repeat (5) @(negedge clk);
`endif
    $finish;
  end
endmodule
)";
}

TEST_F(InIcarus, ValidSignalsAreChecked) {
  const std::string checker = exported(kIntegers, "sva", "checker.sv");
  const std::string unit = kSource + "tests/rtl/designs/valid_pipeline.v";
  for (const char* latency : {"3", "-1"}) {
    const std::string bench = folder_.write("bench.sv", valid_bench(latency, ""));
    const std::string correct = icarus({unit, checker, bench});
    EXPECT_THAT(correct, AllOf(HasSubstr("compared 1"), Not(HasSubstr("ERROR")))) << correct;
    EXPECT_THAT(icarus({unit, checker, bench}, {"-DWRONG"}), HasSubstr("specified"));
    EXPECT_THAT(icarus({unit, checker, bench}, {"-DUNKNOWN"}),
                HasSubstr("operands have unknown bits"));
    const std::string ignoring =
        folder_.write("bench.sv", valid_bench(latency, ", .IGNORE_UNKNOWN(1)"));
    EXPECT_THAT(icarus({unit, checker, ignoring}, {"-DUNKNOWN"}), Not(HasSubstr("ERROR")));
  }
  const std::string late = folder_.write("bench.sv", valid_bench("2", ""));
  EXPECT_THAT(icarus({unit, checker, late}), HasSubstr("and a result is due"));
  const std::string many = folder_.write("bench.sv", valid_bench("-1", ", .DEPTH(2)"));
  EXPECT_THAT(icarus({unit, checker, many}), HasSubstr("more than DEPTH = 2 operations"));
}

TEST_F(InVerilator, TheScoreboardOverDpiReportsAMutantOnly) {
  const std::string reference = exported(kPipelined, "c", "dot.c");
  const std::vector<std::string> files{reference, kSource + "examples/dpi/dot_scoreboard.sv",
                                       kSource + "examples/dpi/bench.sv"};
  const auto with = [&](const std::string& unit) {
    std::vector<std::string> all = files;
    all.push_back(unit);
    return verilator(all);
  };
  EXPECT_THAT(with(kSource + "examples/rtl/fused_dot_pipelined.v"),
              HasSubstr("2000 operations, 0 wrong"));
  const std::string wrong = with(folder_.write(
      "wrong.v", replaced(pipelined_source(), "guard & (sticky | kept[S-24])", "guard")));
  EXPECT_THAT(wrong, AllOf(HasSubstr("WRONG a = "), Not(HasSubstr(" 0 wrong")))) << wrong;
}

TEST_F(Bench, OptionsOfTheCheckerAreValidated) {
  const auto refused = [](const std::vector<std::string>& more, const std::string& why) {
    std::vector<std::string> arguments{"export", kIntegers};
    arguments.insert(arguments.end(), more.begin(), more.end());
    expect_refused(mmaspec(arguments), {why});
  };
  refused({"--latency", "3"}, "--latency needs --format sva");
  refused({"--format", "sva", "--map", "a=x"}, "--map needs --bind");
  refused({"--format", "sva", "--latency", "soon"}, "--latency: 'soon' is not 'any' or a number");
  refused({"--format", "sva", "--latency", "any", "--bind", "x"},
          "--latency any needs --valid-out");
  refused({"--format", "sva", "--bind", "x;y"}, "--bind: 'x;y' is not the name of a module");
  refused({"--format", "sva", "--bind", "x", "--map", "a=x); end"},
          "--map: 'x); end' is not an expression over ports");
  refused({"--format", "sva", "--bind", "x", "--map", "sa=x"},
          "--map: the formats have no operand 'sa'");
  refused({"--format", "sva", "--bind", "x", "--reset", "rst"},
          "--reset: 'rst' is not of the form PORT=0 or PORT=1");
  refused({"--format", "verilog", "--count", "3"},
          "--count, --seed and --where need --format rows or csv");
  refused({"--format", "coverage"}, "cover points are defined for floating-point formats only");
}

}  // namespace
}  // namespace mmaspec::rtl::checker_test
