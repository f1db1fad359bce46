// The exact result and its neighbours, compared with tables of all numbers and with the machine's
// floats.

#include "queries/numbers/exact.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <random>

#include "concrete/evaluator.h"
#include "queries/draw/samples.h"
#include "queries/values/exact_result.h"

namespace mmaspec::exact_test {
namespace {

/// All finite numbers of a format of up to 16 bits, ascending; -0 and +0 are one number.
class Table {
 public:
  explicit Table(const Format& f) : format_(f) {
    for (int p = 0; p < 1 << f.storage_bits; ++p) {
      const Decoded x = decode(f, p);
      if (x.is_finite() && !(x.negative && x.significand == 0)) numbers_.emplace_back(x.value(), p);
    }
    std::sort(numbers_.begin(), numbers_.end());
  }

  const Format& format() const { return format_; }
  const std::vector<std::pair<Rational, Integer>>& numbers() const { return numbers_; }
  Integer infinity(bool negative) const {
    return numbers_.back().second + 1 + (negative ? Integer(1) << format_.sign_bit() : Integer(0));
  }

  Integer at_most(const Rational& x) const {
    const auto it = after(x);
    return it == numbers_.begin() ? infinity(true) : std::prev(it)->second;
  }
  Integer at_least(const Rational& x) const {
    const auto it = std::lower_bound(numbers_.begin(), numbers_.end(), x,
                                     [](const auto& n, const Rational& y) { return n.first < y; });
    return it == numbers_.end() ? infinity(false) : it->second;
  }
  /// IEEE 754-2019, section 4.3.1.
  Integer nearest(const Rational& x) const {
    const Rational last_step = numbers_.back().first - numbers_[numbers_.size() - 2].first;
    if (boost::multiprecision::abs(x) >= numbers_.back().first + last_step / 2) {
      return infinity(x < 0);
    }
    if (x >= numbers_.back().first) return numbers_.back().second;
    if (x <= numbers_.front().first) return numbers_.front().second;
    const auto above = after(x);
    const auto below = std::prev(above);
    const Rational up = above->first - x;
    const Rational down = x - below->first;
    if (up != down) return (up < down ? above : below)->second;
    return (below->second % 2 == 0 ? below : above)->second;
  }

