// Addition, multiplication and fused multiply-add rounded once: f32 and f64 compared with the
// processor in its four roundings, f16 and tiny formats compared with rationals, signs of zero and
// special values compared with IEEE 754.

#include "spec/parts/rounded_sum.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cfenv>
#include <cmath>
#include <memory>

#include "concrete/evaluator.h"
#include "tests/support/numeric_reference.h"

namespace mmaspec::rounded_sum_test {
namespace {

using numeric::Kind;
using numeric::Meaning;
using numeric::Random;

/// a * b + c, a + c and a * b + (+0) in one format as one graph.
class Operations {
 public:
  Operations(const Format& format, const ResultFormat& result) {
    const Graph::Building building(graph_);
    const auto bits = static_cast<unsigned>(format.storage_bits);
    const Int a = input("a", bits);
    const Int b = input("b", bits);
    const Int c = input("c", bits);
    const Integer nan =
        result.format->has_infinity() ? quiet_nan(*result.format) : canonical_nan(*result.format);
    fma_ = fused_multiply_add(format, a, format, b, format, c, result, nan).id();
    sum_ = add(format, a, format, c, result, nan).id();
    product_ = product_plus_zero(format, a, format, b, result, nan).id();
    evaluator_ =
        std::make_unique<ExactEvaluator>(graph_, std::vector<NodeId>{fma_, sum_, product_});
    values_ = evaluator_->scratch();
  }

  void run(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    evaluator_->evaluate({a, b, c}, values_);
  }
  void check_ranges() const { evaluator_->check_ranges(values_); }
  std::uint64_t fma() const { return values_[fma_].convert_to<std::uint64_t>(); }
  std::uint64_t sum() const { return values_[sum_].convert_to<std::uint64_t>(); }
  std::uint64_t product() const { return values_[product_].convert_to<std::uint64_t>(); }

 private:
  Graph graph_;
  NodeId fma_ = 0;
  NodeId sum_ = 0;
  NodeId product_ = 0;
  std::unique_ptr<ExactEvaluator> evaluator_;
  ExactEvaluator::Values values_;
};

/// Operands with an effect on each other: similar exponents, few or many ones, corner cases.
class Operands {
 public:
  Operands(const Format& format, std::uint64_t seed)
      : layout_(numeric::layout(format.name)), random_(seed) {}

  std::array<std::uint64_t, 3> next() {
    const int bias = layout_.bias;
    const int top = (1 << layout_.exponent_bits) - 1;
    // The product's exponent field, if it were a number: eb = wanted - ea + bias.
    const int ea = random_.between(0, top);
    int wanted =
        random_.coin() ? random_.between(-layout_.fraction_bits - 4, 3) : random_.between(0, top);
    const int eb = std::clamp(wanted - ea + bias, 0, top);
    const int spread = random_.coin() ? 2 : 2 * layout_.fraction_bits + 8;
    const int ec = std::clamp(ea + eb - bias + random_.between(-spread, spread), 0, top);
    std::uint64_t a = pattern(ea);
    const std::uint64_t b = pattern(eb);
    std::uint64_t c = pattern(ec);
    switch (random_.below(12)) {
      case 0:  // c cancels a, or nearly
        c = a ^ sign() ^ random_.bits(2);
        break;
      case 1:
        a = corner();
        break;
      case 2:
        c = corner();
        break;
      default:
        break;
    }
    return {a, b, c};
  }

  /// Signed zeros, least and largest numbers, one, infinity, NaN.
  std::uint64_t corner() {
    const std::uint64_t one = std::uint64_t{1} << layout_.fraction_bits;
    const std::uint64_t infinity = ((std::uint64_t{1} << layout_.exponent_bits) - 1) * one;
    const std::array<std::uint64_t, 10> all = {0,
                                               1,
                                               one - 1,
                                               one,
                                               one + 1,
                                               infinity - 1,
                                               infinity,
                                               infinity + one / 2,
                                               one * static_cast<std::uint64_t>(layout_.bias),
                                               infinity + 1};
    return all.at(static_cast<std::size_t>(random_.below(10))) | (random_.coin() ? sign() : 0);
  }

 private:
  std::uint64_t sign() const {
    return std::uint64_t{1} << (layout_.exponent_bits + layout_.fraction_bits);
  }
  std::uint64_t pattern(int field) {
    const int n = layout_.fraction_bits;
    const std::uint64_t ones = (std::uint64_t{1} << n) - 1;
    std::uint64_t fraction = random_.bits(n);
    switch (random_.below(4)) {
      case 0:  // some of the highest bits
        fraction &= ones << random_.between(n - 3, n);
        break;
      case 1:  // a run of ones
        fraction = ones & (ones << random_.below(n));
        break;
      case 2:
        fraction = std::uint64_t{1} << random_.below(n);
        break;
      default:
        break;
    }
    return static_cast<std::uint64_t>(field) << n | (fraction & ones) |
           (random_.coin() ? sign() : 0);
  }

