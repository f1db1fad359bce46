// differ() in the language and differ() on numbers: the search for a witness and its confirmation
// agree.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <random>

#include "concrete/evaluator.h"
#include "queries/values/distance.h"

namespace mmaspec::difference_test {
namespace {

Rational number(const char* text) { return parse_rational(text); }

/// One question about results of two formats, as a runnable graph.
class Condition {
 public:
  Condition(const Difference& difference, const Format& first, const Format& second)
      : difference_(difference), first_(first), second_(second) {
    const Graph::Building building(graph_);
    const Int x = input("x", static_cast<unsigned>(first.storage_bits));
    const Int y = input("y", static_cast<unsigned>(second.storage_bits));
    root_ = differ(difference, first, x, second, y).id();
    evaluator_ = std::make_unique<ExactEvaluator>(graph_, std::vector<NodeId>{root_});
    values_ = evaluator_->scratch();
  }

  bool in_language(const Integer& x, const Integer& y) {
    evaluator_->evaluate({x, y}, values_);
    return values_[root_] != 0;
  }

  /// True if both agree.
  testing::AssertionResult agree(const Integer& x, const Integer& y) {
    const bool language = in_language(x, y);
    const bool numbers = differ(difference_, first_, x, second_, y);
    if (language == numbers) return testing::AssertionSuccess();
    return testing::AssertionFailure()
           << text() << ": " << first_.name << " " << to_hex_float(first_, x) << " and "
           << second_.name << " " << to_hex_float(second_, y) << ": "
           << (language ? "the language alone says that they differ"
                        : "the numbers alone say that they differ");
  }

  std::string text() const {
    std::string all = difference_.signed_zero ? "signed zeros" : "";
    if (difference_.ulp) all += " ulp " + difference_.ulp->str();
    if (difference_.absolute) all += " abs " + difference_.absolute->str();
    if (difference_.relative) all += " rel " + difference_.relative->str();
    return all;
  }

