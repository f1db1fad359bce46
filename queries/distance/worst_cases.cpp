// Constructed inputs: repeated products whose low bits are cut because the running sum is large.
#include "queries/distance/worst_cases.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "concrete/dot/lane_runner.h"
#include "queries/values/exact_result.h"
#include "queries/values/ordinals.h"
#include "util/split_mix.h"

namespace mmaspec {
namespace {

/// The factors of one product, as ordinals.
struct Factors {
  std::int64_t a = 0;
  std::int64_t b = 0;
};

/// `large` products of `first`, then `rest`, except that every `every`th one is `other` (0: never).
struct Recipe {
  Factors first;
  Factors rest;
  Factors other;
  std::size_t large = 0;
  std::size_t every = 0;
};

struct Tried {
  double apart;
  Recipe recipe;
};

/// The members of one operand's set.
class Members {
 public:
  explicit Members(const OperandSet& set) : set_(set), ordinals_(set.ordinals()) {
    const auto value = [&](std::uint64_t number) { return finite(set_.member(number)); };
    const std::int64_t low = value(0);
    const std::int64_t high = value(set_.count() - 1);
    ends_ = {high, low};
    if (std::abs(ordinals_.value(low)) > std::abs(ordinals_.value(high))) {
      std::swap(ends_[0], ends_[1]);
    }
  }

  /// The member of largest magnitude.
  std::int64_t largest() const { return ends_[0]; }

  /// A member at an end of the set, or of about that magnitude, or up to 14 binades smaller.
  std::int64_t draw(SplitMix& random) const {
    constexpr int kBinades = 14;
    constexpr int kNear = 8;
    const std::int64_t end = ends_[random.one_in(4) ? 1 : 0];
    if (random.one_in(6)) return moved(end, random.between(-kNear, 0));
    // Every second one is in the two largest binades.
    const int binades = random.one_in(2) ? random.below(2) : random.below(kBinades);
    const double x = ordinals_.value(end) * std::ldexp(1 - random.fraction() / 2, -binades);
    return set_.nearest(ordinals_.toward_zero(x));
  }

  /// A member a few steps away.
  std::int64_t near(std::int64_t x, SplitMix& random) const {
    constexpr int kFar = 40;
    return moved(x, random.between(-kFar, kFar));
  }

  std::uint64_t pattern(std::int64_t x) const { return ordinals_.pattern(x); }

 private:
  std::int64_t finite(std::int64_t x) const {
    return std::clamp(x, ordinals_.least_finite(), ordinals_.largest_finite());
  }
  /// Moves by `steps` toward larger magnitudes.
  std::int64_t moved(std::int64_t x, int steps) const {
    return set_.nearest(finite(x < 0 ? x - steps : x + steps));
  }

  const OperandSet& set_;
  const Ordinals& ordinals_;
  std::array<std::int64_t, 2> ends_;
};

class Constructor {
 public:
  Constructor(const Pair& pair, const OperandSet& a, const OperandSet& b, std::uint64_t c)
      : f_(pair.first.formats),
        k_(static_cast<std::size_t>(f_.k)),
        a_(a),
        b_(b),
        c_(c),
        first_(pair.first.algorithm, f_),
        second_(pair.second.algorithm, pair.second.formats),
        of_first_(*f_.d),
        of_second_(*pair.second.formats.d) {}

  std::vector<DotValues> run(std::size_t most, const Deadline& deadline) {
    // Rounds of the search, and the number of inputs kept from one to the next.
    constexpr int kRounds = 40;
    constexpr std::size_t kKept = 24;
    constexpr int kLanes = 128;
    std::vector<Tried> best;
    for (int round = 0; round < kRounds && !deadline.passed(); ++round) {
      std::vector<Recipe> recipes;
      for (int i = 0; i < kLanes; ++i) {
        const bool is_new = best.empty() || random_.one_in(round < 4 ? 2 : 8);
        // The best inputs are changed most often.
        const std::size_t parent = is_new ? 0 : random_.index(1 + random_.index(best.size()));
        recipes.push_back(is_new ? drawn() : changed(best[parent].recipe));
      }
      try_out(recipes, best);
      std::stable_sort(best.begin(), best.end(),
                       [](const Tried& x, const Tried& y) { return x.apart > y.apart; });
      if (best.size() > kKept) best.resize(kKept);
    }
    std::vector<DotValues> all;
    for (const Tried& t : best) {
      if (all.size() < most) all.push_back(values_of(t.recipe));
    }
    return all;
  }

 private:
  Factors product() { return {a_.draw(random_), b_.draw(random_)}; }

