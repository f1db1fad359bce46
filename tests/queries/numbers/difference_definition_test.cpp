// The distance of two results compared with the definition: lists of all numbers of both formats,
// and doubles, which represent every number and difference of these formats exactly.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "concrete/batch/evaluator.h"
#include "queries/values/distance.h"
#include "tests/support/numeric_reference.h"

namespace mmaspec::difference_definition_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Result {
  bool is_nan;
  bool negative;
  double value;  ///< also infinite
};

std::vector<Result> results_of(const Format& f) {
  std::vector<Result> all;
  for (std::uint64_t p = 0; p < std::uint64_t{1} << f.storage_bits; ++p) {
    const numeric::Meaning m = numeric::meaning(f.name, p);
    const double size = m.kind == numeric::Kind::infinity ? kInfinity : m.magnitude;
    all.push_back({m.kind == numeric::Kind::nan, m.negative, m.negative ? -size : size});
  }
  return all;
}

/// A format's numbers from zero, continued beyond the largest in equal steps.
class Line {
 public:
  explicit Line(const Format& f) {
    const numeric::Grid grid(f.name);
    for (const numeric::Rational& x : grid.magnitudes()) {
      numbers_.push_back(x.convert_to<double>());
    }
    numbers_.pop_back();  // the list has one more
    step_ = numbers_.back() - numbers_[numbers_.size() - 2];
  }

  /// The index of the number nearest to x, ties to even; negative for negative numbers.
  long long nearest(double x) const {
    const double size = std::abs(x);
    const auto last = static_cast<long long>(numbers_.size()) - 1;
    long long below = last;
    if (size < numbers_.back()) {
      const auto above = std::upper_bound(numbers_.begin(), numbers_.end(), size);
      below = above - numbers_.begin() - 1;
    } else {
      below += static_cast<long long>(std::floor((size - numbers_.back()) / step_));
    }
    const double left = size - at(below);
    const double right = at(below + 1) - size;
    const bool up = right < left || (right == left && below % 2 == 1);
    return (x < 0 ? -1 : 1) * (up ? below + 1 : below);
  }
  /// Index of an infinity among results of this format.
  long long after_the_largest() const { return static_cast<long long>(numbers_.size()); }

 private:
  double at(long long i) const {
    const auto last = static_cast<long long>(numbers_.size()) - 1;
    return i <= last ? numbers_[static_cast<std::size_t>(i)]
                     : numbers_.back() + static_cast<double>(i - last) * step_;
  }

  std::vector<double> numbers_;
  double step_;
};

/// Steps from one to the other; none: farther than any bound.
std::optional<long long> steps(const Line& line, bool one_format, const Result& x,
                               const Result& y) {
  if (x.is_nan || y.is_nan) return x.is_nan && y.is_nan ? std::optional(0LL) : std::nullopt;
  if (x.value == y.value) return 0;
  if (!one_format && (std::isinf(x.value) || std::isinf(y.value))) return std::nullopt;
  const auto ordinal = [&](const Result& r) {
    if (!std::isinf(r.value)) return line.nearest(r.value);
    return r.value < 0 ? -line.after_the_largest() : line.after_the_largest();
  };
  return std::abs(ordinal(x) - ordinal(y));
}

/// Do two results differ by more than all bounds?
bool meant(const Difference& d, const std::optional<long long>& apart, const Result& x,
           const Result& y) {
  if (x.is_nan || y.is_nan) return x.is_nan != y.is_nan;
  if (x.value == y.value) return d.signed_zero && x.negative != y.negative;
  if (d.ulp && apart && Integer(*apart) <= *d.ulp) return false;
  const double distance = std::abs(x.value - y.value);  // infinite if one of them is
  if (d.absolute && distance <= d.absolute->convert_to<double>()) return false;
  if (!d.relative || std::isinf(distance)) return true;
  return distance > d.relative->convert_to<double>() * std::abs(x.value);
}

std::vector<Difference> differences() {
  const auto by_ulp = [](const char* n) { return Difference{Integer(n), {}, {}, false}; };
  return {{},
          by_ulp("0"),
          by_ulp("1"),
          by_ulp("3"),
          by_ulp("100"),
          by_ulp("2000"),
          by_ulp("1000000000000000000000000000"),
          {{}, Rational(1, 4), {}, false},
          {{}, Rational(400), {}, false},
          {{}, {}, Rational(1, 8), false},
          {{}, {}, Rational(3), false},
          {Integer(2), Rational(1), Rational(1, 2), false},
          {Integer(1), {}, {}, true}};
}