 private:
  Difference difference_;
  const Format& first_;
  const Format& second_;
  Graph graph_;
  NodeId root_ = 0;
  std::unique_ptr<ExactEvaluator> evaluator_;
  ExactEvaluator::Values values_;
};

Difference by_ulp(Integer ulp) { return {std::move(ulp), {}, {}, false}; }
Difference by_absolute(Rational bound) { return {{}, std::move(bound), {}, false}; }
Difference by_relative(Rational bound) { return {{}, {}, std::move(bound), false}; }

/// Every kind of bound; `format` gives bounds near its own numbers.
std::vector<Difference> differences(const Format& format) {
  std::vector<Difference> all{{}};
  for (const char* ulp : {"0", "1", "2", "7", "100", "4294967296"}) {
    all.push_back(by_ulp(Integer(ulp)));
  }
  for (const char* bound : {"0", "0.2", "0.5", "1", "3", "0x1p-24", "1e-9", "0.3333333333333",
                            "448", "1e30", "0x1.fffffffffp0", "0x1.0000000001p0", "1e-40"}) {
    all.push_back(by_absolute(number(bound)));
  }
  const Integer numbers = format.largest_finite();
  for (const Integer& pattern : {Integer(1), Integer(2), Integer(numbers / 2), numbers}) {
    // A number of the format, and values close to it.
    const Rational value = decode(format, pattern << format.ignored_low_bits).value();
    if (bit_length(numerator(value)) > 250 || bit_length(denominator(value)) > 900) continue;
    const Rational little = value * rational_power_of_two(-70);
    all.push_back(by_absolute(value));
    if (bit_length(numerator(value)) > 150) continue;
    all.push_back(by_absolute(value + little));
    all.push_back(by_absolute(value - little));
  }
  for (const char* bound : {"0", "0.1", "0.5", "1", "2", "0.999999", "1.000001", "1e-6", "3", "100",
                            "1e-12", "0x1p-10", "0x1.fffffp0"}) {
    all.push_back(by_relative(number(bound)));
  }
  all.push_back({Integer(1), number("0.25"), {}, false});
  all.push_back({Integer(1), number("0.25"), number("0.1"), false});
  all.push_back({{}, number("0.01"), number("1"), false});
  const std::size_t plain = all.size();
  for (std::size_t i = 0; i < plain; i += 3) {
    all.push_back(all[i]);
    all.back().signed_zero = true;
  }
  return all;
}

void expect_agreement_on_all(const Format& first, const Format& second) {
  for (const Difference& difference : differences(first)) {
    Condition condition(difference, first, second);
    for (int x = 0; x < 1 << first.storage_bits; ++x) {
      for (int y = 0; y < 1 << second.storage_bits; ++y) ASSERT_TRUE(condition.agree(x, y));
    }
  }
}

TEST(Differ, AgreesWithNumbersOnAllE2M1) { expect_agreement_on_all(formats::e2m1, formats::e2m1); }
TEST(Differ, AgreesWithNumbersOnAllE3M2) { expect_agreement_on_all(formats::e3m2, formats::e3m2); }

/// All pairs of 8-bit results would take minutes with every bound: each bound gets a part.
void expect_agreement_on_a_part(const Format& first, const Format& second) {
  int part = 0;
  for (const Difference& difference : differences(first)) {
    Condition condition(difference, first, second);
    const int step = 29;
    for (int i = ++part % step; i < 1 << 16; i += step) {
      ASSERT_TRUE(condition.agree(i >> 8, i & 0xff));
    }
  }
}

TEST(Differ, AgreesWithNumbersOnE4M3) { expect_agreement_on_a_part(formats::e4m3, formats::e4m3); }
TEST(Differ, AgreesWithNumbersOnE5M2) { expect_agreement_on_a_part(formats::e5m2, formats::e5m2); }
TEST(Differ, AgreesWithNumbersOnE4M3FNUZ) {
  expect_agreement_on_a_part(formats::e4m3fnuz, formats::e4m3fnuz);
}

/// Important patterns: zeros, least and largest numbers, infinities, NaNs, powers of two, and
/// random ones.
Integer draw(const Format& f, std::mt19937_64& random) {
  const auto u = [](int n) { return static_cast<unsigned>(n); };
  const Integer sign = random() % 2 == 0 ? Integer(0) : power_of_two(u(f.sign_bit()));
  const Integer hidden = power_of_two(u(f.fraction_bits));
  const auto any = [&] { return Integer(random()) % power_of_two(u(f.storage_bits)); };
  switch (random() % 8) {
    case 0: {
      const std::vector<Integer> corners{0,
                                         1,
                                         hidden - 1,
                                         hidden,
                                         f.largest_finite(),
                                         f.first_non_finite(),
                                         f.first_non_finite() + 1};
      return sign + corners[random() % corners.size()];
    }
    case 1:
      return sign + hidden * Integer(random() % u(f.field_maximum()));
    case 2:  // near 1
      return sign + hidden * Integer(u(f.bias - 2) + random() % 5) + any() % hidden;
    case 3:
      return sign + any() % 8;
    default:
      return any();
  }
}

/// A pattern of `to` close to `pattern` of `from`: there a bound is just met or missed.
Integer near(const Format& from, const Integer& pattern, const Format& to,
             std::mt19937_64& random) {
  Integer y = round_pattern(from, pattern, to);
  const Integer sign = power_of_two(static_cast<unsigned>(to.sign_bit()));
  switch (random() % 4) {
    case 0:
      return y;
    case 1:
      return y >= sign ? Integer(y - sign) : Integer(y + sign);
    default: {
      const Integer step = Integer(1) << static_cast<unsigned>(random() % 20);
      const Integer moved = random() % 2 == 0 ? Integer(y + step) : Integer(y - step);
      return moved < 0 || moved >= 2 * sign ? y : moved;
    }
  }
}

void expect_agreement_on_samples(const Format& first, const Format& second) {
  std::mt19937_64 random(5);
  for (const Difference& difference : differences(first)) {
    Condition condition(difference, first, second);
    for (int i = 0; i < 700; ++i) {
      const Integer x = draw(first, random);
      const Integer y = random() % 2 == 0 ? draw(second, random) : near(first, x, second, random);
      ASSERT_TRUE(condition.agree(x, y));
    }
    // The second number differs from the first one by a bound.
    if (!difference.absolute && !difference.relative) continue;
    for (int i = 0; i < 300; ++i) {
      const Integer x = draw(first, random);
      const Decoded value = decode(first, x);
      if (!value.is_finite()) continue;
      const Rational bound =
          difference.absolute
              ? *difference.absolute
              : Rational(*difference.relative * boost::multiprecision::abs(value.value()));
      const Rational target = value.value() + (random() % 2 == 0 ? bound : Rational(-bound));
      const double near_target = target.convert_to<double>();
      if (!std::isfinite(near_target)) continue;
      const auto bits = std::bit_cast<std::uint64_t>(near_target);
      ASSERT_TRUE(condition.agree(x, near(formats::f64, Integer(bits), second, random)));
    }
  }
}

TEST(Differ, AgreesWithNumbersOnE4M3AgainstE5M2) {
  expect_agreement_on_a_part(formats::e4m3, formats::e5m2);
}
TEST(Differ, AgreesWithNumbersOnE5M2AgainstE4M3) {
  expect_agreement_on_a_part(formats::e5m2, formats::e4m3);
}
TEST(Differ, AgreesWithNumbersOnF16AgainstBF16) {
  expect_agreement_on_samples(formats::f16, formats::bf16);
}
TEST(Differ, AgreesWithNumbersOnBF16AgainstF16) {
  expect_agreement_on_samples(formats::bf16, formats::f16);
}
TEST(Differ, AgreesWithNumbersOnTF32AgainstF32) {
  expect_agreement_on_samples(formats::tf32, formats::f32);
}
TEST(Differ, AgreesWithNumbersOnF32AgainstTF32) {
  expect_agreement_on_samples(formats::f32, formats::tf32);
}
TEST(Differ, AgreesWithNumbersOnF16) { expect_agreement_on_samples(formats::f16, formats::f16); }
TEST(Differ, AgreesWithNumbersOnF32) { expect_agreement_on_samples(formats::f32, formats::f32); }
TEST(Differ, AgreesWithNumbersOnF64) { expect_agreement_on_samples(formats::f64, formats::f64); }
TEST(Differ, AgreesWithNumbersOnF16AgainstF32) {
  expect_agreement_on_samples(formats::f16, formats::f32);
}
TEST(Differ, AgreesWithNumbersOnF32AgainstF16) {
  expect_agreement_on_samples(formats::f32, formats::f16);
}
TEST(Differ, AgreesWithNumbersOnF32AgainstF64) {
  expect_agreement_on_samples(formats::f32, formats::f64);
}
TEST(Differ, AgreesWithNumbersOnF64AgainstF16) {
  expect_agreement_on_samples(formats::f64, formats::f16);
}

bool f32_differ(const Difference& difference, const char* x, const char* y) {
  const Format& f = formats::f32;
  Condition condition(difference, f, f);
  const Integer px = parse_pattern_of(f, x);
  const Integer py = parse_pattern_of(f, y);
  EXPECT_TRUE(condition.agree(px, py));
  return condition.in_language(px, py);
}

TEST(Differ, ComparesValues) {
  EXPECT_FALSE(f32_differ({}, "0", "-0"));
  EXPECT_FALSE(f32_differ({}, "nan", "0x7fc00123"));
  EXPECT_FALSE(f32_differ({}, "-nan", "0x7f800001"));
  EXPECT_FALSE(f32_differ({}, "inf", "inf"));
  EXPECT_TRUE(f32_differ({}, "inf", "-inf"));
  EXPECT_TRUE(f32_differ({}, "nan", "inf"));
  EXPECT_TRUE(f32_differ({}, "1", "0x1.000002p+0"));
}

TEST(Differ, TreatsANanAsBeyondAnyBound) {
  for (const Difference& d :
       {by_ulp(Integer(1) << 100U), by_absolute(number("1e60")), by_relative(number("1e60"))}) {
    EXPECT_TRUE(f32_differ(d, "nan", "1"));
    EXPECT_TRUE(f32_differ(d, "-inf", "nan"));
    EXPECT_FALSE(f32_differ(d, "nan", "nan"));
  }
}

TEST(Differ, CountsInfinityAsTheNumberAfterTheLargest) {
  EXPECT_FALSE(f32_differ(by_ulp(1), "inf", "0x1.fffffep+127"));
  EXPECT_TRUE(f32_differ(by_ulp(0), "inf", "0x1.fffffep+127"));
  EXPECT_TRUE(f32_differ(by_absolute(number("1e60")), "inf", "0x1.fffffep+127"));
  EXPECT_TRUE(f32_differ(by_relative(number("1e60")), "inf", "1"));
}

TEST(Differ, DistinguishesZerosIfAskedWhateverTheBounds) {
  Difference signed_zero{{}, {}, {}, true};
  EXPECT_TRUE(f32_differ(signed_zero, "0", "-0"));
  EXPECT_FALSE(f32_differ(signed_zero, "-0", "-0"));
  EXPECT_FALSE(f32_differ(signed_zero, "nan", "-nan"));
  signed_zero.ulp = 5;
  signed_zero.absolute = 1;
  EXPECT_TRUE(f32_differ(signed_zero, "0", "-0"));
  EXPECT_FALSE(f32_differ(signed_zero, "1", "0x1.000002p+0"));
}

TEST(Differ, IsStrict) {
  EXPECT_FALSE(f32_differ(by_ulp(2), "1", "0x1.000004p+0"));
  EXPECT_TRUE(f32_differ(by_ulp(1), "1", "0x1.000004p+0"));
  EXPECT_FALSE(f32_differ(by_absolute(number("0.5")), "1", "1.5"));
  EXPECT_TRUE(f32_differ(by_absolute(number("0.5")), "1", "0x1.800002p+0"));
  EXPECT_FALSE(f32_differ(by_relative(number("0.5")), "2", "3"));
  EXPECT_TRUE(f32_differ(by_relative(number("0.5")), "2", "0x1.800002p+1"));
  EXPECT_TRUE(f32_differ(by_relative(number("5")), "0", "0x1p-149"));
}

TEST(Differ, RefusesBoundsOfTooManyDigits) {
  const Format& f = formats::f32;
  EXPECT_THROW(Condition(by_absolute(Rational(Integer(1) << 400U) + 1), f, f),
               std::invalid_argument);
  EXPECT_THROW(Condition(by_relative(rational_power_of_two(-5000)), f, f), std::invalid_argument);
}

TEST(UlpDistance, CountsNumbersOfTheFirstFormat) {
  const auto distance = [](const Format& f, const char* x, const Format& g, const char* y) {
    return ulp_distance(f, parse_pattern_of(f, x), g, parse_pattern_of(g, y));
  };
  using formats::f16;
  using formats::f32;
  EXPECT_EQ(distance(f32, "0x1p-149", f32, "-0x1p-149"), 2);
  EXPECT_EQ(distance(f32, "0", f32, "-0"), 0);
  EXPECT_EQ(distance(f32, "1", f32, "2"), Integer(1) << 23U);
  EXPECT_EQ(distance(f32, "inf", f32, "-inf"), 2 * Integer(0x7f800000));
  EXPECT_EQ(distance(f16, "1", f32, "0x1.004p+0"), 1);
  EXPECT_EQ(distance(f16, "1", f32, "0x1.002p+0"), 0);  // a tie goes to even
  EXPECT_EQ(distance(f16, "1", f32, "0x1.006p+0"), 2);
  EXPECT_EQ(distance(f16, "0x1.ffcp+15", f32, "65536"), 1);
  EXPECT_EQ(distance(f32, "0x1.002p+0", f16, "1"), Integer(1) << 12U);
  EXPECT_EQ(distance(f32, "nan", f32, "-nan"), 0);
  EXPECT_EQ(distance(f32, "nan", f32, "1"), std::nullopt);
}

}  // namespace
}  // namespace mmaspec::difference_test
