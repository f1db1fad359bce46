// VHDL that GHDL converts: verdicts, and design files that would do more than compute while they
// are elaborated.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "hardware/rtl/vhdl/ghdl.h"
#include "tests/support/cli/process.h"
#include "util/json.h"

namespace mmaspec::rtl::vhdl_test {
namespace {

using cli_test::Folder;
using cli_test::has_program;
using cli_test::mmaspec;
using cli_test::Outcome;
using testing::AllOf;
using testing::HasSubstr;

const std::string kPipeline = MMASPEC_SOURCE_DIR "/tests/rtl/designs/pipeline.vhd";

std::string vhdl_against(int k) {
  return "design:integer-dot-add(a=s8,b=s8,c=s32,d=s32,k=" + std::to_string(k) + ")";
}

class Vhdl : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_program("yosys") || !has_program("ghdl")) GTEST_SKIP() << "no yosys or ghdl";
  }
  static Outcome ask(const std::string& file, const std::string& top, int k,
                     const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"rtl", file, "--top", top, "--against", vhdl_against(k)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return mmaspec(arguments);
  }
  static std::string text_of(const std::string& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  Folder folder_;
};

TEST_F(Vhdl, HasTheRightVerdict) {
  const Outcome two = ask(kPipeline, "pipeline", 2, {"--latency", "2", "--json"});
  ASSERT_EQ(two.status, 0) << two.out << two.err;
  EXPECT_EQ(Json::parse(two.out)["converted_by"], "ghdl");
  const Outcome three = ask(kPipeline, "PIPELINE", 3, {"--latency", "2", "--parameter", "K=3"});
  EXPECT_EQ(three.status, 0) << three.out << three.err;
  EXPECT_THAT(three.out, HasSubstr("its conversion to Verilog by ghdl was not checked"));
  const Outcome narrow = ask(kPipeline, "pipeline", 2, {"--latency", "2", "--parameter", "SUM=16"});
  EXPECT_EQ(narrow.status, 1) << narrow.out << narrow.err;
}

TEST_F(Vhdl, MutantsAreFound) {
  const std::string right = text_of(kPipeline);
  const std::vector<std::pair<std::string, std::string>> mutants{
      {"p <= x * y;", "p <= resize(x, 16);"},
      {"signed(7 downto 0); p", "signed(6 downto -1); p"},  // the same: see below
      {"signed(b(8 * i + 7 downto 8 * i))", "signed(b(7 downto 0))"},
      {"total := total + resize(kept(i), SUM)", "total := resize(kept(i), SUM)"},
      {"total := total + resize(kept(i), SUM)", "total := total - resize(kept(i), SUM)"},
      {"total  := (others => '0')", "total  := (0 => '1', others => '0')"},
      {"c_kept + resize", "c_kept - resize"},
      {"for i in kept'range loop", "for i in 1 to K - 1 loop"},
      {"c_kept + resize(total, 32)", "signed(c) + resize(total, 32)"},
      {"c_kept <= signed(c);", "c_kept <= signed(c); c_kept(31) <= '0';"},
  };
  for (std::size_t i = 0; i < mutants.size(); ++i) {
    const auto& [from, to] = mutants[i];
    std::string text = right;
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    const Outcome o = ask(folder_.write("mutant.vhd", text), "pipeline", 2, {"--latency", "2"});
    // Bits have other names in the second mutant. In the ninth, c is another cycle's.
    EXPECT_EQ(o.status, i == 1 ? 0 : i == 8 ? 2 : 1) << to << "\n" << o.out << o.err;
  }
}

