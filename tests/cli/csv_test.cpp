// Rows as comma-separated values, numbers that are rounded, and ranges of a parameter.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/cli/process.h"
#include "util/json.h"

namespace mmaspec::cli_test::csv_test {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;

constexpr const char* kVolta = "volta/mma.m8n8k4.f32.f16.f16.f32";

TEST(Csv, IsVerifiedWithDecimalsAndWithoutInstr) {
  const Folder folder;
  // 0.1 is 0x1.998p-4 in f16; d is the number that is printed for an f32.
  const std::string file =
      folder.write("rows.csv",
                   "a0,a1,b0,b1,c,d\n1,0.1,1,2,0.5,1.699951171875\n1,0.1,1,2,0.5,1.6999512\n"
                   "\"1\",0x3c00,1,0x1p+1,inf,inf\n");
  const Outcome outcome = mmaspec({"verify", file, "--as", kVolta});
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, EndsWith("3 passed, 0 failed\n"));
}

TEST(Csv, TakesAllValuesInOneCellAndTheInstruction) {
  const Folder folder;
  const std::string file =
      folder.write("rows.csv", "instr,a,b,c,d\n" + std::string(kVolta) + ",1 2 3,1 1 1,0,6\n" +
                                   kVolta + ",1 2 3 4,1 1 1 1,0,11\n");
  const Outcome outcome = mmaspec({"verify", file});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out, EndsWith("1 passed, 1 failed\n"));
}

TEST(Csv, GoesThroughEvalAndVerifyUnchanged) {
  const Folder folder;
  const std::string rows =
      folder.write("rows.csv",
                   "a0,a1,a2,a3,b0,b1,b2,b3,c\n0.1,-2.5e-7,60000,3,1,4,60000,0.3,1e-40\n"
                   "1,2,nan,4,1,1,1,1,0\n65504,1,1,-inf,1,1,1,1,3.4e38\n");
  const Outcome out = mmaspec({"eval", kVolta, "--rows", rows, "--format", "csv"});
  EXPECT_EQ(out.status, 0) << out.err;
  const Outcome again = mmaspec({"verify", "-"}, {.input = out.out});
  EXPECT_THAT(again.out, EndsWith("3 passed, 0 failed\n")) << out.out << again.err;
}

TEST(Csv, SaysWhatIsWrong) {
  const Folder folder;
  expect_refused(mmaspec({"verify", folder.write("1.csv", "a0,x,d\n1,2,3\n"), "--as", kVolta}),
                 {"the column 'x' is not a column"});
  expect_refused(mmaspec({"verify", folder.write("2.csv", "a0,b0,c,d\n1,2,3,4\n")}), {"--as NAME"});
  const Outcome short_row =
      mmaspec({"verify", folder.write("3.csv", "a0,b0,c,d\n1,2,3\n"), "--as", kVolta});
  EXPECT_EQ(short_row.status, 2);
  EXPECT_THAT(short_row.err, HasSubstr("3 cells, expected 4"));
  const Outcome too_many =
      mmaspec({"verify", folder.write("4.csv", "a9,b0,c,d\n1,2,3,4\n"), "--as", kVolta});
  EXPECT_EQ(too_many.status, 2);
  const Outcome no_number =
      mmaspec({"verify", folder.write("5.csv", "a0,b0,c,d\nx,2,3,4\n"), "--as", kVolta});
  EXPECT_EQ(no_number.status, 2);
  EXPECT_THAT(no_number.err, HasSubstr("column a"));
}

// 40021872 may be 0x40021872, 2.0327725, or forty million.
TEST(Csv, AsksWhetherBareDigitsAreBits) {
  const Folder folder;
  const std::string file =
      folder.write("rows.csv", "a0,b0,c,d\n1.5,1,40021872,40621872\n1.5,1,3f000000,40000000\n");
  const std::string digits = folder.write("digits.csv", "a0,b0,c,d\n2.0,1,0,40000000\n");
  expect_refused(mmaspec({"verify", digits, "--as", kVolta}),
                 {"every value of column d, such as 40000000", "--hex or --decimal"});
  expect_refused(mmaspec({"eval", kVolta, "--rows", folder.write("c.csv", "a0,c\n1.0,40021872\n")}),
                 {"column c", "--hex or --decimal"});
  expect_refused(mmaspec({"verify", file, "--as", kVolta}), {"column c, such as 40021872"});
  const std::string mixed = folder.write("mixed.csv", "a0,c,d\n1.5,0.5,0.5\n1.5,3f00000a,0.5\n");
  const Outcome letters = mmaspec({"verify", mixed, "--as", kVolta});
  EXPECT_EQ(letters.status, 2);
  EXPECT_THAT(letters.err, HasSubstr("--hex reads bit patterns without 0x"));
  const std::string bits = folder.write(
      "bits.csv", "a0,b0,c,d\n3e00,3c00,40021872,40621872\n3e00,3c00,3f000000,40000000\n");
  EXPECT_THAT(mmaspec({"verify", bits, "--as", kVolta, "--hex"}).out,
              EndsWith("2 passed, 0 failed\n"));
  EXPECT_EQ(mmaspec({"verify", bits, "--as", kVolta, "--decimal"}).status, 2);  // 3e00 is 3; 3c00
  EXPECT_THAT(mmaspec({"verify", digits, "--as", kVolta, "--decimal"}).out,
              EndsWith("0 passed, 1 failed\n"));
  EXPECT_THAT(mmaspec({"verify", folder.write("4.csv", "a0,b0,c,d\n3c0,3c00,0,0\n"), "--as", kVolta,
                       "--hex"})
                  .err,
              HasSubstr("3 hexadecimal digits, but a pattern of f16 has 4"));
  expect_refused(mmaspec({"verify", bits, "--as", kVolta, "--hex", "--decimal"}),
                 {"--hex and --decimal"});
}