 private:
  std::vector<std::pair<Rational, Integer>>::const_iterator after(const Rational& x) const {
    return std::upper_bound(numbers_.begin(), numbers_.end(), x,
                            [](const Rational& y, const auto& n) { return y < n.first; });
  }
  const Format& format_;
  std::vector<std::pair<Rational, Integer>> numbers_;
};

const Table& table(const Format& f) {
  static std::map<std::string_view, Table> all;
  return all.try_emplace(f.name, f).first->second;
}

Rational random_rational(std::mt19937_64& random, int spread) {
  const Integer n = Integer(random()) * (random() % 2 == 0 ? 1 : -1);
  const Integer d = 1 + Integer(random() % 100000);
  const int e = static_cast<int>(random() % static_cast<unsigned>(2 * spread)) - spread - 60;
  return Rational(n, d) * rational_power_of_two(e);
}

/// Zeros of both signs are one number.
void expect_same(const Format& f, const Integer& x, const Integer& y, const Rational& of) {
  ASSERT_TRUE(same_value(f, x, y)) << to_hex(x) << " and " << to_hex(y) << " of " << of;
}

void expect_agreement(const Table& t, const Rational& x) {
  const Format& f = t.format();
  const Neighbours near = neighbours(f, x);
  expect_same(f, near.below, t.at_most(x), x);
  expect_same(f, near.above, t.at_least(x), x);
  expect_same(f, nearest_even(f, x), t.nearest(x), x);
}

void expect_agreement_on(const Format& f) {
  SCOPED_TRACE(f.name);
  const Table& t = table(f);
  // Numbers, midpoints, and values very close to both.
  const Rational hair = rational_power_of_two(-300);
  const auto& all = t.numbers();
  const std::size_t step = all.size() > 1000 ? 37 : 1;
  for (std::size_t i = 0; i + 1 < all.size(); i += i + 100 > all.size() || i < 50 ? 1 : step) {
    const Rational middle = (all[i].first + all[i + 1].first) / 2;
    for (const Rational& x : {all[i].first, middle}) {
      for (const Rational& at : {Rational(x - hair), x, Rational(x + hair)}) {
        expect_agreement(t, at);
      }
      if (testing::Test::HasFatalFailure()) return;
    }
  }
  // Near the largest number and beyond.
  const Rational top = all.back().first;
  const Rational ulp = top - all[all.size() - 2].first;
  for (int quarters = -5; quarters <= 9; ++quarters) {
    for (const Rational& h : {Rational(-hair), Rational(0), hair}) {
      const Rational x = top + ulp * quarters / 4 + h;
      expect_agreement(t, x);
      expect_agreement(t, -x);
    }
  }
  expect_agreement(t, top * 1000000);
  expect_agreement(t, -top * rational_power_of_two(500));
  std::mt19937_64 random(7);
  for (int i = 0; i < 3000; ++i) {
    expect_agreement(t, random_rational(random, 8 + (1 << (f.exponent_bits - 1))));
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(NeighboursAndNearest, AgreeWithATableOfE5M2) { expect_agreement_on(formats::e5m2); }
TEST(NeighboursAndNearest, AgreeWithATableOfF16) { expect_agreement_on(formats::f16); }
TEST(NeighboursAndNearest, AgreeWithATableOfBF16) { expect_agreement_on(formats::bf16); }

TEST(NeighboursAndNearest, AgreeWithTheMachineOnF32) {
  const Format& f = formats::f32;
  const auto pattern = [](float x) { return Integer(std::bit_cast<std::uint32_t>(x)); };
  const float infinity = std::numeric_limits<float>::infinity();
  const float largest = std::numeric_limits<float>::max();
  // From any float near x, step by step.
  const auto at_most = [&](const Rational& x) {
    double start = x.convert_to<double>();
    start = std::clamp(start, -double{largest}, double{largest});
    float y = static_cast<float>(start);
    while (std::isfinite(y) && Rational(y) > x) y = std::nextafterf(y, -infinity);
    for (float z = std::nextafterf(y, infinity); std::isfinite(z) && Rational(z) <= x;
         z = std::nextafterf(z, infinity)) {
      y = z;
    }
    return y;
  };
  std::mt19937_64 random(11);
  std::vector<Rational> tried;
  for (int i = 0; i < 3000; ++i) tried.push_back(random_rational(random, 160));
  for (int i = 0; i < 1500; ++i) {  // numbers, midpoints and values close to them
    const auto bits = static_cast<std::uint32_t>(random() % 0x7f800000U);
    const Rational x(std::bit_cast<float>(bits));
    const Rational y = bits == 0x7f7fffffU ? Rational(0) : Rational(std::bit_cast<float>(bits + 1));
    const Rational hair = rational_power_of_two(-400);
    for (const Rational& at :
         {x, Rational((x + y) / 2), Rational((x + y) / 2 + hair), Rational(-(x + y) / 2 - hair)}) {
      tried.push_back(at);
    }
  }
  for (const Rational& x : tried) {
    const float below = at_most(x);
    const float above = -at_most(-x);
    const Neighbours near = neighbours(f, x);
    expect_same(f, near.below, pattern(below), x);
    expect_same(f, near.above, pattern(above), x);
    // The machine rounds a double once; the double must be exactly x.
    const double d = x.convert_to<double>();
    if (std::isfinite(d) && Rational(d) == x) {
      expect_same(f, nearest_even(f, x), pattern(static_cast<float>(d)), x);
    } else if (std::isfinite(below) && std::isfinite(above)) {
      const Rational up = Rational(above) - x;
      const Rational down = x - Rational(below);
      const bool even = pattern(below) % 2 == 0;
      const bool to_below = down < up || (down == up && even);
      expect_same(f, nearest_even(f, x), pattern(to_below ? below : above), x);
    }
    if (HasFatalFailure()) return;
  }
}

TEST(NeighboursAndNearest, AreTheNumberItselfWhereItIsOne) {
  for (const Format* f : {&formats::e4m3fnuz, &formats::e2m1, &formats::e4m3, &formats::e3m2}) {
    for (int p = 0; p < 1 << f->storage_bits; ++p) {
      const Decoded x = decode(*f, p);
      if (!x.is_finite()) continue;
      const Neighbours near = neighbours(*f, x.value());
      expect_same(*f, near.below, p, x.value());
      expect_same(*f, near.above, p, x.value());
      expect_same(*f, nearest_even(*f, x.value()), p, x.value());
    }
  }
}

TEST(NeighboursAndNearest, BeyondTheLargestAreInfinityNanOrAnError) {
  EXPECT_EQ(neighbours(formats::e4m3, 449).below, 0x7e);
  EXPECT_TRUE(decode(formats::e4m3, neighbours(formats::e4m3, 449).above).is_nan);
  EXPECT_EQ(nearest_even(formats::e4m3, 464), 0x7e);  // a midpoint, to even
  EXPECT_TRUE(decode(formats::e4m3, nearest_even(formats::e4m3, 465)).is_nan);
  for (const Format* f : {&formats::e4m3fnuz, &formats::e2m1}) {
    EXPECT_THROW((void)neighbours(*f, 1000), std::logic_error);
    EXPECT_THROW((void)nearest_even(*f, 1000), std::logic_error);
  }
}

// The rounded exact result in the language, for every direction.

/// Results in the language for random operands.
class InLanguage {
 public:
  explicit InLanguage(const DotFormats& formats) : formats_(formats) {
    const Graph::Building building(graph_);
    const DotOperands in = dot_inputs(formats);
    for (Rounding r :
         {Rounding::nearest_even, Rounding::down, Rounding::up, Rounding::toward_zero}) {
      roots_.push_back(exact_rounded(formats, in, r).id());
    }
    const ExactTerms terms = exact_terms(formats, in);
    unit_ = terms.unit;
    for (Int t : terms.terms) roots_.push_back(t.id());
    const Int d = input("d", static_cast<unsigned>(formats.d->storage_bits));
    roots_.push_back(in_unit(*formats.d, d, unit_).id());
    evaluator_.emplace(graph_, roots_);
    values_ = evaluator_->scratch();
  }

  void evaluate(const DotValues& v, const Integer& d) {
    std::vector<Integer> inputs = in_input_order(v);
    inputs.push_back(d);
    evaluator_->evaluate(inputs, values_);
  }
  const Integer& rounded(std::size_t i) const { return values_[roots_[i]]; }
  Rational term(std::size_t i) const {
    return Rational(values_[roots_[4 + i]]) * rational_power_of_two(unit_);
  }
  Rational d() const { return Rational(values_[roots_.back()]) * rational_power_of_two(unit_); }

 private:
  DotFormats formats_;
  Graph graph_;
  int unit_ = 0;
  std::vector<NodeId> roots_;
  std::optional<ExactEvaluator> evaluator_;
  ExactEvaluator::Values values_;
};

void expect_exact(const DotFormats& f, int draws) {
  SCOPED_TRACE(std::string(f.a->name) + " " + std::string(f.d->name));
  InLanguage language(f);
  Sampler sampler(f, InputClass::finite, 3);
  const Format& d = *f.d;
  for (int i = 0; i < draws; ++i) {
    const DotValues v = sampler.next();
    // Plain arithmetic, using only decode().
    Rational sum = decode(*f.c, v.c).value();
    std::vector<Rational> terms;
    for (std::size_t k = 0; k < v.a.size(); ++k) {
      Rational t = decode(*f.a, v.a[k]).value() * decode(*f.b, v.b[k]).value();
      if (f.scale != nullptr) {
        const std::size_t block = k / static_cast<std::size_t>(f.scale_block);
        t *=
            decode(*f.scale, v.scale_a[block]).value() * decode(*f.scale, v.scale_b[block]).value();
      }
      terms.push_back(t);
      sum += t;
    }
    terms.push_back(decode(*f.c, v.c).value());
    ASSERT_EQ(exact_terms(f, v), terms);
    ASSERT_EQ(exact_dot(f, v), sum);

    language.evaluate(v, v.c);
    for (std::size_t t = 0; t < terms.size(); ++t) ASSERT_EQ(language.term(t), terms[t]);
    if (*f.c == *f.d) {
      ASSERT_EQ(language.d(), terms.back());
    }

    Integer nearest, below, above;
    if (d.storage_bits <= 16 && d.has_infinity()) {
      nearest = table(d).nearest(sum);
      below = table(d).at_most(sum);
      above = table(d).at_least(sum);
    } else {  // tested above
      nearest = nearest_even(d, sum);
      below = neighbours(d, sum).below;
      above = neighbours(d, sum).above;
    }
    const Decoded rounded = decode(d, nearest);
    const auto error = error_in_ulp(f, v, nearest);
    ASSERT_EQ(error.has_value(), rounded.is_finite());
    if (error) {
      Rational largest = rational_power_of_two(d.least_exponent());
      for (const Rational& t : terms) {
        largest = std::max(largest, Rational(boost::multiprecision::abs(t)));
      }
      const Rational ulp = rational_power_of_two(floor_log2(largest) - d.fraction_bits);
      ASSERT_EQ(*error * ulp, boost::multiprecision::abs(Rational(rounded.value() - sum)));
    }
    expect_same(d, language.rounded(0), nearest, sum);
    expect_same(d, language.rounded(1), below, sum);
    expect_same(d, language.rounded(2), above, sum);
    expect_same(d, language.rounded(3), sum < 0 ? above : below, sum);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(ExactResult, AgreesWithRationals) {
  using namespace formats;
  expect_exact({&f16, &f16, &f16, &f16, 4}, 3000);
  expect_exact({&f16, &f16, &f32, &f32, 4}, 3000);
  expect_exact({&bf16, &bf16, &f32, &f32, 3}, 1500);
  expect_exact({&e4m3, &e5m2, &f16, &f16, 4}, 3000);
  expect_exact({&bf16, &f16, &bf16, &bf16, 2}, 2000);
  expect_exact({&e5m2, &e5m2, &e5m2, &e5m2, 2}, 4000);
  expect_exact({&e4m3fnuz, &e5m2fnuz, &f32, &f32, 4}, 2000);
  expect_exact({&e2m1, &e3m2, &f16, &e5m2, 3}, 3000);
  expect_exact({&tf32, &tf32, &f32, &f32, 2}, 1500);
  expect_exact({&e4m3, &e4m3, &e4m3, &e4m3, 2}, 2000);
}

TEST(ExactResult, HasScaleFactors) {
  using namespace formats;
  const DotFormats f{&e2m1, &e2m1, &f32, &f32, 4, &ue4m3, 2};
  InLanguage language(f);
  Sampler sampler(f, InputClass::finite, 4);
  for (int i = 0; i < 1500; ++i) {
    const DotValues v = sampler.next();
    const auto terms = exact_terms(f, v);
    ASSERT_TRUE(terms);
    language.evaluate(v, v.c);
    for (std::size_t k = 0; k < 4; ++k) {
      const Rational expected = decode(e2m1, v.a[k]).value() * decode(e2m1, v.b[k]).value() *
                                decode(ue4m3, v.scale_a[k / 2]).value() *
                                decode(ue4m3, v.scale_b[k / 2]).value();
      ASSERT_EQ(terms->at(k), expected);
      ASSERT_EQ(language.term(k), expected);
    }
  }
}

TEST(ExactResult, DoesNotExistForInfiniteOrNanOperands) {
  using namespace formats;
  const DotFormats f{&e5m2, &f16, &f32, &f32, 1};
  const DotValues good{{0x3c}, {0x3c00}, 0x3f800000, {}, {}};
  EXPECT_EQ(exact_dot(f, good), Rational(2));
  for (const auto& [a, b, c] : std::vector<std::array<Integer, 3>>{{0x7c, 0, 0},
                                                                   {0x7f, 0, 0},
                                                                   {0, 0xfc00, 0},
                                                                   {0, 0x7e01, 0},
                                                                   {0, 0, 0xff800000U},
                                                                   {0, 0, 0x7fc00000U}}) {
    const DotValues bad{{a}, {b}, c, {}, {}};
    EXPECT_EQ(exact_dot(f, bad), std::nullopt);
    EXPECT_EQ(exact_terms(f, bad), std::nullopt);
  }
}

TEST(Negated, IsThePatternOfMinusX) {
  using namespace formats;
  for (const Format* f : {&e4m3, &e5m2, &e2m1, &e3m2, &e4m3fnuz, &e5m2fnuz, &f16}) {
    Graph graph;
    const Graph::Building building(graph);
    const Int x = input("x", static_cast<unsigned>(f->storage_bits));
    const Int minus = negated(*f, x);
    const ExactEvaluator evaluator(graph, {minus.id()});
    ExactEvaluator::Values values = evaluator.scratch();
    for (int p = 0; p < 1 << f->storage_bits; ++p) {
      const Decoded before = decode(*f, p);
      if (before.is_nan) continue;
      const Integer number = negated(*f, Integer(p));
      const Decoded after = decode(*f, number);
      ASSERT_EQ(after.is_infinite, before.is_infinite);
      ASSERT_FALSE(after.is_nan);
      const bool has_minus =
          before.is_infinite || before.significand != 0 || f->specials != Specials::nan_minus_zero;
      ASSERT_EQ(after.negative, has_minus && !before.negative) << f->name << ' ' << p;
      if (before.is_finite()) {
        ASSERT_EQ(after.value(), -before.value());
      }
      evaluator.evaluate({p}, values);
      ASSERT_EQ(values[minus.id()], number) << f->name << ' ' << p;
    }
  }
}

TEST(SameValue, ComparesNumbers) {
  using namespace formats;
  for (const Format* f : {&e5m2, &e4m3, &e4m3fnuz, &e2m1}) {
    for (int x = 0; x < 1 << f->storage_bits; ++x) {
      for (int y = 0; y < 1 << f->storage_bits; ++y) {
        const Decoded dx = decode(*f, x);
        const Decoded dy = decode(*f, y);
        const bool same =
            x == y || (dx.is_nan && dy.is_nan) ||
            (dx.is_finite() && dy.is_finite() && dx.significand == 0 && dy.significand == 0);
        ASSERT_EQ(same_value(*f, x, y), same) << f->name << ' ' << x << ' ' << y;
      }
    }
  }
}

}  // namespace
}  // namespace mmaspec::exact_test
