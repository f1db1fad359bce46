#include "hardware/replay/device/common/rows.h"

#include <gtest/gtest.h>

#include "hardware/replay/device/common/packing.h"

namespace mmaspec::replay {
namespace {

std::string answered(std::string_view line, std::string_view members) {
  Row row;
  EXPECT_EQ(scan_row(line, row), "");
  std::string out;
  append_answered(row, members, out);
  return out;
}

TEST(Rows, OtherKeysPassThroughUnchanged) {
  EXPECT_EQ(answered(R"( {"instr":"x/y","a":"1","b":"2","c":"3", "n":[1,{"d":"]"}] ,"w":"\"}" }  )",
                     R"("d":"4")"),
            R"({"instr":"x/y","a":"1","b":"2","c":"3", "n":[1,{"d":"]"}] ,"w":"\"}" ,"d":"4"})"
            "\n");
}

TEST(Rows, EarlierAnswersAreReplaced) {
  EXPECT_EQ(
      answered(R"({"d":"0","instr":"x/y","a":"1","lacks":"all","b":"2","uneven":true,"c":"3"})",
               R"("d":"4")"),
      R"({"instr":"x/y","a":"1","b":"2","c":"3","d":"4"})"
      "\n");
}

TEST(Rows, DrawnRowsHaveOtherMembers) {
  Row row;
  EXPECT_EQ(
      scan_row(R"({"instr":"x","drawn":"9","seed":"1","a":"e5m2","b":"e5m2","c":"e8m23"})", row),
      "");
  EXPECT_EQ(row.drawn, "9");
  EXPECT_EQ(row.seed, "1");
  EXPECT_EQ(row.first.data(), nullptr);
  EXPECT_EQ(answered(R"({"instr":"x","drawn":"9","a":"","b":"","c":"","first":"0","d":"1 2"})",
                     R"("first":"2","d":"3")"),
            R"({"instr":"x","drawn":"9","a":"","b":"","c":"","first":"2","d":"3"})"
            "\n");
  // Members of other rows may have these names.
  EXPECT_EQ(answered(R"({"instr":"x","a":"","b":"","c":"","seed":3,"first":"z"})", R"("d":"3")"),
            R"({"instr":"x","a":"","b":"","c":"","seed":3,"first":"z","d":"3"})"
            "\n");
}

TEST(Rows, FaultsAreNamed) {
  const auto fault = [](std::string_view line) {
    Row row;
    return scan_row(line, row);
  };
  EXPECT_EQ(fault(R"({"instr":"x","a":"1","b":"2","c":"3"})"), "");
  EXPECT_EQ(fault(R"({"instr":"x","a":"1","b":"2"})"), "the key 'c' is missing");
  EXPECT_EQ(fault(R"({"instr":"x","a":"1","a":"1","b":"2","c":"3"})"), "key 'a' twice");
  EXPECT_EQ(fault(R"({"instr":"x","a":1,"b":"2","c":"3"})"), "expected a string");
  EXPECT_EQ(fault(R"({"instr":"x","a":"1","b":"2","c":"3"}})"), "text after the object");
  EXPECT_EQ(fault(R"({"instr":"x","a":"1","b":"2","c":"3)"), "a string is not terminated");
  EXPECT_EQ(fault(R"({"instr":"x","n":[1)"), "a bracket is not closed");
  EXPECT_EQ(fault(R"({"instr":"x" "a":"1"})"), "expected ',' or '}'");
  EXPECT_EQ(fault(R"([1])"), "expected a JSON object");
  EXPECT_EQ(fault(R"({"instr":"x","n":})"), "a value is missing");
  EXPECT_EQ(fault("{"), "expected a string");
}

TEST(Rows, EveryPrefixOfALineIsAFaultAndNoCrash) {
  const std::string line = R"({"instr":"x\\","a":"1","b":"2","n":{"m":["\""]},"c":"3"})";
  for (std::size_t length = 0; length < line.size(); ++length) {
    Row row;
    EXPECT_NE(scan_row(line.substr(0, length), row), "") << length;
  }
}

