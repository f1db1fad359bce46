// round_and_pack() with every rounding, underflow and overflow for every format of results,
// compared with rounding in rationals: near every boundary and midpoint of small formats, at random
// corners of wide ones; f32 and f64 also compared with the processor in its four roundings.

#include <gtest/gtest.h>

#include <bit>
#include <cfenv>
#include <cfloat>
#include <cmath>
#include <memory>

#include "concrete/evaluator.h"
#include "spec/formats/unpack.h"
#include "tests/support/numeric_reference.h"

namespace mmaspec::round_test {
namespace {

using numeric::Place;
using numeric::Random;

constexpr int kExponentBits = 14;
constexpr int kExponentOffset = 1 << (kExponentBits - 1);

/// (magnitude + tail) * 2^exponent, with a tail of 1/2 if inexact.
struct Input {
  Integer magnitude;
  int exponent;
  bool inexact = false;

  numeric::Rational value() const {
    const numeric::Rational m(magnitude);
    return (inexact ? numeric::Rational(m + numeric::Rational(1, 2)) : m) *
           numeric::two_to(exponent);
  }
};

/// All kinds of rounding to one format, as one graph.
class Roundings {
 public:
  Roundings(const Format& format, int kept, int width) : format_(format), kept_(kept) {
    const Graph::Building building(graph_);
    const Bool sign = bit(input("sign", 1), 0);
    const Bool zero_sign = bit(input("zero sign", 1), 0);
    const Bool inexact = bit(input("inexact", 1), 0);
    const Int magnitude = input("magnitude", static_cast<unsigned>(width));
    const Int exponent = input("exponent", kExponentBits) - kExponentOffset;
    const std::vector<Overflow> overflows = {Overflow::saturate, Overflow::to_infinity,
                                             Overflow::directed};
    std::vector<NodeId> roots;
    for (Rounding rounding : numeric::all_roundings()) {
      for (Underflow underflow : {Underflow::gradual, Underflow::flush}) {
        for (Overflow overflow : overflows) {
          for (bool tiny_keeps_sign : {false, true}) {
            const ResultFormat result{&format, rounding, underflow, overflow, kept};
            const Int packed = round_and_pack(
                {sign, magnitude, exponent, inexact, zero_sign, tiny_keeps_sign}, result);
            ways_.push_back({result, tiny_keeps_sign, packed.id()});
            roots.push_back(packed.id());
          }
        }
      }
    }
    evaluator_ = std::make_unique<ExactEvaluator>(graph_, roots);
    values_ = evaluator_->scratch();
  }

  /// Compares all kinds of rounding for one input, with both signs.
  void check(const Input& in, const Place& place, bool zero_sign) {
    for (int sign = format_.has_sign ? 1 : 0; sign >= 0; --sign) {
      evaluator_->evaluate({sign, zero_sign && format_.has_sign ? 1 : 0, in.inexact ? 1 : 0,
                            in.magnitude, in.exponent + kExponentOffset},
                           values_);
      evaluator_->check_ranges(values_);
      for (const Way& way : ways_) {
        const Integer expected = numeric::rounded(
            place, {sign == 1, zero_sign && format_.has_sign, way.tiny_keeps_sign}, way.result);
        ASSERT_EQ(values_[way.node], expected)
            << format_.name << " kept " << kept_ << " rounding "
            << static_cast<int>(way.result.rounding) << " underflow "
            << static_cast<int>(way.result.underflow) << " overflow "
            << static_cast<int>(way.result.overflow) << " keeps sign " << way.tiny_keeps_sign
            << ": " << (sign == 1 ? "-" : "") << in.magnitude << " * 2^" << in.exponent
            << (in.inexact ? " and a tail" : "");
      }
    }
  }

