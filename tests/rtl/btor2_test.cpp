// What the reader of BTOR2 takes and what it refuses.

#include "hardware/rtl/circuit/btor2.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "hardware/rtl/circuit/signal_names.h"

namespace mmaspec::rtl::btor2_test {
namespace {

/// What the reader says of text that it refuses; empty: it takes it.
std::string refusal(const std::string& text) {
  try {
    read_btor2(text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

/// Sorts 1, 2, 3 of 1, 4, 8 bits, and inputs 11, 12, 13 of these.
std::string with_inputs(const std::string& line) {
  return "1 sort bitvec 1\n2 sort bitvec 4\n3 sort bitvec 8\n11 input 1 x\n12 input 2 y\n"
         "13 input 3 z\n" +
         line;
}

TEST(Btor2, TakesOperandsOfTheWidthsThatEachOperationHas) {
  for (const char* line :
       {"20 not 2 12", "20 add 2 12 12", "20 eq 1 12 12", "20 slte 1 13 13", "20 redxor 1 13",
        "20 implies 1 11 11", "20 slice 2 13 6 3", "20 slice 1 13 7 7", "20 uext 3 12 4",
        "20 sext 2 12 0", "20 concat 3 12 12", "20 ite 3 11 13 13", "20 constd 2 15",
        "20 consth 3 fF", "20 const 2 01xz", "20 ones 3", "20 sort bitvec 65536"}) {
    EXPECT_EQ(refusal(with_inputs(line)), "") << line;
  }
}

TEST(Btor2, RefusesOtherWidths) {
  for (const char* line :
       {"20 not 3 12", "20 add 2 12 13", "20 add 3 12 12", "20 eq 2 12 12", "20 eq 1 12 13",
        "20 redxor 2 12", "20 implies 2 12 12", "20 slice 2 13 8 5", "20 slice 2 13 3 6",
        "20 slice 3 13 6 3", "20 uext 3 12 5", "20 sext 3 13 1", "20 concat 3 12 13",
        "20 ite 3 12 13 13", "20 ite 3 11 12 13", "20 sll 3 13 12"}) {
    EXPECT_THAT(refusal(with_inputs(line)), testing::HasSubstr("have wrong widths")) << line;
  }
  for (const char* line : {"20 constd 2 16", "20 consth 2 10", "20 const 2 011"}) {
    EXPECT_THAT(refusal(with_inputs(line)), testing::HasSubstr("is not a constant of its width"))
        << line;
  }
}

// A few bytes must not ask for gigabytes.
TEST(Btor2, RefusesWordsOfNoBitsAndOfTooMany) {
  EXPECT_THAT(refusal("1 sort bitvec 0\n"), testing::HasSubstr("allowed: 1 to 65536"));
  EXPECT_THAT(refusal("1 sort bitvec 65537\n"), testing::HasSubstr("allowed: 1 to 65536"));
  EXPECT_THAT(refusal("1 sort bitvec 999999999\n2 ones 1\n"), testing::HasSubstr("allowed"));
}

TEST(Btor2, RefusesNextValuesOfAnythingButARegister) {
  const std::string state = with_inputs("20 state 2 r\n");
  EXPECT_EQ(refusal(state + "21 next 2 20 12\n"), "");
  EXPECT_THAT(refusal(state + "21 next 3 20 13\n"), testing::HasSubstr("different widths"));
  EXPECT_THAT(refusal(state + "21 next 2 20 12\n22 next 2 20 20\n"),
              testing::HasSubstr("two next values"));
  EXPECT_THAT(refusal(with_inputs("21 next 2 12 12\n")), testing::HasSubstr("not a register"));
  EXPECT_THAT(refusal(with_inputs("20 const 1 x\n21 next 1 20 11\n")),
              testing::HasSubstr("not a register"));
}

TEST(Btor2, RefusesTwoLinesOfOneNumber) {
  EXPECT_THAT(refusal(with_inputs("13 input 3 again\n")), testing::HasSubstr("two lines"));
}

// Names are looked for through any number of lines, in time that is linear in their number.
TEST(Btor2, FollowsALongChainOfNames) {
  std::string text = "1 sort bitvec 4\n2 input 1 x\n";
  constexpr int kLines = 200000;
  for (int i = 3; i < kLines; ++i) {
    text += std::to_string(i) + " uext 1 " + std::to_string(i - 1) + " 0\n";
  }
  const Circuit circuit = read_btor2(text);
  EXPECT_EQ(SignalNames(circuit).describe(circuit.nodes.size() - 1), "x");
}

// Parts of a word have its name and their place in it, however deep it is put together.
TEST(Btor2, NamesThePartsOfAWord) {
  constexpr unsigned kWidth = 5000;
  std::string text = "1 sort bitvec 1\n10001 input 1\n";
  std::string at_end = "10001";
  for (unsigned width = 2; width <= kWidth; ++width) {
    const std::string sort = std::to_string(width);
    const std::string bit = std::to_string(20000 + width);
    const std::string line = std::to_string(30000 + width);
    text += sort + " sort bitvec " + sort + "\n" + bit + " input 1\n" + line + " concat " + sort +
            " " + bit + " " + at_end + "\n";
    at_end = line;
  }
  const Circuit circuit = read_btor2(text + "9999 output " + at_end + " d\n");
  const SignalNames names(circuit);
  EXPECT_EQ(names.describe(0), "d[0]");
  EXPECT_EQ(names.describe(circuit.node_of_line.at(20002)), "d[1]");
  EXPECT_EQ(names.describe(circuit.node_of_line.at(20000 + kWidth)), "d[4999]");
  EXPECT_EQ(names.describe(circuit.node_of_line.at(30002)), "d[1:0]");
}

}  // namespace
}  // namespace mmaspec::rtl::btor2_test
