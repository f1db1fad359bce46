// Numbers as text, in both directions, compared with the C library; and texts that are not numbers
// of a format.

#include "spec/formats/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>

#include "spec/formats/nearest.h"
#include "tests/support/numeric_reference.h"

namespace mmaspec::text_test {
namespace {

using numeric::Kind;
using numeric::Meaning;
using testing::HasSubstr;

std::string print(const char* how, double x) {
  std::array<char, 1400> text{};
  std::snprintf(text.data(), text.size(), how, x);
  return text.data();
}

/// Patterns whose ignored bits are zero: all of up to 16 bits, otherwise some random ones.
void for_canonical_patterns(const Format& format, const std::function<void(std::uint64_t)>& each) {
  const int used = format.storage_bits - format.ignored_low_bits - format.ignored_high_bits;
  if (used <= 16) {
    for (std::uint64_t p = 0; p < std::uint64_t{1} << used; ++p) each(p);
    return;
  }
  numeric::Random random(11);
  for (int i = 0; i < 3000; ++i) {
    std::uint64_t p = random.bits(used);
    if (i % 8 == 0) p &= ~(std::uint64_t(format.field_maximum()) << format.fraction_bits);
    each(p << format.ignored_low_bits);
  }
}

class TextOf : public testing::TestWithParam<const Format*> {};

TEST_P(TextOf, HexFloatsAreTheCLibrarysAndReadBack) {
  const Format& format = *GetParam();
  for_canonical_patterns(format, [&](std::uint64_t p) {
    const Meaning m = numeric::meaning(format.name, p);
    const std::string text = to_hex_float(format, p);
    if (m.kind == Kind::nan) {
      ASSERT_EQ(text, "nan");
      return;
    }
    const double number = m.kind == Kind::infinity ? HUGE_VAL : m.magnitude;
    const double x = m.negative ? -number : number;
    // The C library writes subnormal f64 numbers with a leading zero; here all have a leading 1.
    if (std::fpclassify(x) == FP_SUBNORMAL) {
      ASSERT_EQ(std::strtod(text.c_str(), nullptr), x) << text;
    } else {
      ASSERT_EQ(text, print("%a", x)) << std::hex << p;
    }
    ASSERT_EQ(parse_pattern_of(format, text), p) << text;
  });
}

TEST_P(TextOf, DecimalsReadBackAsTheSameNumber) {
  const Format& format = *GetParam();
  for_canonical_patterns(format, [&](std::uint64_t p) {
    const Meaning m = numeric::meaning(format.name, p);
    if (m.kind != Kind::number) {
      ASSERT_EQ(to_decimal(format, p), to_hex_float(format, p));
      return;
    }
    const std::string text = to_decimal(format, p);
    ASSERT_EQ(parse_nearest_pattern_of(format, text), p) << text;
    ASSERT_EQ(text.find("e+0"), std::string::npos) << text;
    const bool is_exact = format.storage_bits <= 8 || format.storage_bits == 64;
    if (!is_exact) return;
    const double back = std::strtod(text.c_str(), nullptr);
    ASSERT_EQ(back, m.negative ? -m.magnitude : m.magnitude) << text;
    ASSERT_EQ(std::signbit(back), m.negative) << text;
  });
}

/// Number of significant digits of a decimal.
int digits_of(const std::string& text) {
  int digits = 0;
  for (const char c : text.substr(0, text.find('e'))) {
    if (std::isdigit(static_cast<unsigned char>(c)) != 0 && (digits > 0 || c != '0')) ++digits;
  }
  return digits;
}

// With one digit less, a decimal is nearer to another number, or half-way to it.
TEST_P(TextOf, DecimalsAreAsShortAsPossible) {
  const Format& format = *GetParam();
  if (format.storage_bits <= 8 || format.storage_bits == 64 || format.is_integer()) return;
  const std::uint64_t step = std::uint64_t{1} << format.ignored_low_bits;
  int shortened = 0;
  for_canonical_patterns(format, [&](std::uint64_t p) {
    const Meaning m = numeric::meaning(format.name, p);
    if (m.kind != Kind::number || m.negative || m.magnitude == std::floor(m.magnitude)) return;
    const std::string text = to_decimal(format, p);
    const int digits = digits_of(text);
    if (digits == 1) return;
    std::array<char, 400> shorter{};
    std::snprintf(shorter.data(), shorter.size(), "%.*g", digits - 1, m.magnitude);
    ++shortened;
    if (parse_nearest_pattern_of(format, shorter.data()) != p) return;
    const double read = std::strtod(shorter.data(), nullptr);
    const std::uint64_t neighbour = read < m.magnitude ? p - step : p + step;
    const double other = numeric::meaning(format.name, neighbour).magnitude;
    ASSERT_EQ(read, (m.magnitude + other) / 2) << text << " is longer than " << shorter.data();
  });
  EXPECT_GT(shortened, 800);
}

TEST(Decimals, AreTheShortestOfTheirFormat) {
  using namespace formats;
  EXPECT_EQ(to_decimal(f32, 0x3dcccccd), "0.1");
  EXPECT_EQ(to_decimal(f32, 0xbdcccccd), "-0.1");
  EXPECT_EQ(to_decimal(f32, 0x3dccccce), "0.10000001");
  EXPECT_EQ(to_decimal(f32, 0x41200000), "10");
  EXPECT_EQ(to_decimal(f32, 0x4b000000), "8388608");
  EXPECT_EQ(to_decimal(f32, 0x4b800001), "16777218");
  EXPECT_EQ(to_decimal(f32, 0x7f7fffff), "3.4028235e+38");
  EXPECT_EQ(to_decimal(f32, 0x00000001), "1e-45");
  EXPECT_EQ(to_decimal(f32, 0x00800000), "1.1754944e-38");
  EXPECT_EQ(to_decimal(f32, 0x80000000), "-0");
  EXPECT_EQ(to_decimal(f16, 0x2e66), "0.1");
  EXPECT_EQ(to_decimal(f16, 0x3c01), "1.001");
  EXPECT_EQ(to_decimal(f16, 0x7bff), "65504");
  EXPECT_EQ(to_decimal(f16, 0x0001), "6e-08");
  EXPECT_EQ(to_decimal(bf16, 0x3dcd), "0.1");
  EXPECT_EQ(to_decimal(tf32, 0x3dccc000), "0.1");
  EXPECT_EQ(to_decimal(e4m3, 0x47), "3.75");
  EXPECT_EQ(to_decimal(e2m1, 0x3), "1.5");
  EXPECT_EQ(to_decimal(f64, Integer("0x3fb999999999999a")), "0.1");
  EXPECT_EQ(to_decimal(f64, Integer("0x4340000000000000")), "9007199254740992");
  EXPECT_EQ(to_decimal(f64, Integer("0x4341c37937e08000")), "1e+16");
}

TEST_P(TextOf, ExactDecimalsAreRead) {
  const Format& format = *GetParam();
  for_canonical_patterns(format, [&](std::uint64_t p) {
    const Meaning m = numeric::meaning(format.name, p);
    if (m.kind != Kind::number || (format.storage_bits >= 16 && p % 9 != 0)) return;
    // A double has at most 800 digits.
    const std::string text = print("%.800e", m.negative ? -m.magnitude : m.magnitude);
    ASSERT_EQ(parse_pattern_of(format, text), p) << text;
  });
}

TEST_P(TextOf, HexBitsAreRead) {
  const Format& format = *GetParam();
  for_canonical_patterns(format, [&](std::uint64_t p) {
    const std::string digits = to_hex(p, static_cast<unsigned>(format.hex_digits()));
    ASSERT_EQ(parse_pattern_of(format, "0x" + digits), p);
    ASSERT_EQ(parse_pattern_of(format, "0X" + digits), p);
    ASSERT_EQ(parse_bits(format, digits), p);
    ASSERT_THROW(parse_pattern_of(format, "0x0" + digits), std::invalid_argument);
    ASSERT_THROW(parse_bits(format, "0x" + digits), std::invalid_argument);
    if (digits.size() > 1) {
      ASSERT_THROW(parse_pattern_of(format, "0x" + digits.substr(1)), std::invalid_argument);
    }
  });
  const std::string all_ones = "0x" + to_hex(power_of_two(unsigned(format.storage_bits)) - 1);
  EXPECT_EQ(parse_pattern_of(format, all_ones), power_of_two(unsigned(format.storage_bits)) - 1);
  const std::string too_many = "0x" + to_hex(power_of_two(unsigned(format.storage_bits)));
  try {
    parse_pattern_of(format, too_many);
    FAIL() << too_many;
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), HasSubstr(too_many.substr(2)));
    const bool has_more_digits =
        too_many.size() - 2 > static_cast<std::size_t>(format.hex_digits());
    EXPECT_THAT(
        error.what(),
        HasSubstr(has_more_digits ? std::to_string(too_many.size() - 2) + " hexadecimal digits"
                                  : std::to_string(format.storage_bits) + " bits"));
    EXPECT_THAT(error.what(), HasSubstr(std::string(format.name)));
  }
}

