// Conversion between formats, in the language (convert) and outside of it (round_pattern): all
// patterns of all pairs of small formats, and between these and wide ones.

#include "spec/formats/convert.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "concrete/evaluator.h"
#include "spec/formats/text.h"
#include "spec/formats/unpack.h"
#include "tests/support/numeric_reference.h"

namespace mmaspec::convert_test {
namespace {

using numeric::Kind;
using numeric::Meaning;

const std::vector<const Format*>& small_formats() {
  static const std::vector<const Format*> all = {
      &formats::e4m3, &formats::e5m2, &formats::e4m3fnuz, &formats::e5m2fnuz,
      &formats::e3m2, &formats::e2m3, &formats::e2m1,     &formats::ue4m3};

  return all;
}

/// The pattern in `to` for a number or infinity of `from`.
Integer expected_pattern(const Meaning& m, const numeric::Rational& magnitude, const Format& to,
                         Rounding rounding) {
  const ResultFormat result{&to, rounding, Underflow::gradual, Overflow::to_infinity};
  if (m.kind == Kind::infinity) {
    return numeric::rounded(numeric::place_of(to.name, numeric::two_to(20000)), {m.negative},
                            result);
  }
  return numeric::rounded(numeric::place_of(to.name, magnitude), {m.negative, m.negative}, result);
}

/// Does `to` have the value of the pattern? The sign of zero counts.
bool holds(const Format& to, const Meaning& m, const Integer& converted) {
  if (m.kind == Kind::nan) return to.has_nan();
  const Meaning back = numeric::meaning(to.name, converted.convert_to<std::uint64_t>());
  return back.kind == m.kind && back.negative == m.negative && back.magnitude == m.magnitude;
}

/// Every pattern, or `samples` of a wide format, most of them in the range of the narrow one.
void for_patterns(const Format& from, const Format& to, int samples,
                  const std::function<void(std::uint64_t)>& each) {
  if (from.storage_bits <= 16) {
    for (std::uint64_t p = 0; p < std::uint64_t{1} << from.storage_bits; ++p) each(p);
    return;
  }
  const numeric::Layout& l = numeric::layout(from.name);
  numeric::Random random(7);
  for (int i = 0; i < samples; ++i) {
    std::uint64_t p = random.bits(from.storage_bits);
    if (random.below(8) != 0) {
      const int fraction = l.fraction_bits + l.ignored_low_bits;
      const int e =
          random.between(to.least_exponent() - to.fraction_bits - 2, to.largest_exponent() + 1);
      const int field = std::clamp(e + l.bias, 0, (1 << l.exponent_bits) - 1);
      p = p % (std::uint64_t{1} << fraction) | static_cast<std::uint64_t>(field) << fraction |
          (random.coin() && from.has_sign ? std::uint64_t{1} << (from.storage_bits - 1) : 0);
      // Few fraction bits: numbers of the narrow format, and ties.
      if (random.coin()) p &= ~std::uint64_t{0} << (fraction - std::min(fraction, to.precision()));
    }
    each(p);
  }
}

/// convert() in all roundings as one graph.
class Conversion {
 public:
  Conversion(const Format& from, const Format& to) : from_(from), to_(to) {
    const Graph::Building building(graph_);
    const Int x = input("x", static_cast<unsigned>(from.storage_bits));
    std::vector<NodeId> roots;
    for (Rounding rounding : numeric::all_roundings()) {
      const Converted c = convert(from, x, to, rounding);
      ways_.push_back({rounding, c.pattern.id(), c.exact.id()});
      roots.insert(roots.end(), {c.pattern.id(), c.exact.id()});
    }
    evaluator_ = std::make_unique<ExactEvaluator>(graph_, roots);
    values_ = evaluator_->scratch();
  }

  void check(std::uint64_t pattern) {
    const Meaning m = numeric::meaning(from_.name, pattern);
    const numeric::Rational magnitude =
        m.kind == Kind::number ? numeric::exact(m.magnitude) : numeric::Rational(0);
    evaluator_->evaluate({Integer(pattern)}, values_);
    evaluator_->check_ranges(values_);
    for (const Way& way : ways_) {
      const Integer& got = values_[way.pattern];
      SCOPED_TRACE(std::string(from_.name) + " " + to_hex(pattern) + " to " +
                   std::string(to_.name) + ", rounding " +
                   std::to_string(static_cast<int>(way.rounding)));
      if (from_ == to_) {
        ASSERT_EQ(got, pattern);
        ASSERT_EQ(values_[way.exact], 1);
        continue;
      }
      if (m.kind == Kind::nan) {
        ASSERT_EQ(got, to_.has_nan() ? canonical_nan(to_) : 0);
      } else if (to_.has_sign || !m.negative) {
        ASSERT_EQ(got, expected_pattern(m, magnitude, to_, way.rounding));
      }
      ASSERT_EQ(values_[way.exact], holds(to_, m, got) ? 1 : 0);
    }
  }