 private:
  struct Way {
    ResultFormat result;
    bool tiny_keeps_sign;
    NodeId node;
  };
  const Format& format_;
  int kept_;
  Graph graph_;
  std::vector<Way> ways_;
  std::unique_ptr<ExactEvaluator> evaluator_;
  ExactEvaluator::Values values_;
};

/// The number as an input with an odd magnitude, or zero.
Input as_input(const numeric::Rational& x) {
  const Integer n = numerator(x);
  if (n == 0) return {0, 0};
  const auto zeros = static_cast<int>(lsb(n));
  return {n >> zeros, zeros - static_cast<int>(msb(denominator(x)))};
}

/// The same number with appended zeros, a random number of those that fit in `width` bits.
Input widened(const Input& in, int width, Random& random) {
  const int free = width - static_cast<int>(bit_length(in.magnitude));
  if (in.magnitude == 0) return {0, random.between(-200, 200)};
  const int shift = random.below(free + 1);
  return {in.magnitude << shift, in.exponent - shift};
}

/// The number followed by a sticky bit; it must have precision + 2 bits.
Input with_tail(const Input& in, int precision, int width) {
  const int wanted = precision + 2 - static_cast<int>(bit_length(in.magnitude));
  const int shift =
      std::min(std::max(wanted, 0) + 1, width - static_cast<int>(bit_length(in.magnitude)));
  return {in.magnitude << shift, in.exponent - shift, true};
}

class Rounded : public testing::TestWithParam<const Format*> {};

// Each number of the format, the midpoint to the next one, and numbers close to these.
TEST_P(Rounded, AroundEveryNumber) {
  const Format& format = *GetParam();
  const int width = format.precision() + 14;
  Roundings graph(format, -1, width);
  const numeric::Grid grid(format.name);
  const std::vector<numeric::Rational>& all = grid.magnitudes();
  Random random(3);
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool is_corner = i < 20 || i + 20 > all.size() || i >> format.fraction_bits < 2;
    if (all.size() <= 256 || (is_corner && random.below(4) == 0) || i < 4 || i + 4 > all.size() ||
        random.below(20) == 0) {
      chosen.push_back(i);
    }
  }
  for (std::size_t i : chosen) {
    const numeric::Rational gap =
        i + 1 < all.size() ? all[i + 1] - all[i] : numeric::Rational(all[i] - all[i - 1]);
    const numeric::Rational tiny = gap / 512;
    for (const numeric::Rational& x :
         {all[i], numeric::Rational(all[i] + tiny), numeric::Rational(all[i] + gap / 2 - tiny),
          numeric::Rational(all[i] + gap / 2), numeric::Rational(all[i] + gap / 2 + tiny),
          numeric::Rational(all[i] + gap - tiny)}) {
      const Input in = widened(as_input(x), width, random);
      ASSERT_EQ(in.value(), in.magnitude == 0 ? numeric::Rational(0) : x);
      ASSERT_NO_FATAL_FAILURE(graph.check(in, grid.place(in.value()), random.coin()));
      if (in.magnitude == 0) continue;
      const Input tail = with_tail(as_input(x), format.precision(), width);
      ASSERT_NO_FATAL_FAILURE(graph.check(tail, grid.place(tail.value()), random.coin()));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, Rounded,
                         testing::Values(&formats::f16, &formats::bf16, &formats::e4m3,
                                         &formats::e5m2, &formats::e4m3fnuz, &formats::e5m2fnuz,
                                         &formats::e3m2, &formats::e2m3, &formats::e2m1,
                                         &formats::ue4m3),
                         [](const auto& test) { return std::string(test.param->name); });

struct Case {
  const Format* format;
  int kept;
  int width;
};

class RoundedAtRandom : public testing::TestWithParam<Case> {};

/// A magnitude with few ones, or with a run of ones, which give ties and carries.
Integer structured(int width, Random& random) {
  const auto at = [&] { return Integer(1) << random.below(width); };
  switch (random.below(4)) {
    case 0:
      return at();
    case 1: {
      const Integer x = at();
      const Integer y = at();
      return x == y ? x : Integer(x + y);
    }
    case 2: {
      const Integer x = at();
      const Integer y = at();
      return x > y ? Integer(x - y) : x;
    }
    default: {
      Integer all = 0;
      for (int i = 0; i < width; i += 32) all = (all << 32) + random.bits(32);
      return all & ((Integer(1) << random.between(1, width)) - 1);
    }
  }
}

TEST_P(RoundedAtRandom, AsOverRationals) {
  const auto& [format, kept, width] = GetParam();
  const int precision = (kept < 0 ? format->fraction_bits : kept) + 1;
  Roundings graph(*format, kept, width);
  Random random(4);
  for (int i = 0; i < 6000; ++i) {
    Input in{structured(width, random), 0};
    const auto length = static_cast<int>(bit_length(in.magnitude));
    // The exponent of the leading bit: near the least, near the largest, any, or far beyond.
    const int span = format->largest_exponent() - format->least_exponent();
    int leading = 0;
    switch (random.below(4)) {
      case 0:
        leading = format->least_exponent() + random.between(-precision - 3, 3);
        break;
      case 1:
        leading = format->largest_exponent() + random.between(-2, 2);
        break;
      case 2:
        leading = format->least_exponent() + random.below(span);
        break;
      default:
        leading = random.coin() ? random.between(-5000, 5000) : random.between(-300, 300);
    }
    in.exponent = leading - (length - 1);
    in.inexact = length >= precision + 2 && random.coin();
    const Place place = numeric::place_of(format->name, in.value(), kept);
    ASSERT_NO_FATAL_FAILURE(graph.check(in, place, random.coin()));
  }
}

// Magnitudes narrower and wider than the precision; results cut to fewer bits than the format's.
INSTANTIATE_TEST_SUITE_P(Cases, RoundedAtRandom,
                         testing::Values(Case{&formats::f64, -1, 60}, Case{&formats::f64, -1, 120},
                                         Case{&formats::f32, -1, 2}, Case{&formats::f32, -1, 24},
                                         Case{&formats::f32, -1, 64}, Case{&formats::f32, 13, 30},
                                         Case{&formats::f32, 13, 3}, Case{&formats::tf32, -1, 30},
                                         Case{&formats::xf32, -1, 16}, Case{&formats::f16, -1, 5},
                                         Case{&formats::f16, -1, 40}, Case{&formats::f16, 4, 20},
                                         Case{&formats::bf16, -1, 30}, Case{&formats::bf16, 0, 12},
                                         Case{&formats::e5m2, 1, 12}, Case{&formats::e4m3, 2, 12}),
                         [](const auto& test) {
                           const Case& c = test.param;
                           return std::string(c.format->name) + "_kept" +
                                  std::to_string(c.kept < 0 ? 99 : c.kept) + "_of" +
                                  std::to_string(c.width);
                         });

/// Sets the processor's rounding mode during the object's lifetime.
class ProcessorRounding {
 public:
  explicit ProcessorRounding(Rounding rounding) {
    std::fesetround(rounding == Rounding::toward_zero    ? FE_TOWARDZERO
                    : rounding == Rounding::nearest_even ? FE_TONEAREST
                    : rounding == Rounding::down         ? FE_DOWNWARD
                                                         : FE_UPWARD);
  }
  ~ProcessorRounding() { std::fesetround(FE_TONEAREST); }
  ProcessorRounding(const ProcessorRounding&) = delete;
  ProcessorRounding& operator=(const ProcessorRounding&) = delete;
};

template <typename To, typename Pattern, typename From>
Pattern narrowed(From wide, Rounding rounding) {
  const ProcessorRounding mode(rounding);
  volatile From x = wide;  // else the compiler rounds, to nearest
  volatile To y = static_cast<To>(x);
  return std::bit_cast<Pattern>(static_cast<To>(y));
}

/// Rounds numbers of `width` bits to `format` by the graph and by the processor.
template <typename To, typename Pattern, typename From>
void compare_with_processor(const Format& format, int width) {
  for (Rounding rounding :
       {Rounding::toward_zero, Rounding::nearest_even, Rounding::down, Rounding::up}) {
    Graph graph;
    const Graph::Building building(graph);
    const Bool sign = bit(input("sign", 1), 0);
    const Int magnitude = input("magnitude", static_cast<unsigned>(width));
    const Int exponent = input("exponent", kExponentBits) - kExponentOffset;
    const Int packed = round_and_pack({sign, magnitude, exponent, false, sign, true},
                                      {&format, rounding, Underflow::gradual, Overflow::directed});
    const ExactEvaluator evaluator(graph, {packed.id()});
    ExactEvaluator::Values values = evaluator.scratch();
    Random random(5);
    for (int i = 0; i < 20000; ++i) {
      const auto m = structured(width, random).convert_to<std::uint64_t>();
      const int low = format.least_exponent() - format.fraction_bits - width;
      const int e = random.coin()   ? random.between(low, format.largest_exponent())
                    : random.coin() ? low + random.below(2 * width)
                                    : format.largest_exponent() - random.below(width + 4);
      const bool negative = random.coin();
      const From x = std::ldexp(static_cast<From>(m), e);
      evaluator.evaluate({negative ? 1 : 0, m, e + kExponentOffset}, values);
      const auto expected = narrowed<To, Pattern>(negative ? -x : x, rounding);
      ASSERT_EQ(values[packed.id()], Integer(expected))
          << m << " * 2^" << e << " rounding " << static_cast<int>(rounding);
    }
  }
}

TEST(RoundedLikeTheProcessor, F32) {
  compare_with_processor<float, std::uint32_t, double>(formats::f32, 53);
}

TEST(RoundedLikeTheProcessor, F64) {
  if (LDBL_MANT_DIG != 64) GTEST_SKIP() << "long double here is no format of 64 significant bits";
  compare_with_processor<double, std::uint64_t, long double>(formats::f64, 64);
}

TEST(RoundingIsRefused, IfTheFormatHasNoPatternForTheResult) {
  Graph graph;
  const Graph::Building building(graph);
  const Number x{false, input("m", 4), 0};
  // A scale factor is not a format of results.
  EXPECT_THROW(round_and_pack(x, {&formats::ue8m0}), std::logic_error);
}

}  // namespace
}  // namespace mmaspec::round_test
