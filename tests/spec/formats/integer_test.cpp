// Integer formats: every pattern of the narrow ones and the limits of the wide ones compared with
// the machine's integers; also text, conversion and properties of the formats.

#include "spec/formats/integer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>

#include "concrete/evaluator.h"
#include "spec/formats/convert.h"
#include "spec/formats/text.h"
#include "spec/formats/unpack.h"

namespace mmaspec::integer_test {
namespace {

using testing::HasSubstr;

/// The machine's integer for a pattern.
std::int64_t machine_value(const Format& f, std::uint64_t pattern) {
  const int unused = 64 - f.storage_bits;
  return f.has_sign ? static_cast<std::int64_t>(pattern << unused) >> unused
                    : static_cast<std::int64_t>(pattern);
}

/// All patterns of formats with up to this many bits, otherwise some.
std::vector<std::uint64_t> patterns(const Format& f, int all_up_to = 16) {
  std::vector<std::uint64_t> all;
  const std::uint64_t count = std::uint64_t{1} << f.storage_bits;
  if (f.storage_bits <= all_up_to) {
    for (std::uint64_t p = 0; p < count; ++p) all.push_back(p);
    return all;
  }
  for (const std::uint64_t about : {std::uint64_t{0}, count / 4, count / 2, count - 3}) {
    for (std::uint64_t p = about; p < about + 3; ++p) all.push_back(p);
  }
  for (std::uint64_t p = 1; p < count; p = p * 3 + 1) all.push_back(p);
  return all;
}

class Integers : public testing::TestWithParam<const Format*> {};

TEST_P(Integers, AgreeWithTheIntegersOfTheMachine) {
  const Format& f = *GetParam();
  Graph graph;
  const Graph::Building building(graph);
  const Int x = input("x", static_cast<unsigned>(f.storage_bits));
  const Int value = integer_value(f, x);
  const Unpacked taken = unpack(f, x);
  const Int again = integer_pattern(f, value);
  const Int lifted = integer_pattern(f, value - 3 * power_of_two(40));
  const std::vector<NodeId> roots{value.id(),
                                  again.id(),
                                  lifted.id(),
                                  taken.sign.id(),
                                  taken.significand.id(),
                                  taken.exponent.id(),
                                  Bool(taken.is_finite()).id()};
  const ExactEvaluator evaluator(graph, roots);
  auto scratch = evaluator.scratch();
  for (const std::uint64_t p : patterns(f)) {
    const std::int64_t expected = machine_value(f, p);
    evaluator.evaluate({Integer(p)}, scratch);
    ASSERT_EQ(scratch[value.id()], expected);
    ASSERT_EQ(scratch[again.id()], p);
    ASSERT_EQ(scratch[lifted.id()], p);
    ASSERT_EQ(scratch[taken.sign.id()], expected < 0 ? 1 : 0);
    ASSERT_EQ(scratch[taken.significand.id()], expected < 0 ? -expected : expected);
    ASSERT_EQ(scratch[taken.exponent.id()], f.fraction_bits);
    const Decoded d = decode(f, Integer(p));
    ASSERT_TRUE(d.is_finite());
    ASSERT_EQ(d.value(), Rational(expected));
    ASSERT_EQ(to_decimal(f, Integer(p)), std::to_string(expected));
    ASSERT_EQ(to_hex_float(f, Integer(p)), std::to_string(expected));
    ASSERT_EQ(parse_pattern_of(f, std::to_string(expected)), p);
    ASSERT_EQ(parse_pattern_of(f, "0x" + to_hex(Integer(p), static_cast<unsigned>(f.hex_digits()))),
              p);
  }
}

TEST_P(Integers, HaveTheLimitsOfTheirFormat) {
  const Format& f = *GetParam();
  const std::int64_t most =
      machine_value(f, f.has_sign ? (std::uint64_t{1} << (f.storage_bits - 1)) - 1
                                  : (std::uint64_t{1} << f.storage_bits) - 1);
  EXPECT_EQ(f.largest_integer(), most);
  EXPECT_EQ(f.least_integer(), f.has_sign ? -most - 1 : 0);
  EXPECT_TRUE(f.is_integer());
  EXPECT_FALSE(f.has_nan());
  EXPECT_FALSE(f.has_infinity());
  EXPECT_EQ(f.largest_exponent(), floor_log2(Rational(most)));
  EXPECT_EQ(find_format(f.name), &f);
  EXPECT_THROW(parse_pattern_of(f, std::to_string(most + 1)), std::invalid_argument);
  EXPECT_THROW(parse_pattern_of(f, Integer(f.least_integer() - 1).str()), std::invalid_argument);
}

TEST_P(Integers, ConvertToEachOtherAndToF64) {
  const Format& from = *GetParam();
  for (const Format* to : integer_formats()) {
    Graph graph;
    const Graph::Building building(graph);
    const Int x = input("x", static_cast<unsigned>(from.storage_bits));
    const Converted c = convert(from, x, *to);
    const Int wide = convert(from, x, formats::f64).pattern;
    const ExactEvaluator evaluator(graph, {c.pattern.id(), c.exact.id(), wide.id()});
    auto scratch = evaluator.scratch();
    for (const std::uint64_t p : patterns(from, 8)) {
      const Integer value = machine_value(from, p);
      const Integer nearest =
          std::clamp(value, Integer(to->least_integer()), Integer(to->largest_integer()));
      evaluator.evaluate({Integer(p)}, scratch);
      ASSERT_EQ(scratch[c.exact.id()] != 0, nearest == value);
      ASSERT_EQ(decode(*to, scratch[c.pattern.id()]).value(), Rational(nearest));
      ASSERT_EQ(round_pattern(from, Integer(p), *to), scratch[c.pattern.id()]);
      ASSERT_EQ(decode(formats::f64, scratch[wide.id()]).value(), Rational(value));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, Integers, testing::ValuesIn(integer_formats()),
                         [](const auto& test) { return std::string(test.param->name); });

TEST(IntegerText, NamesTheNearest) {
  const auto error = [](const Format& f, const char* text) -> std::string {
    try {
      parse_pattern_of(f, text);
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_THAT(error(formats::s8, "1.5"), HasSubstr("nearest: 1, 2"));
  EXPECT_THAT(error(formats::s8, "-1.5"), HasSubstr("nearest: -2, -1"));
  EXPECT_THAT(error(formats::s8, "128"), HasSubstr("nearest: 127"));
  EXPECT_THAT(error(formats::s8, "-129"), HasSubstr("nearest: -128"));
  EXPECT_THAT(error(formats::u4, "-1"), HasSubstr("nearest: 0"));
  EXPECT_THAT(error(formats::u4, "16"), HasSubstr("nearest: 15"));
  EXPECT_THAT(error(formats::s32, "inf"), HasSubstr("no infinity"));
  EXPECT_THAT(error(formats::s32, "nan"), HasSubstr("no NaN"));
  EXPECT_THAT(error(formats::s4, "0x10"),
              HasSubstr("has 2 hexadecimal digits, but a pattern of s4 has 1"));
  EXPECT_EQ(parse_pattern_of(formats::s8, "-0x1p+7"), 0x80);
  EXPECT_EQ(parse_pattern_of(formats::s8, "-1e2"), 0x9c);
  EXPECT_EQ(parse_pattern_of(formats::s8, "-0"), 0);
}

TEST(IntegerText, RoundsToNearestEven) {
  const auto rounded = [](const char* x) {
    const Integer pattern = parse_pattern_of(formats::f64, x);
    return to_decimal(formats::s8, round_pattern(formats::f64, pattern, formats::s8));
  };
  EXPECT_EQ(rounded("1.5"), "2");
  EXPECT_EQ(rounded("2.5"), "2");
  EXPECT_EQ(rounded("-0.5"), "0");
  EXPECT_EQ(rounded("-1.5"), "-2");
  EXPECT_EQ(rounded("-1.25"), "-1");
  EXPECT_EQ(rounded("1e20"), "127");
  EXPECT_EQ(rounded("-1e20"), "-128");
  EXPECT_EQ(rounded("-inf"), "-128");
}

TEST(IntegerFormats, AreRefusedAsResultsOfRounding) {
  Graph graph;
  const Graph::Building building(graph);
  EXPECT_THROW(round_and_pack({false, 1, 0}, ResultFormat{&formats::s8}), std::logic_error);
  EXPECT_THROW(convert(formats::f16, input("x", 16), formats::s8), std::logic_error);
}

}  // namespace
}  // namespace mmaspec::integer_test