// A value whose decimal has the digits of a pattern is written so that it is read back as a
// decimal.
TEST(Csv, OfNarrowFormatsReadsBack) {
  for (const char* name : {"design:fused-dot-add(a=e2m1,b=e2m1,c=f32,d=f32,k=2,fraction_bits=30)",
                           "ampere/mma.m16n8k32.s32.s8.s8.s32"}) {
    const Outcome out = mmaspec({"eval", name, "--rows", "-", "--format", "csv"},
                                {.input = "a0,a1,b0,b1,c\n2,1.0,3.0,1,12345678.0\n"});
    EXPECT_EQ(out.status, 0) << out.err;
    const Outcome again = mmaspec({"verify", "-", "--as", name}, {.input = out.out});
    EXPECT_THAT(again.out, EndsWith("1 passed, 0 failed\n")) << out.out << again.err;
  }
}

TEST(Round, TakesTheNearestNumber) {
  const std::vector<std::string> command{"eval", kVolta, "--a", "0.1", "--b", "1", "--json"};
  const Outcome refused = mmaspec(command);
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("--round"));
  std::vector<std::string> rounded = command;
  rounded.emplace_back("--round");
  const Json row = Json::parse(mmaspec(rounded).out);
  EXPECT_EQ(row.at("values").at("a").at(0), "0x1.998p-4");
  EXPECT_EQ(row.at("values").at("d"), row.at("value"));
  const Outcome words = mmaspec({"eval", kVolta, "--a", "x", "--round"});
  EXPECT_EQ(words.status, 2);
}

TEST(List, IsCsvToo) {
  const Outcome outcome = mmaspec({"list", "--arch", "volta", "--format", "csv"});
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("instr,algorithm,k,a,b,c,d,scale,scale_block\n"),
                    HasSubstr(std::string(kVolta) + ",fused-dot-add,4,f16,f16,f32,f32,,0\n")));
}

TEST(Range, FindsTheLeastValueThatHolds) {
  const Outcome outcome = mmaspec({"diff", "design:fused-dot-add(k=2,fraction_bits=23..25)",
                                   "design:fused-dot-add(k=2,fraction_bits=24)", "--json"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const Json answer = Json::parse(outcome.out);
  EXPECT_EQ(answer.at("parameter"), "fraction_bits");
  EXPECT_EQ(answer.at("verdict"), "least");
  EXPECT_EQ(answer.at("least"), 24);
  ASSERT_EQ(answer.at("values").size(), 3U);
  EXPECT_EQ(answer.at("values").at(0).at("verdict"), "fails");
  EXPECT_EQ(answer.at("values").at(0).at("answer").at("verdict"), "witness");
  EXPECT_EQ(answer.at("values").at(1).at("verdict"), "holds");
}

// Questions that search answers at once are answered, however many values there are.
TEST(Range, OfManyValuesDecidesTheFirst) {
  const Outcome outcome =
      mmaspec({"diff", "design:fused-dot-add(k=2,fraction_bits=0..600)",
               "design:fused-dot-add(k=2,fraction_bits=24)", "--timeout", "3", "--json"});
  EXPECT_THAT(outcome.status, testing::AnyOf(0, 3)) << outcome.err;
  const Json answer = Json::parse(outcome.out);
  ASSERT_EQ(answer.at("values").size(), 601U);
  EXPECT_EQ(answer.at("values").at(0).at("verdict"), "fails");
}

TEST(Range, StatesTheInputsItCovers) {
  const Outcome outcome =
      mmaspec({"prove", "commutative", "design:fused-dot-add(a=e2m1,k=1,fraction_bits=3..4)",
               "--where", "c > 1 && c < 1"});
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("vacuously: no input satisfies the precondition; "),
                                 EndsWith("inputs finite, where c > 1 && c < 1\n")));
  const Outcome unit = mmaspec({"diff", kVolta, "design:fused-dot-add(k=4,fraction_bits=23..24)"});
  EXPECT_THAT(unit.out, HasSubstr("\ninputs finite\nevidence: " + std::string(kVolta) + " "));
}

TEST(Range, OfAPropertyFindsTheLeastValueForWhichItHolds) {
  const Outcome outcome =
      mmaspec({"prove", "commutative",
               "design:fused-dot-add(a=e2m1,b=e2m1,c=f16,d=f16,k=1,fraction_bits=3..4)"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("the least fraction_bits for which commutative holds: 3\n"));
  expect_refused(mmaspec({"diff", "design:fused-dot-add(k=2,fraction_bits=5..4)", kVolta}),
                 {"LOW..HIGH"});
  expect_refused(mmaspec({"diff", "design:fused-dot-add(k=1..2,fraction_bits=4..5)", kVolta}),
                 {"one parameter"});
}

}  // namespace
}  // namespace mmaspec::cli_test::csv_test