  const numeric::Layout& layout_;
  Random random_;
};

template <typename Real, typename Pattern>
struct Processor {
  static Real real(std::uint64_t p) { return std::bit_cast<Real>(static_cast<Pattern>(p)); }
  /// The operation at run time, with this rounding mode.
  template <typename Operation>
  static Real run(Rounding rounding, const Operation& operation) {
    std::fesetround(rounding == Rounding::toward_zero    ? FE_TOWARDZERO
                    : rounding == Rounding::nearest_even ? FE_TONEAREST
                    : rounding == Rounding::down         ? FE_DOWNWARD
                                                         : FE_UPWARD);
    volatile Real result = operation();
    std::fesetround(FE_TONEAREST);
    return result;
  }
  static bool same(Real expected, std::uint64_t got) {
    if (std::isnan(expected)) return std::isnan(real(got));
    return static_cast<std::uint64_t>(std::bit_cast<Pattern>(expected)) == got;
  }
};

template <typename Real, typename Pattern>
void compare_with_processor(const Format& format, int count) {
  using P = Processor<Real, Pattern>;
  for (Rounding rounding :
       {Rounding::nearest_even, Rounding::toward_zero, Rounding::down, Rounding::up}) {
    Operations graph(format, {&format, rounding, Underflow::gradual, Overflow::directed});
    Operands operands(format, 21 + static_cast<std::uint64_t>(rounding));
    for (int i = 0; i < count; ++i) {
      const std::array<std::uint64_t, 3> abc = operands.next();
      const std::uint64_t a = abc[0];
      const std::uint64_t b = abc[1];
      const std::uint64_t c = abc[2];
      graph.run(a, b, c);
      if (i % 16 == 0) graph.check_ranges();
      volatile Real x = P::real(a);
      volatile Real y = P::real(b);
      volatile Real z = P::real(c);
      const Real fma = P::run(rounding, [&] { return std::fma(x, y, z); });
      const Real sum = P::run(rounding, [&]() -> Real { return x + z; });
      const Real product = P::run(rounding, [&] { return std::fma(x, y, Real(0)); });
      const auto where = [&] {
        return std::string(format.name) + " rounding " +
               std::to_string(static_cast<int>(rounding)) + ": a " + to_hex(a) + " b " + to_hex(b) +
               " c " + to_hex(c);
      };
      ASSERT_TRUE(P::same(fma, graph.fma())) << where() << ": fma " << to_hex(graph.fma());
      ASSERT_TRUE(P::same(sum, graph.sum())) << where() << ": sum " << to_hex(graph.sum());
      ASSERT_TRUE(P::same(product, graph.product()))
          << where() << ": product " << to_hex(graph.product());
    }
  }
}

TEST(LikeTheProcessor, F32) { compare_with_processor<float, std::uint32_t>(formats::f32, 25000); }
TEST(LikeTheProcessor, F64) { compare_with_processor<double, std::uint64_t>(formats::f64, 25000); }

/// x + y for numbers and zeros, with IEEE 754's sign of an exact zero (section 6.3).
Integer ieee_sum(const ResultFormat& result, const numeric::Rational& x, bool x_negative,
                 const numeric::Rational& y, bool y_negative) {
  const numeric::Rational exact = x + y;
  bool zero_sign = result.rounding == Rounding::down;
  if (x_negative == y_negative) zero_sign = x_negative;
  return numeric::rounded(numeric::place_of(result.format->name, abs(exact)),
                          {exact < 0, zero_sign, true}, result);
}

void check_against_rationals(const Format& format, const ResultFormat& result, Operations& graph,
                             std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  const Meaning x = numeric::meaning(format.name, a);
  const Meaning y = numeric::meaning(format.name, b);
  const Meaning z = numeric::meaning(format.name, c);
  if (x.kind != Kind::number || y.kind != Kind::number || z.kind != Kind::number) return;
  graph.run(a, b, c);
  const bool product_sign = x.negative != y.negative;
  const numeric::Rational magnitude = numeric::exact(x.magnitude) * numeric::exact(y.magnitude);
  const numeric::Rational product = product_sign ? numeric::Rational(-magnitude) : magnitude;
  const numeric::Rational vx = numeric::value(format.name, a);
  const numeric::Rational vz = numeric::value(format.name, c);
  const auto where = [&] {
    return std::string(format.name) + " rounding " +
           std::to_string(static_cast<int>(result.rounding)) + ": a " + to_hex(a) + " b " +
           to_hex(b) + " c " + to_hex(c);
  };
  ASSERT_EQ(graph.fma(), ieee_sum(result, product, product_sign, vz, z.negative)) << where();
  ASSERT_EQ(graph.sum(), ieee_sum(result, vx, x.negative, vz, z.negative)) << where();
  const bool zero_sign = product_sign && result.rounding == Rounding::down;
  ASSERT_EQ(graph.product(), numeric::rounded(numeric::place_of(result.format->name, magnitude),
                                              {product_sign, zero_sign, true}, result))
      << where();
}

TEST(LikeRationals, HalfPrecision) {
  for (Rounding rounding : numeric::all_roundings()) {
    for (Underflow underflow : {Underflow::gradual, Underflow::flush}) {
      const ResultFormat result{&formats::f16, rounding, underflow, Overflow::directed};
      Operations graph(formats::f16, result);
      Operands operands(formats::f16, 31);
      for (int i = 0; i < 4000; ++i) {
        const auto [a, b, c] = operands.next();
        ASSERT_NO_FATAL_FAILURE(check_against_rationals(formats::f16, result, graph, a, b, c));
      }
    }
  }
}

TEST(LikeRationals, EveryTripleOfE2m1) {
  for (Rounding rounding : numeric::all_roundings()) {
    const ResultFormat result{&formats::e2m1, rounding, Underflow::gradual, Overflow::saturate};
    Operations graph(formats::e2m1, result);
    for (std::uint64_t i = 0; i < 4096; ++i) {
      ASSERT_NO_FATAL_FAILURE(
          check_against_rationals(formats::e2m1, result, graph, i & 15, i >> 4 & 15, i >> 8));
    }
  }
}

TEST(LikeRationals, TriplesOfE3m2) {
  for (Rounding rounding : numeric::all_roundings()) {
    const ResultFormat result{&formats::e3m2, rounding, Underflow::gradual, Overflow::saturate};
    Operations graph(formats::e3m2, result);
    Random random(41);
    for (int i = 0; i < 12000; ++i) {
      ASSERT_NO_FATAL_FAILURE(check_against_rationals(formats::e3m2, result, graph, random.bits(6),
                                                      random.bits(6), random.bits(6)));
    }
  }
}

TEST(LikeRationals, EveryPairOfE5m2) {
  const ResultFormat result{&formats::e5m2, Rounding::nearest_even};
  Operations graph(formats::e5m2, result);
  for (std::uint64_t i = 0; i < 65536; ++i) {
    ASSERT_NO_FATAL_FAILURE(
        check_against_rationals(formats::e5m2, result, graph, i & 255, (i * 7 + 60) & 255, i >> 8));
  }
}

// IEEE 754-2019 section 6.3: x + (-x) is +0, or -0 when rounding down.
TEST(ExactZeros, HaveTheSignOfIeee) {
  for (Rounding rounding : numeric::all_roundings()) {
    Operations graph(formats::f32, {&formats::f32, rounding});
    const std::uint64_t minus = 0x80000000;
    const std::uint64_t one = 0x3f800000;
    const std::uint64_t opposite = rounding == Rounding::down ? minus : 0;
    graph.run(one, one, one | minus);
    EXPECT_EQ(graph.fma(), opposite);
    EXPECT_EQ(graph.sum(), opposite);
    graph.run(0, one, minus);
    EXPECT_EQ(graph.fma(), opposite);
    EXPECT_EQ(graph.sum(), opposite);
    graph.run(minus, one, minus);
    EXPECT_EQ(graph.fma(), minus);
    EXPECT_EQ(graph.sum(), minus);
    EXPECT_EQ(graph.product(), opposite);  // -0 + (+0)
    graph.run(0, one, 0);
    EXPECT_EQ(graph.fma(), 0U);
    EXPECT_EQ(graph.sum(), 0U);
  }
}

// A term far below the kept bits of an f32 sum decides directed rounding and ties, and nothing
// else.
TEST(HugeExponentGaps, LeaveAStickyBit) {
  const std::uint64_t one = 0x3f800000;
  const std::uint64_t least = 1;
  const std::uint64_t minus_least = 0x80000001;
  const auto sum = [](Rounding rounding, std::uint64_t x, std::uint64_t y) {
    Operations graph(formats::f32, {&formats::f32, rounding});
    graph.run(x, one, y);
    return graph.sum();
  };
  EXPECT_EQ(sum(Rounding::nearest_even, one, least), one);
  EXPECT_EQ(sum(Rounding::up, one, least), one + 1);
  EXPECT_EQ(sum(Rounding::down, one, least), one);
  EXPECT_EQ(sum(Rounding::down, one, minus_least), one - 1);
  EXPECT_EQ(sum(Rounding::toward_zero, one, minus_least), one - 1);
  EXPECT_EQ(sum(Rounding::up, one, minus_least), one);
  EXPECT_EQ(sum(Rounding::nearest_away, minus_least, one), one);
}

}  // namespace
}  // namespace mmaspec::rounded_sum_test