void expect_the_definition(const Format& f, const Format& g) {
  SCOPED_TRACE(std::string(f.name) + " and " + std::string(g.name));
  const std::vector<Result> xs = results_of(f);
  const std::vector<Result> ys = results_of(g);
  const Line line(f);
  // For wide formats a part of the pairs.
  const std::size_t pairs = xs.size() * ys.size();
  const std::size_t stride = pairs / 65536 + (pairs > 65536 ? 2 : 0) + (pairs <= 65536 ? 1 : 0);
  std::vector<std::pair<std::size_t, std::size_t>> tried;
  for (std::size_t i = 0; i < pairs; i += stride) tried.emplace_back(i / ys.size(), i % ys.size());
  std::vector<std::optional<long long>> apart;
  for (const auto& [x, y] : tried) {
    apart.push_back(steps(line, f == g, xs[x], ys[y]));
    if ((x + y) % 4 != 0) continue;
    const std::optional<Integer> got = ulp_distance(f, Integer(x), g, Integer(y));
    ASSERT_EQ(got.has_value(), apart.back().has_value()) << xs[x].value << ", " << ys[y].value;
    if (!got) continue;
    ASSERT_EQ(*got, Integer(*apart.back())) << xs[x].value << ", " << ys[y].value;
  }
  for (const Difference& d : differences()) {
    Graph graph;
    const Graph::Building building(graph);
    const Int x = input("x", static_cast<unsigned>(f.storage_bits));
    const Int y = input("y", static_cast<unsigned>(g.storage_bits));
    const BatchEvaluator evaluator(graph, {differ(d, f, x, g, y).id()});
    Lanes inputs(2, tried.size());
    Lanes found(1, tried.size());
    for (std::size_t i = 0; i < tried.size(); ++i) {
      inputs[0][i] = tried[i].first;
      inputs[1][i] = tried[i].second;
    }
    BatchEvaluator::Scratch scratch;
    evaluator.evaluate(inputs, found, scratch);
    for (std::size_t i = 0; i < tried.size(); ++i) {
      const Result& rx = xs[tried[i].first];
      const Result& ry = ys[tried[i].second];
      ASSERT_EQ(found[0][i] != 0, meant(d, apart[i], rx, ry))
          << rx.value << ", " << ry.value << (d.ulp ? ", ulp " + d.ulp->str() : "");
      if (i % 64 != 0) continue;
      ASSERT_EQ(differ(d, f, Integer(tried[i].first), g, Integer(tried[i].second)),
                meant(d, apart[i], rx, ry))
          << rx.value << ", " << ry.value;
    }
  }
}

TEST(DifferenceDefinition, OfAllPairsOfShortResults) {
  using namespace formats;
  const std::vector<const Format*> all{&e2m1, &e2m3, &e3m2, &e4m3, &e5m2, &e4m3fnuz, &e5m2fnuz};
  for (const Format* f : all) {
    for (const Format* g : all) {
      expect_the_definition(*f, *g);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(DifferenceDefinition, OfShortResultsAndHalfPrecision) {
  using namespace formats;
  for (const Format* f : {&e2m1, &e4m3, &e5m2, &e4m3fnuz, &f16}) {
    expect_the_definition(*f, f16);
    expect_the_definition(f16, *f);
    if (HasFatalFailure()) return;
  }
}

std::optional<Integer> apart(const Format& f, const char* x, const Format& g, const char* y) {
  return ulp_distance(f, parse_pattern_of(f, x), g, parse_pattern_of(g, y));
}

// 448 is the largest number of e4m3, and 32 is its last step.
TEST(DifferenceDefinition, StepsContinueBeyondTheLargestNumber) {
  using namespace formats;
  EXPECT_EQ(apart(e4m3, "448", f32, "448"), 0);
  EXPECT_EQ(apart(e4m3, "448", f32, "464"), 0);  // a tie, to even
  EXPECT_EQ(apart(e4m3, "448", f32, "480"), 1);
  EXPECT_EQ(apart(e4m3, "448", f32, "3e9"), (Integer(3000000000) - 448) / 32);
  EXPECT_EQ(apart(e4m3, "-448", f32, "0x1p127"), 2 * 126 + (power_of_two(127) - 448) / 32);
  EXPECT_EQ(apart(f16, "65504", f64, "0x1p1000"), (power_of_two(1000) - 65504) / 32);
  for (const char* y : {"inf", "-inf", "nan"}) EXPECT_EQ(apart(e4m3, "448", f32, y), std::nullopt);
  EXPECT_EQ(apart(f16, "inf", f32, "65536"), std::nullopt);
  EXPECT_EQ(apart(f16, "inf", f32, "inf"), 0);
  EXPECT_EQ(apart(f16, "inf", f32, "-inf"), std::nullopt);
  EXPECT_EQ(apart(f16, "inf", f16, "65504"), 1);
}

}  // namespace
}  // namespace mmaspec::difference_definition_test