 private:
  struct Way {
    Rounding rounding;
    NodeId pattern;
    NodeId exact;
  };
  const Format& from_;
  const Format& to_;
  Graph graph_;
  std::vector<Way> ways_;
  std::unique_ptr<ExactEvaluator> evaluator_;
  ExactEvaluator::Values values_;
};

TEST(Convert, EveryPatternOfEveryPairOfSmallFormats) {
  for (const Format* from : small_formats()) {
    for (const Format* to : small_formats()) {
      Conversion conversion(*from, *to);
      for_patterns(*from, *to, 0, [&](std::uint64_t p) {
        if (!testing::Test::HasFatalFailure()) conversion.check(p);
      });
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

struct Pair {
  const Format* from;
  const Format* to;
};

class ConvertWide : public testing::TestWithParam<Pair> {};

TEST_P(ConvertWide, RoundsAndSaysWhetherExact) {
  const Format* from = GetParam().from;
  const Format* to = GetParam().to;
  Conversion conversion(*from, *to);
  for_patterns(*from, *to, 4000, [&](std::uint64_t p) {
    if (from->storage_bits == 16 && p % 7 != 0) return;
    if (!testing::Test::HasFatalFailure()) conversion.check(p);
  });
}

INSTANTIATE_TEST_SUITE_P(
    Pairs, ConvertWide,
    testing::Values(Pair{&formats::f16, &formats::f32}, Pair{&formats::f32, &formats::f16},
                    Pair{&formats::f16, &formats::bf16}, Pair{&formats::bf16, &formats::f16},
                    Pair{&formats::f32, &formats::f64}, Pair{&formats::f64, &formats::f32},
                    Pair{&formats::f32, &formats::tf32}, Pair{&formats::tf32, &formats::f32},
                    Pair{&formats::tf32, &formats::xf32}, Pair{&formats::f32, &formats::bf16},
                    Pair{&formats::f16, &formats::e4m3}, Pair{&formats::f16, &formats::e5m2},
                    Pair{&formats::f32, &formats::e4m3fnuz}, Pair{&formats::f32, &formats::e2m1},
                    Pair{&formats::bf16, &formats::e5m2fnuz}, Pair{&formats::f64, &formats::e3m2},
                    Pair{&formats::f32, &formats::e2m3}, Pair{&formats::e4m3, &formats::f16},
                    Pair{&formats::e4m3fnuz, &formats::f32}, Pair{&formats::f32, &formats::ue4m3}),
    [](const auto& test) {
      return std::string(test.param.from->name) + "_" + std::string(test.param.to->name);
    });

// 240 is the largest number of E4M3FNUZ; E5M2 rounds it to 256, which is another number.
TEST(Convert, SaysInexactWhereTheResultIsBeyondTheSourceFormat) {
  Conversion conversion(formats::e4m3fnuz, formats::e5m2);
  conversion.check(0x7f);
  Conversion scale_factor(formats::ue8m0, formats::f32);
  for (std::uint64_t p = 0; p < 256; ++p) scale_factor.check(p);
}

// A scale factor has no sign and no zero, and only powers of two.
TEST(Convert, ToAScaleFactorIsExactForTheNumbersThatItHas) {
  for (const Format* from : small_formats()) {
    Graph graph;
    const Graph::Building building(graph);
    const Converted c =
        convert(*from, input("x", static_cast<unsigned>(from->storage_bits)), formats::ue8m0);
    const ExactEvaluator evaluator(graph, {c.pattern.id(), c.exact.id()});
    ExactEvaluator::Values values = evaluator.scratch();
    int exact = 0;
    for_patterns(*from, formats::ue8m0, 0, [&](std::uint64_t p) {
      evaluator.evaluate({Integer(p)}, values);
      const Meaning m = numeric::meaning(from->name, p);
      bool is_held = m.kind == Kind::nan;
      for (int q = 0; q < 256; ++q) is_held = is_held || holds(formats::ue8m0, m, q);
      ASSERT_EQ(values[c.exact.id()] != 0, is_held) << from->name << " " << p;
      if (is_held && m.kind != Kind::nan) {
        ASSERT_TRUE(holds(formats::ue8m0, m, values[c.pattern.id()])) << from->name << " " << p;
      }
      exact += is_held ? 1 : 0;
    });
    EXPECT_GT(exact, 3) << from->name;
  }
}

// The same outside of the language.
TEST(RoundPattern, IsConvertToNearestEven) {
  for (const Format* from : all_formats()) {
    for (const Format* to : all_formats()) {
      if (to->name == "ue8m0") continue;
      for_patterns(*from, *to, 1500, [&](std::uint64_t p) {
        if (from->storage_bits == 16 && p % 31 != 0) return;
        const Meaning m = numeric::meaning(from->name, p);
        SCOPED_TRACE(std::string(from->name) + " " + to_hex(p) + " to " + std::string(to->name));
        if (*from == *to) {
          ASSERT_EQ(round_pattern(*from, p, *to), p);
          return;
        }
        if (m.kind == Kind::nan) {
          if (to->has_nan()) {
            ASSERT_TRUE(decode(*to, round_pattern(*from, p, *to)).is_nan);
          } else {
            ASSERT_THROW(round_pattern(*from, p, *to), std::invalid_argument);
          }
          return;
        }
        const Integer got = round_pattern(*from, p, *to);
        if (m.negative && !to->has_sign) {
          // The nearest number of an unsigned format.
          ASSERT_EQ(got, 0);
          return;
        }
        const numeric::Rational magnitude =
            m.kind == Kind::number ? numeric::exact(m.magnitude) : numeric::Rational(0);
        ASSERT_EQ(got, expected_pattern(m, magnitude, *to, Rounding::nearest_even));
      });
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(RoundPattern, RoundsNumbersBelowTheLeastScaleFactorToIt) {
  const auto scale = [](const char* text) {
    return round_pattern(formats::f32, parse_pattern_of(formats::f32, text), formats::ue8m0);
  };
  EXPECT_EQ(scale("0x1p-127"), 0);
  EXPECT_EQ(scale("0x1p-149"), 0);
  EXPECT_EQ(scale("0"), 0);
  EXPECT_EQ(scale("-1"), 0);
  EXPECT_EQ(scale("1"), 0x7f);
  EXPECT_EQ(scale("1.25"), 0x7f);
  EXPECT_EQ(scale("1.75"), 0x80);
  EXPECT_EQ(scale("inf"), 0xff);
  EXPECT_EQ(scale("nan"), 0xff);
}

}  // namespace
}  // namespace mmaspec::convert_test
