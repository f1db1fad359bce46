// Designs that do more in a simulator than compute: they are refused before anything runs, unless
// the user says otherwise.

#include "hardware/rtl/foreign_code.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/cli/process.h"

namespace mmaspec::rtl::foreign_code_test {
namespace {

using cli_test::Folder;
using cli_test::has_program;
using cli_test::mmaspec;
using cli_test::Outcome;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kAgainst = "design:integer-dot-add(a=s8,b=s8,c=s32,d=s32,k=1)";

/// A multiplier that computes the specification, with code besides.
std::string design(const std::string& code) {
  return "module top(input signed [7:0] a, b, input [31:0] c, output [31:0] d);\n"
         "  assign d = a * b + $signed(c);\n" +
         code + "\nendmodule\n";
}

class ForeignCodeOf : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_program("yosys") || !has_program("iverilog")) GTEST_SKIP() << "no yosys or iverilog";
  }
  Outcome ask(const std::string& file, const std::string& text,
              const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{
        "rtl", folder_.write(file, text), "--top", "top", "--against", kAgainst};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return mmaspec(arguments);
  }
  std::string path(const std::string& name) const { return folder_ / name; }

  Folder folder_;
};

TEST_F(ForeignCodeOf, ATaskThatWritesAFileIsNamedAndNotRun) {
  const std::string file = path("written");
  const std::string text =
      design("`ifndef YOSYS\n  integer f;\n  initial f = $fopen(\"" + file + "\", \"w\");\n`endif");
  const Outcome refused = ask("top.v", text);
  EXPECT_EQ(refused.status, 2);
  EXPECT_EQ(refused.out, "");
  EXPECT_THAT(refused.err, AllOf(HasSubstr("top.v:5: calls $fopen"), HasSubstr("--no-simulation"),
                                 HasSubstr("--trust-rtl")));
  EXPECT_FALSE(std::filesystem::exists(file));

  const Outcome without = ask("top.v", text, {"--no-simulation"});
  EXPECT_EQ(without.status, 0) << without.err;
  EXPECT_THAT(without.out, HasSubstr("not simulated: --no-simulation"));
  EXPECT_FALSE(std::filesystem::exists(file));

  const Outcome trusted = ask("top.v", text, {"--trust-rtl"});
  EXPECT_EQ(trusted.status, 0) << trusted.err;
  EXPECT_TRUE(std::filesystem::exists(file));
}

TEST_F(ForeignCodeOf, MacrosAndCommentsHideNothing) {
  for (const std::string code :
       {"`define JOIN(x, y) x``y\ninteger f; initial f = `JOIN($, fopen)(\"x\");",
        "reg [7:0] m [0:1]; initial $readmemh(\"x.hex\", m);", "wire [31:0] f = $fopen(\"x\");",
        "initial if (a === 8'd255) $dumpfile(\"x.vcd\");",
        "task t; $system(\"touch x\"); endtask initial if (a === 8'd255) t;",
        "initial $display(\"/*\"); initial $writememh(\"x\", m); initial $display(\"*/\"); "
        "reg [7:0] m [0:1];"}) {
    const Outcome o = ask("top.v", design("`ifndef YOSYS\n" + code + "\n`endif"));
    EXPECT_EQ(o.status, 2) << code << o.out << o.err;
    EXPECT_THAT(o.err, HasSubstr("in a simulator, which may access files")) << code;
  }
}

TEST_F(ForeignCodeOf, WhatOnlyComputesAndPrintsIsRun) {
  const Outcome o = ask("top.v", design("// $fopen\ninitial begin $display(\"$fopen\", $time, "
                                        "$clog2(5), $random); end"));
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_THAT(o.out, Not(HasSubstr("not simulated")));
}

TEST_F(ForeignCodeOf, YosysCallsNoImportedCFunction) {
  const Outcome o = ask("top.sv", "import \"DPI-C\" function integer getpid();\n" +
                                      design("wire [31:0] p = getpid();"));
  EXPECT_EQ(o.status, 2);
  EXPECT_THAT(o.err, HasSubstr("DPI"));
}

TEST_F(ForeignCodeOf, AnIncludedFileOfAnAbsolutePathIsRefused) {
  const Folder elsewhere;
  const std::string other = elsewhere.write("other.vh", "wire other;\n");
  const std::string text = design("`ifndef YOSYS\n`include \"" + other + "\"\n`endif");
  const Outcome o = ask("top.v", text);
  EXPECT_EQ(o.status, 2);
  EXPECT_THAT(o.err, HasSubstr("absolute path"));
  EXPECT_EQ(ask("top.v", text, {"--include", elsewhere.path().string()}).status, 0);
}

TEST_F(ForeignCodeOf, OptionsThatExcludeEachOtherAreBadUsage) {
  EXPECT_EQ(ask("top.v", design(""), {"--no-simulation", "--trust-rtl"}).status, 2);
  EXPECT_EQ(ask("top.v", design(""), {"--no-simulation", "--vcd", path("x.vcd")}).status, 2);
}

TEST(ForeignSource, IsRefusedInWhatVerilatorPreprocessed) {
  for (const char* const text :
       {"initial $fopen(\"x\");", "initial f = a+$system(\"ls\");", "initial $c(\"exit(1);\");",
        "`systemc_header\n#include <x>\n", "import \"DPI-C\" function int system(string s);",
        "import\n  \"DPI-C\" function int f();", "import // x\n \"DPI-C\" function int f();",
        "`line 1 \"/etc/passwd\" 1\n"}) {
    EXPECT_THROW(require_harmless_source(text, {"/home"}), ForeignCode) << text;
  }
  EXPECT_NO_THROW(require_harmless_source(
      "`line 1 \"/home/a.v\" 1\nimport p::*; wire a$fopen; initial $display($signed(x[$]));",
      {"/home"}));
}

}  // namespace
}  // namespace mmaspec::rtl::foreign_code_test
