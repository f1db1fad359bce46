// Constructed inputs: repeated products whose low bits a large running sum cuts off.
#include "queries/distance/worst_cases.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "concrete/dot/runner.h"
#include "queries/numbers/exact.h"
#include "queries/numbers/ordinals.h"
#include "util/split_mix.h"

namespace mmaspec {
namespace {

/// Members of a set at its ends, and some below the end of largest magnitude.
std::vector<std::int64_t> tried_members(const OperandSet& set, SplitMix& random) {
  constexpr std::uint64_t kAtEnds = 6;
  constexpr int kDrawn = 14;
  std::vector<std::int64_t> all;
  const std::uint64_t count = set.count();
  for (std::uint64_t i = 0; i < std::min(kAtEnds, count); ++i) {
    all.push_back(set.member(count - 1 - i));
    all.push_back(set.member(i));
  }
  // Of the upper end: numbers of about its size.
  const auto below = static_cast<std::uint64_t>(2 * set.ordinals().binade());
  for (int i = 0; i < kDrawn; ++i) {
    const std::uint64_t reach = std::min(below >> (i % 3), count);
    all.push_back(set.member(count - 1 - random() % std::max<std::uint64_t>(reach, 1)));
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

/// a and b of one product.
struct Product {
  Integer a;
  Integer b;
  double value;
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
  SplitMix random(1);
  std::vector<Product> products;
  for (const std::int64_t x : tried_members(*a, random)) {
    for (const std::int64_t y : tried_members(*b, random)) {
      products.push_back({Integer(a->ordinals().pattern(x)), Integer(b->ordinals().pattern(y)),
                          a->ordinals().value(x) * b->ordinals().value(y)});
    }
  }
  const auto larger = [](const Product& x, const Product& y) {
    return std::abs(x.value) < std::abs(y.value);
  };
  const Product top = *std::max_element(products.begin(), products.end(), larger);
  const Integer start(c->ordinals().pattern(c->nearest(0)));

  DotRunner first(pair.first.algorithm, f);
  DotRunner second(pair.second.algorithm, other);
  std::multimap<double, DotValues, std::greater<>> best;
  const auto try_out = [&](const Product& p, std::size_t large) {
    DotValues v;
    v.a.assign(k, p.a);
    v.b.assign(k, p.b);
    std::fill_n(v.a.begin(), large, top.a);
    std::fill_n(v.b.begin(), large, top.b);
    v.c = start;
    const Decoded x = decode(*f.d, first.run(v));
    const Decoded y = decode(*other.d, second.run(v));
    if (!x.is_finite() || !y.is_finite()) return;
    const double apart = std::abs(Rational(x.value() - y.value()).convert_to<double>());
    if (apart == 0) return;
    best.emplace(apart, std::move(v));
    if (best.size() > most) best.erase(std::prev(best.end()));
  };
  for (const std::size_t share :
       {std::size_t{0}, std::size_t{2}, std::size_t{8}, std::size_t{32}}) {
    for (const Product& p : products) {
      if (deadline.passed()) break;
      // The larger the sum is, the more the rest loses, and the fewer products are left to lose.
      if (share != 0 && p.value * top.value <= 0) continue;
      try_out(p, share == 0 ? 0 : k - k / share);
      if (share > 2) try_out(p, k / share);
    }
  }
  std::vector<DotValues> all;
  for (auto& [apart, values] : best) all.push_back(std::move(values));
  return all;
}

}  // namespace mmaspec
