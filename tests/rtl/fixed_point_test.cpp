// c and d in fixed point: what the digits mean, verdicts, and what is refused.

#include "hardware/rtl/fixed_point/fixed_point.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "concrete/dot/model.h"
#include "tests/support/cli/process.h"
#include "util/json.h"

namespace mmaspec::rtl::fixed_point_test {
namespace {

using cli_test::has_program;
using cli_test::mmaspec;
using cli_test::Outcome;
using testing::HasSubstr;

const std::string kKulisch = MMASPEC_SOURCE_DIR "/tests/rtl/designs/kulisch.v";

Instruction fixed_design(const std::string& name, const std::string& c, const std::string& d) {
  return with_fixed_point(find_instruction(name), fixed_point_format("c", c),
                          fixed_point_format("d", d));
}

Integer fixed_result(const Instruction& design, const std::vector<Integer>& a,
                     const std::vector<Integer>& b, const Integer& c) {
  return DotModel(design.algorithm, design.formats).run({a, b, c, {}, {}});
}

TEST(FixedPoint, PatternsAreMultiples) {
  const std::string name = "design:exact-dot-add(a=e4m3,b=e4m3,c=f32,d=f32,k=2)";
  const Instruction design = fixed_design(name, "fixed:23.18", "fixed:23.18");
  EXPECT_EQ(design.formats.d->storage_bits, 41);
  const Integer one = Integer(1) << 18;
  const Integer whole = Integer(1) << 41;
  // 1.0 * 1.0 + 448 * -448, and the least product, 2^-9 * 2^-9, which is one unit.
  EXPECT_EQ(fixed_result(design, {0x38, 0x7e}, {0x38, 0xfe}, 0), whole + one - 448 * 448 * one);
  EXPECT_EQ(fixed_result(design, {0x01, 0}, {0x01, 0}, 5), 6);
  EXPECT_EQ(fixed_result(design, {0x81, 0}, {0x01, 0}, 0), whole - 1);
  // A sum beyond the largest number keeps its lowest bits.
  const Integer largest = (Integer(1) << 40) - 1;
  EXPECT_EQ(fixed_result(design, {0x01, 0}, {0x01, 0}, largest), largest + 1);
}

TEST(FixedPoint, SaturatesWhereTheDesignDoes) {
  const Instruction design =
      fixed_design("design:integer-dot-add(a=s8,b=s8,c=s32,d=s32,k=1,overflow=saturate)",
                   "fixed:48.0", "fixed:48.0");
  const Integer largest = (Integer(1) << 47) - 1;
  EXPECT_EQ(fixed_result(design, {127}, {127}, largest - 5), largest);
  EXPECT_EQ(fixed_result(design, {0x80}, {127}, largest + 1), largest + 1);
}

TEST(FixedPoint, CMayBeNarrower) {
  const Instruction design =
      fixed_design("design:exact-dot-add(a=e2m1,b=e2m1,c=f32,d=f32,k=1)", "fixed:4.1", "fixed:8.2");
  // -1.5 is -3 halves, 0b11101; 0.5 * 0.5 is a quarter. The sum, -1.25, is -5 quarters.
  EXPECT_EQ(fixed_result(design, {1}, {1}, 0x1d), 1024 - 5);
}

TEST(FixedPoint, ADesignThatLosesBitsIsRefused) {
  const auto refusal = [](const std::string& name, const std::string& c, const std::string& d) {
    try {
      fixed_design(name, c, d);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string e4m3 = "design:exact-dot-add(a=e4m3,b=e4m3,c=f32,d=f32,k=2";
  EXPECT_THAT(refusal(e4m3 + ")", "fixed:23.16", "fixed:23.16"),
              HasSubstr("d=fixed:23.16 needs 18 fraction bits to hold every product of e4m3 and"));
  EXPECT_THAT(refusal(e4m3 + ")", "fixed:4.20", "fixed:23.18"), HasSubstr("to hold c"));
  EXPECT_THAT(refusal(e4m3 + ",block=1)", "fixed:23.18", "fixed:23.18"), HasSubstr("must be k"));
  EXPECT_THAT(refusal("design:fused-dot-add(a=e4m3,b=e4m3,c=f32,d=f32,k=2,fraction_bits=24)",
                      "fixed:23.18", "fixed:23.18"),
              HasSubstr("only design:exact-dot-add and design:integer-dot-add"));
  for (const char* text :
       {"fixed:0.8", "fixed:1.0", "fixed:40.24", "fixed:8", "8.8", "fixed:-1.9"}) {
    EXPECT_NE(refusal(e4m3 + ")", "fixed:23.18", text), "") << text;
  }
}

class FixedPointRtl : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_program("yosys")) GTEST_SKIP() << "there is no yosys";
  }
  static Outcome ask(int k, const std::vector<std::string>& more) {
    const std::string count = std::to_string(k);
    std::vector<std::string> arguments{
        "rtl",         kKulisch,
        "--top",       "kulisch",
        "--against",   "design:exact-dot-add(a=e4m3,b=e4m3,c=f32,d=f32,k=" + count + ")",
        "--parameter", "K=" + count};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return mmaspec(arguments);
  }
};

TEST_F(FixedPointRtl, HasTheRightVerdict) {
  const Outcome proved = ask(1, {"--format-of", "d=fixed:23.18"});
  EXPECT_EQ(proved.status, 0) << proved.out << proved.err;
  EXPECT_THAT(proved.out, HasSubstr("finite inputs"));
  for (const int k : {1, 4}) {
    const Outcome wrong = ask(k, {"--format-of", "d=fixed:23.18", "--define", "WRONG", "--json"});
    ASSERT_EQ(wrong.status, 1) << wrong.out << wrong.err;
    if (!has_program("iverilog")) continue;
    EXPECT_TRUE(Json::parse(wrong.out)["simulation"]["fails"].get<bool>()) << wrong.out;
  }
}

// The accumulator itself as the specification, for patterns of NaNs too, which are numbers.
TEST_F(FixedPointRtl, IsComparedWithAnAccumulatorInFixedPoint) {
  const auto ask_about = [](const std::string& more, const std::vector<std::string>& options) {
    std::vector<std::string> arguments{
        "rtl",         kKulisch,
        "--top",       "kulisch",
        "--against",   "design:fixed-point-dot-add(a=e4m3,c=fixed:23.18,k=1" + more + ")",
        "--parameter", "K=1"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return mmaspec(arguments);
  };
  const Outcome proved = ask_about("", {});
  EXPECT_EQ(proved.status, 0) << proved.out << proved.err;
  EXPECT_THAT(proved.out, HasSubstr("all inputs"));
  EXPECT_EQ(ask_about(",overflow=saturate", {}).status, 1);
  EXPECT_EQ(ask_about("", {"--define", "WRONG"}).status, 1);
}

TEST_F(FixedPointRtl, SaysWhatIsWrong) {
  const auto refusal = [](const Outcome& o) {
    EXPECT_EQ(o.status, 2) << o.out << o.err;
    EXPECT_EQ(std::count(o.err.begin(), o.err.end(), '\n'), 1) << o.err;
    return o.err;
  };
  EXPECT_THAT(refusal(ask(1, {"--format-of", "c=fixed:23.18"})), HasSubstr("d=fixed:I.F"));
  EXPECT_THAT(refusal(ask(1, {"--format-of", "a=fixed:23.18"})), HasSubstr("c=fixed:I.F"));
  EXPECT_THAT(refusal(ask(1, {"--format-of", "d=fixed:22.18"})),
              HasSubstr("kulisch has no port c of 40 bits (port c has 41 bits)"));
  EXPECT_THAT(refusal(ask(1, {"--format-of", "d=fixed:23.18", "--where", "c > 0"})),
              HasSubstr("--format-of cannot be combined with --where"));
}

}  // namespace
}  // namespace mmaspec::rtl::fixed_point_test