OperandLayout layout(int k, Packing packing, int c_bits, int scales = 0) {
  OperandLayout out;
  out.k = k;
  out.a = out.b = packing;
  out.c_bits = c_bits;
  out.scales = scales;
  return out;
}

std::string packed(const OperandLayout& layout, std::string_view a, std::string_view b,
                   std::string_view c, std::string_view sa = {}, std::string_view sb = {}) {
  Row row;
  row.a = a;
  row.b = b;
  row.c = c;
  row.sa = sa;
  row.sb = sb;
  std::vector<std::uint32_t> words(static_cast<std::size_t>(layout.words()), 0xdeadbeef);
  std::string out = pack_row(row, layout, words.data());
  if (!out.empty()) return out;
  for (const std::uint32_t word : words) {
    append_hex(word, 32, out);
    out += ' ';
  }
  return out;
}

TEST(Packing, ElementsAscendFromTheLowBits) {
  EXPECT_EQ(packed(layout(4, Packing::dense(16), 16), "1 2 3c00 FFFF", "5 6 7 8", "abcd"),
            "00020001 ffff3c00 00060005 00080007 abcdabcd ");
  EXPECT_EQ(packed(layout(8, Packing::dense(4), 32), "1 2 3 4 5 6 7 f", "0 0 0 0 0 0 0 1", "1"),
            "f7654321 10000000 00000001 ");
  EXPECT_EQ(packed(layout(1, Packing::dense(64), 64), "0123456789abcdef", "1", "ffffffff00000000"),
            "89abcdef 01234567 00000001 00000000 00000000 ffffffff ");
}

TEST(Packing, BytesAndGroupsHoldNarrowElements) {
  EXPECT_EQ(packed(layout(4, Packing{4, 8, 2, 4, 32}, 32), "f 0 1 2", "1 1 1 1", "0"),
            "0804003c 04040404 00000000 ");
  // b6x16_p32: 16 elements of 6 bits, 32 bits of padding.
  const std::string ones = "3f 0 3f 0 3f 0 3f 0 3f 0 3f 0 3f 0 3f 20";
  EXPECT_EQ(packed(layout(16, Packing{6, 6, 0, 16, 128}, 32), ones, ones, "0"),
            "3f03f03f f03f03f0 83f03f03 00000000 3f03f03f f03f03f0 83f03f03 00000000 00000000 ");
}

TEST(Packing, ScaleFactorsFillTheirWord) {
  OperandLayout two = layout(8, Packing::dense(4), 32, 2);
  two.scale_copies = 2;
  EXPECT_EQ(packed(two, "0 0 0 0 0 0 0 0", "0 0 0 0 0 0 0 0", "0", "12 34", "ab cd"),
            "00000000 00000000 00000000 34123412 cdabcdab ");
}

TEST(Packing, FaultsAreNamed) {
  const OperandLayout four = layout(4, Packing::dense(8), 32);
  EXPECT_EQ(packed(four, "1 2 3", "0 0 0 0", "0"), "a: 3 values, but the instruction takes 4");
  EXPECT_EQ(packed(four, "1 2 3 4 5", "0 0 0 0", "0"), "a: 5 values, but the instruction takes 4");
  EXPECT_EQ(packed(four, "1 2 3 100", "0 0 0 0", "0"), "a: '100' has more than 8 bits");
  EXPECT_EQ(packed(four, "1 2 3 4", "0 0x1 0 0", "0"), "b: '0x1' is not a hexadecimal bit pattern");
  EXPECT_EQ(packed(four, "1 2 3 4", "0 0 0 0", ""), "c: 0 values, but the instruction takes 1");
  EXPECT_EQ(packed(four, "1 2 3 4", "0 0 0 0", "00000000000000001"),
            "c: '00000000000000001' is not a hexadecimal bit pattern");
  EXPECT_EQ(packed(four, "1 2 3 4", "0 0 0 0", "0", "7f"),
            "sa: 1 values, but the instruction takes 0");
}

}  // namespace
}  // namespace mmaspec::replay
