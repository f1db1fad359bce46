// Comparisons of numbers whose exponents are expressions, compared with rational numbers.

#include "queries/error_bounds/binary_rational.h"

#include <gtest/gtest.h>

#include <random>

#include "concrete/evaluator.h"
#include "spec/formats/text.h"

namespace mmaspec::binary_rational_test {
namespace {

constexpr int kPlaces = 6;  // of significands
constexpr int kLeast = -3;

Rational power(int e) { return rational_power_of_two(e); }

struct Drawn {
  int x, y;    ///< significands
  int ex, ey;  ///< exponents
};

/// The expressions of two numbers with offsets 2 and -1, and their values for a random choice.
class Comparisons {
 public:
  template <typename Compare>
  explicit Comparisons(const Compare& compare) {
    const Graph::Building building(graph_);
    const auto signed_input = [](const char* name, unsigned width) {
      return input(name, width) - power_of_two(width - 1);
    };
    const BinaryRational x{signed_input("x", kPlaces), signed_input("ex", 6), 2};
    const BinaryRational y{signed_input("y", kPlaces + 2), signed_input("ey", 6), -1};
    roots_ = compare(x, y);
    std::vector<NodeId> nodes;
    for (Bool b : roots_) nodes.push_back(b.id());
    evaluator_.emplace(graph_, nodes);
    values_ = evaluator_->scratch();
  }

  std::vector<bool> of(const Drawn& d) {
    evaluator_->evaluate({d.x + 32, d.ex + 32, d.y + 128, d.ey + 32}, values_);
    std::vector<bool> all;
    for (Bool b : roots_) all.push_back(values_[b.id()] != 0);
    return all;
  }

 private:
  Graph graph_;
  std::vector<Bool> roots_;
  std::optional<ExactEvaluator> evaluator_;
  ExactEvaluator::Values values_;
};

/// Half of them with exponents that differ by at most the width of significands.
Drawn drawn(std::mt19937& random) {
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  Drawn d{below(64) - 32, below(256) - 128, below(64) - 32, 0};
  d.ey = below(2) == 0 ? below(64) - 32 : std::clamp(d.ex + 3 + below(18) - 9, -32, 31);
  if (below(4) == 0) d.x >>= below(6);
  if (below(4) == 0) d.y >>= below(8);
  return d;
}

Rational value_of_x(const Drawn& d) { return d.x * power(d.ex + 2); }
Rational value_of_y(const Drawn& d) { return d.y * power(d.ey - 1); }

TEST(BinaryRational, CompareDifferencesOfNumbers) {
  const std::vector<std::pair<int, int>> limits = {{0, 0}, {-1, 0}, {-1, 1}, {0, 1}, {-2, 2}};
  Comparisons comparisons([&](const BinaryRational& x, const BinaryRational& y) {
    std::vector<Bool> all{is_larger(x, y)};
    for (const auto& [low, high] : limits) all.push_back(is_off_by_more(x, y, low, high));
    return all;
  });
  std::mt19937 random(1);
  std::size_t within = 0;
  for (int i = 0; i < 100'000; ++i) {
    const Drawn d = drawn(random);
    const std::vector<bool> all = comparisons.of(d);
    const Rational x = value_of_x(d);
    const Rational y = value_of_y(d);
    const auto text = [&] { return x.str() + " and " + y.str(); };
    ASSERT_EQ(all[0], abs(x) > abs(y)) << text();
    const Rational units = (x - y) / power(d.ex + 2);
    for (std::size_t l = 0; l < limits.size(); ++l) {
      const bool beyond = units < limits[l].first || units > limits[l].second;
      ASSERT_EQ(all[l + 1], beyond)
          << text() << " within " << limits[l].first << " and " << limits[l].second;
      within += beyond ? 0 : 1;
    }
  }
  EXPECT_GT(within, 10'000U);
}

TEST(BinaryRational, SayWhichBitLeads) {
  Graph graph;
  const Graph::Building building(graph);
  for (int y = -9; y <= 9; ++y) {
    for (int e = -9; e <= 9; ++e) {
      const Int leading = leading_exponent({Int(y), Int(e), 1}, kLeast);
      const int own = y == 0 ? kLeast : floor_log2(Rational(std::abs(y)) * power(e + 1));
      ASSERT_EQ(leading.range().low, std::max(own, kLeast));
      ASSERT_TRUE(leading.is_constant());
    }
  }
}

// x is a number of a format with five fraction bits, whose units are at least 2^(kLeast - 5).
TEST(BinaryRational, FindEveryNumberThatIsRoundedByMore) {
  const std::vector<int> places = {kPlaces, kPlaces - 1, kPlaces - 2, 1};
  Comparisons comparisons([&](const BinaryRational& x, const BinaryRational& y) {
    std::vector<Bool> all;
    for (int p : places) all.push_back(is_rounded_by_more(x, y, kLeast, p));
    return all;
  });
  std::mt19937 random(2);
  std::size_t within = 0;
  std::size_t missed = 0;
  for (int i = 0; i < 200'000; ++i) {
    Drawn d = drawn(random);
    const bool is_subnormal = d.ex + 2 == kLeast - 5;
    if (d.ex + 2 < kLeast - 5 || (!is_subnormal && std::abs(d.x) < 16)) continue;
    const std::vector<bool> all = comparisons.of(d);
    const Rational x = value_of_x(d);
    const Rational y = value_of_y(d);
    const int leading = y == 0 ? kLeast : std::max(kLeast, floor_log2(abs(y)));
    for (std::size_t l = 0; l < places.size(); ++l) {
      const bool beyond = abs(Rational(x - y)) > power(leading - places[l]);
      ASSERT_TRUE(all[l] || !beyond) << x << " and " << y << " to " << places[l];
      within += beyond ? 0 : 1;
      missed += all[l] && !beyond ? 1 : 0;
    }
  }
  EXPECT_GT(within, 2'000U);
  EXPECT_LT(missed, within / 10);
}

}  // namespace
}  // namespace mmaspec::binary_rational_test