TEST_F(Vhdl, SaysWhatIsWrong) {
  const auto refusal = [](const Outcome& o) {
    EXPECT_EQ(o.status, 2) << o.out << o.err;
    EXPECT_EQ(std::count(o.err.begin(), o.err.end(), '\n'), 1) << o.err;
    return o.err;
  };
  EXPECT_THAT(refusal(ask(folder_.write("bad.vhd", "entity x is begin\n"), "x", 1)),
              HasSubstr("bad.vhd:2:1: "));
  EXPECT_THAT(refusal(ask(kPipeline, "nothing", 2)), HasSubstr("ghdl: "));
  EXPECT_THAT(refusal(ask(kPipeline, "pipeline", 2, {"--parameter", "Z=1"})), HasSubstr("ghdl: "));
  EXPECT_THAT(refusal(ask(kPipeline, "x;true", 2)), HasSubstr("is not a name or number"));
  EXPECT_THAT(refusal(ask(kPipeline, "-x", 2)), HasSubstr("is not a name or number"));
  EXPECT_THAT(refusal(ask(kPipeline, "pipeline", 2, {"--define", "X"})),
              HasSubstr("VHDL has no macros"));
  EXPECT_THAT(refusal(ask(folder_ / "none.vhd", "x", 1)), HasSubstr("cannot be read"));
}

// GHDL opens files for writing while it elaborates a design.
TEST_F(Vhdl, ADesignThatWritesAFileIsNotElaborated) {
  const std::string written = folder_ / "written";
  const std::string text = R"(library ieee;
use ieee.std_logic_1164.all;
use std.textio.all;
entity top is
  port (a, b : in std_logic_vector(7 downto 0); c : in std_logic_vector(31 downto 0);
        d : out std_logic_vector(31 downto 0));
end;
architecture rtl of top is
  impure function effect(name : string) return std_logic is
    FILE f : text open write_mode is name;
  begin return '0'; end;
  constant z : std_logic := effect(")" +
                           written + R"(");
begin
  d <= c when z = '1' else (others => '0');
end;
)";
  const Outcome o = ask(folder_.write("top.vhd", text), "top", 1);
  EXPECT_EQ(o.status, 2);
  EXPECT_THAT(o.err, AllOf(HasSubstr("top.vhd:10: 'file'"), HasSubstr("--trust-rtl")));
  EXPECT_FALSE(std::filesystem::exists(written));
}

TEST(HarmlessVhdl, WordsCountOutsideCommentsAndStrings) {
  const auto is_harmless = [](const std::string& text) {
    try {
      require_harmless_vhdl(text, "x.vhd");
      return true;
    } catch (const ForeignVhdl&) {
      return false;
    }
  };
  for (const char* text :
       {"-- a file\nentity e is end;", "/* file\n foreign */ entity e is end;",
        "constant s : string := \"file -- \"\" file\";", "signal \\file\\ : bit;",
        "signal files : bit;", "x <= '\"'; y <= '-'; z <= character'('\"');",
        "q := bit_vector'(\"01\"); r := s'length;", "x <= y('a', '\"') & '\"' & \" file \";",
        "when '(' => null;"}) {
    EXPECT_TRUE(is_harmless(text)) << text;
  }
  for (const char* text :
       {"file f : text;", "FILE f : text;", "type t is\nFile of bit;", "file_open(f, \"x\");",
        "attribute Foreign of f : function is \"VHPIDIRECT f\";",
        // What begins a comment or a string elsewhere does not hide a word.
        "s := \"--\"; file f : text;", "x := '\"'; file f : text; y := '\"';",
        "x := character'('\"'); file f : text; y := '\"';", "s := \"/*\"; file f : text; -- */",
        "-- /*\nfile f : text; -- */", "/* -- */ file f : text;", "-- x\rfile f : text;",
        "\\a--b\\ <= x; file f : text;", "x <= y'('\"', '\"'); file f;",
        "return '\"'; file f; x <= '\"';", "a <= \"\"\"\"; file f; -- \"",
        "file\xa0"
        "f : text;",  // a space of Latin-1
        // What tools could read in another way.
        "x <= y'\"'; z <= 'a';", "x <= \"open\n\";", "/* open", "x <= f(y)'\"';", "x <= \"open"}) {
    EXPECT_FALSE(is_harmless(text)) << text;
  }
}

}  // namespace
}  // namespace mmaspec::rtl::vhdl_test