  Recipe drawn() {
    Recipe r;
    r.first = {a_.largest(), b_.largest()};
    if (random_.one_in(4)) r.first = product();
    r.rest = product();
    r.other = product();
    r.large = share();
    r.every = period();
    return r;
  }

  /// Often half of the products or another simple share: sums are then just above a power of two.
  std::size_t share() {
    if (random_.one_in(3)) return 0;
    if (random_.one_in(3)) return random_.index(k_);
    const std::size_t part = k_ >> static_cast<unsigned>(random_.between(1, 4));
    return random_.one_in(2) ? part : k_ - part;
  }
  std::size_t period() {
    return random_.one_in(3) ? 0 : std::size_t{1} << static_cast<unsigned>(random_.between(1, 5));
  }

  Recipe changed(Recipe r) {
    const auto change = [&](Factors& x) {
      switch (random_.below(4)) {
        case 0:
          x = product();
          break;
        case 1:
          x.a = a_.near(x.a, random_);
          break;
        case 2:
          x.b = b_.near(x.b, random_);
          break;
        default:
          x = {a_.near(x.a, random_), b_.near(x.b, random_)};
      }
    };
    switch (random_.below(8)) {
      case 0:
        change(r.first);
        break;
      case 1:
        r.large = share();
        break;
      case 2:
        r.every = period();
        break;
      case 3:
        r.large = std::clamp<std::size_t>(r.large + random_.index(65), 32, k_ + 31) - 32;
        break;
      case 4:
      case 5:
        change(r.other);
        break;
      default:
        change(r.rest);
    }
    return r;
  }

  Factors factors(const Recipe& r, std::size_t i) const {
    if (i < r.large) return r.first;
    return r.every != 0 && i % r.every == r.every - 1 ? r.other : r.rest;
  }

  DotValues values_of(const Recipe& r) const {
    DotValues v;
    for (std::size_t i = 0; i < k_; ++i) {
      const Factors x = factors(r, i);
      v.a.emplace_back(a_.pattern(x.a));
      v.b.emplace_back(b_.pattern(x.b));
    }
    v.c = Integer(c_);
    return v;
  }

  void try_out(const std::vector<Recipe>& recipes, std::vector<Tried>& best) {
    const std::size_t lanes = recipes.size();
    Lanes inputs(2 * k_ + 1, lanes);
    for (std::size_t lane = 0; lane < lanes; ++lane) inputs[2 * k_][lane] = c_;
    for (std::size_t i = 0; i < k_; ++i) {
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const Factors x = factors(recipes[lane], i);
        inputs[i][lane] = a_.pattern(x.a);
        inputs[k_ + i][lane] = b_.pattern(x.b);
      }
    }
    Lanes x(1, lanes);
    Lanes y(1, lanes);
    first_.run(inputs, x);
    second_.run(inputs, y);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const std::int64_t of_x = of_first_.of(x[0][lane]);
      const std::int64_t of_y = of_second_.of(y[0][lane]);
      if (!is_finite(of_first_, of_x) || !is_finite(of_second_, of_y)) continue;
      const double apart = std::abs(of_first_.value(of_x) - of_second_.value(of_y));
      if (apart > 0) best.push_back({apart, recipes[lane]});
    }
  }

  static bool is_finite(const Ordinals& o, std::int64_t x) {
    return x >= o.least_finite() && x <= o.largest_finite();
  }

  const DotFormats f_;
  const std::size_t k_;
  const Members a_;
  const Members b_;
  const std::uint64_t c_;
  LaneRunner first_;
  LaneRunner second_;
  const Ordinals of_first_;
  const Ordinals of_second_;
  SplitMix random_{1};
};

}  // namespace

std::vector<DotValues> constructed_worst_cases(const Pair& pair, const Fitting& fitting,
                                               std::size_t most, const Deadline& deadline) {
  const DotFormats& f = pair.first.formats;
  const DotFormats& other = pair.second.formats;
  if (f.scale != nullptr || are_integers(f) || !(*f.a == *other.a) || !(*f.b == *other.b) ||
      !(*f.c == *other.c)) {
    return {};
  }
  const auto k = static_cast<std::size_t>(f.k);
  const OperandSet* a = fitting.set(0);
  const OperandSet* b = fitting.set(k);
  const OperandSet* c = fitting.set(2 * k);
  // The sets of a[*] and of b[*] must be the same for every k; equal conditions share a set.
  for (std::size_t i = 0; i < k; ++i) {
    if (fitting.set(i) != a || fitting.set(k + i) != b) return {};
  }
  for (const OperandSet* set : {a, b, c}) {
    if (set == nullptr || set->empty()) return {};
  }
  const std::uint64_t start = c->ordinals().pattern(c->nearest(0));
  return Constructor(pair, *a, *b, start).run(most, deadline);
}

}  // namespace mmaspec