TEST_P(TextOf, SpecialValuesWhereTheyExist) {
  const Format& format = *GetParam();
  if (format.has_infinity()) {
    EXPECT_TRUE(decode(format, parse_pattern_of(format, "inf")).is_infinite);
    EXPECT_FALSE(decode(format, parse_pattern_of(format, "inf")).negative);
    EXPECT_TRUE(decode(format, parse_pattern_of(format, "-inf")).is_infinite);
    EXPECT_TRUE(decode(format, parse_pattern_of(format, "-inf")).negative);
  } else {
    EXPECT_THROW(parse_pattern_of(format, "inf"), std::invalid_argument);
    EXPECT_THROW(parse_pattern_of(format, "-inf"), std::invalid_argument);
  }
  if (format.has_nan()) {
    EXPECT_TRUE(decode(format, parse_pattern_of(format, "nan")).is_nan);
  } else {
    EXPECT_THROW(parse_pattern_of(format, "nan"), std::invalid_argument);
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, TextOf, testing::ValuesIn(all_formats()),
                         [](const auto& test) { return std::string(test.param->name); });

/// The message of the refusal; fails the test if the text is accepted.
std::string refusal(const Format& format, const std::string& text) {
  try {
    const Integer p = parse_pattern_of(format, text);
    ADD_FAILURE() << text << " was read as 0x" << to_hex(p) << " of " << format.name;
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(NumbersNotHeld, NameTheNearestThatAre) {
  EXPECT_EQ(refusal(formats::e2m1, "2.5"),
            "e2m1 does not represent 2.5 exactly; nearest: 0x1p+1, 0x1.8p+1");
  EXPECT_EQ(refusal(formats::e2m1, "-0.1"),
            "e2m1 does not represent -0.1 exactly; nearest: -0x0p+0, -0x1p-1");
  EXPECT_EQ(refusal(formats::e2m1, "7"), "e2m1 does not represent 7 exactly; nearest: 0x1.8p+2");
  EXPECT_EQ(refusal(formats::e4m3, "464"),
            "e4m3 does not represent 464 exactly; nearest: 0x1.cp+8");
  EXPECT_EQ(refusal(formats::f16, "65536"),
            "f16 does not represent 65536 exactly; nearest: 0x1.ffcp+15");
  EXPECT_EQ(refusal(formats::f16, "0x1p-25"),
            "f16 does not represent 0x1p-25 exactly; nearest: 0x0p+0, 0x1p-24");
  EXPECT_EQ(refusal(formats::tf32, "0x1.001p0"),
            "tf32 does not represent 0x1.001p0 exactly; nearest: 0x1p+0, 0x1.004p+0");
  EXPECT_EQ(refusal(formats::ue8m0, "0"), "ue8m0 does not represent 0 exactly; nearest: 0x1p-127");
  EXPECT_EQ(refusal(formats::ue8m0, "1.5"),
            "ue8m0 does not represent 1.5 exactly; nearest: 0x1p+0, 0x1p+1");
  EXPECT_EQ(refusal(formats::ue8m0, "0x1p-128"),
            "ue8m0 does not represent 0x1p-128 exactly; nearest: 0x1p-127");
  EXPECT_THAT(refusal(formats::f64, "0.1"),
              HasSubstr("0x1.9999999999999p-4, 0x1.999999999999ap-4"));
  EXPECT_THAT(refusal(formats::f32, "1e19000"), HasSubstr("nearest: 0x1.fffffep+127"));
  EXPECT_THAT(refusal(formats::f32, "1e-19000"), HasSubstr("nearest: 0x0p+0, 0x1p-149"));
  EXPECT_THAT(refusal(formats::f32, "-0x1p19999"), HasSubstr("nearest: -0x1.fffffep+127"));
}

TEST(NumbersNotHeld, NamesOnlyValuesThatTheFormatHolds) {
  for (const char* text : {"-1", "-1.1", "-0", "-1e-9"}) {
    EXPECT_THAT(refusal(formats::ue4m3, text), testing::Not(HasSubstr("-0x"))) << text;
    EXPECT_THAT(refusal(formats::ue8m0, text), testing::Not(HasSubstr("-0x"))) << text;
  }
  EXPECT_THAT(refusal(formats::e4m3fnuz, "-1e-9"), testing::Not(HasSubstr("-0x0p+0")));
  EXPECT_THAT(refusal(formats::e4m3fnuz, "-0"), HasSubstr("e4m3fnuz does not represent -0"));
}

TEST(MalformedText, IsRefused) {
  for (const char* text :
       {"",        "-",       "+",     ".",       "-.",        "e5",      "1e",         "1e+",
        "1ee5",    "1e5x",    "1.2.3", "0x",      "0xg",       "0x1p",    "0xp5",       "0x.p1",
        "0x1.8q3", "--1",     "+-1",   "1 ",      " 1",        "1,5",     "infinity",   "Inf",
        "nano",    "0x1p1.5", "1p5",   "0b11",    "1e5000000", "1e99999", "0x1p-99999", "0x1e-",
        "\n",      "1_000",   "0x-1",  "-0x3c00", "+0x3c00"}) {
    EXPECT_THAT(refusal(formats::f32, text), HasSubstr("not a number")) << "'" << text << "'";
  }
  // For any length of the text, in a message of one line.
  for (const std::string& text : {std::string(5000, '1'), "0x" + std::string(5000, 'f'),
                                  "1e" + std::string(5000, '9'), std::string(999, '-')}) {
    EXPECT_LT(refusal(formats::f64, text).size(), 250U);
  }
}

TEST(Signs, AreAcceptedOnlyBeforeNumbers) {
  EXPECT_EQ(parse_pattern_of(formats::f32, "-0"), 0x80000000U);
  EXPECT_EQ(parse_pattern_of(formats::f32, "-0x0p0"), 0x80000000U);
  EXPECT_EQ(parse_pattern_of(formats::f32, "+1"), 0x3f800000);
  EXPECT_EQ(parse_pattern_of(formats::e4m3, "-448"), 0xfe);
  EXPECT_EQ(parse_pattern_of(formats::tf32, "-1"), 0xbf800000U);
  EXPECT_EQ(parse_pattern_of(formats::f16, "0x0001"), 1);       // bits
  EXPECT_EQ(parse_pattern_of(formats::f16, "0x1p0"), 0x3c00);   // a number
  EXPECT_EQ(parse_pattern_of(formats::f16, "0x1."), 0x3c00);    // a number
  EXPECT_EQ(parse_pattern_of(formats::f16, "0x3C00"), 0x3c00);  // bits
  EXPECT_EQ(parse_pattern_of(formats::f16, "0X1.8P-1"), 0x3a00);
  EXPECT_EQ(parse_pattern_of(formats::f16, "15E-1"), 0x3e00);
  EXPECT_EQ(parse_pattern_of(formats::f16, ".5"), 0x3800);
}

TEST(HexFloatsOfIntegers, AreAsLongAsNeeded) {
  EXPECT_EQ(to_hex_float(Integer(0), 5), "0x0p+0");
  EXPECT_EQ(to_hex_float(Integer(1), 0), "0x1p+0");
  EXPECT_EQ(to_hex_float(Integer(-3), -1), "-0x1.8p+0");
  EXPECT_EQ(to_hex_float(Integer(0x18), 10), "0x1.8p+14");
  EXPECT_EQ(to_hex_float((Integer(1) << 200) + 1, -300), "0x1." + std::string(49, '0') + "1p-100");
}

TEST(RationalText, IsExact) {
  EXPECT_EQ(parse_rational("0"), Rational(0));
  EXPECT_EQ(parse_rational("0.1"), Rational(1, 10));
  EXPECT_EQ(parse_rational("1e-3"), Rational(1, 1000));
  EXPECT_EQ(parse_rational("+2.50"), Rational(5, 2));
  EXPECT_EQ(parse_rational("0x1.8p-3"), Rational(3, 16));
  EXPECT_EQ(parse_rational("0x10"), Rational(16));
  EXPECT_EQ(parse_rational("12E2"), Rational(1200));
  EXPECT_EQ(parse_rational("1/3"), Rational(1, 3));
  for (const char* text : {"-1", "-0", "", "inf", "nan", "x", "1e", "0x", "1e-", "+-1"}) {
    EXPECT_THROW(parse_rational(text), std::invalid_argument) << text;
  }
}

TEST(PowersOfTwo, BothWays) {
  EXPECT_EQ(rational_power_of_two(0), Rational(1));
  EXPECT_EQ(rational_power_of_two(10), Rational(1024));
  EXPECT_EQ(rational_power_of_two(-10), Rational(1, 1024));
  for (int n = -40; n <= 40; ++n) {
    for (int e = -9; e <= 9; ++e) {
      const Rational power = e < 0 ? Rational(1, 1 << -e) : Rational(1 << e);
      EXPECT_EQ(times_power_of_two(n, e), n * power) << n << " * 2^" << e;
    }
  }
}

TEST(FloorLog2, IsTheExponentOfTheLargestPowerAtMost) {
  for (int n = 1; n <= 70; ++n) {
    for (int d = 1; d <= 70; ++d) {
      const Rational x(n, d);
      const int e = floor_log2(x);
      EXPECT_TRUE(rational_power_of_two(e) <= x && x < rational_power_of_two(e + 1)) << x;
    }
  }
}

TEST(Rationals, AreReadAsTheyArePrinted) {
  EXPECT_EQ(parse_rational("64449/4096"), Rational(64449, 4096));
  EXPECT_EQ(parse_rational("1.5/0x1p-2"), Rational(6));
  EXPECT_EQ(shortest_text(Rational(64449, 4096)), "15.734619140625");
  EXPECT_EQ(shortest_text(Rational(8388608)), "8388608");
  EXPECT_EQ(shortest_text(Rational(1, 10)), "0.1");
  EXPECT_EQ(shortest_text(Rational(1, 3)), "1/3");
  // 17 digits are too few.
  const Rational small(1, power_of_two(60));
  EXPECT_EQ(shortest_text(small), small.str());
  for (const Rational& x : {small, Rational(1, 3), Rational(5, 7), Rational(1, 1024), Rational(0),
                            Rational(power_of_two(200) + 1, power_of_two(90))}) {
    EXPECT_EQ(parse_rational(shortest_text(x)), x);
  }
  for (const char* text : {"1/0", "1/", "/2", "1/2/3", "-1/2", "1/-2", "1 / 2"}) {
    EXPECT_THROW(parse_rational(text), std::invalid_argument) << text;
  }
}

}  // namespace
}  // namespace mmaspec::text_test
