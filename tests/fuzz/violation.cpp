#include <algorithm>

#include "tests/fuzz/meaning.h"

namespace mmaspec::fuzz {

using reference::Design;
using reference::Format;
using reference::Kind;
using reference::Operands;
using reference::Rational;
using reference::Value;

namespace {

std::optional<std::uint64_t> doubled(const Format& f, std::uint64_t pattern) {
  Value v = f.value(pattern);
  if (v.digits == 0) return pattern;
  ++v.unit;
  std::uint64_t twice = 0;
  if (!f.pattern_of(v, twice)) return std::nullopt;
  return twice;
}

/// Operands of a second run that correspond to those of the first; nullopt: there are none.
std::optional<Operands> related(const Property& p, const Operands& x, Random& random) {
  const Design& f = p.formats;
  Operands y = x;
  if (p.name == "commutative") {
    const std::size_t sure = static_cast<std::size_t>(random.below(f.k));
    for (std::size_t k = 0; k < x.a.size(); ++k) {
      if (k == sure || random.one_in(4)) std::swap(y.a[k], y.b[k]);
    }
  } else if (p.name == "permutation-invariant") {
    const int within = p.within > 0 ? std::min(p.within, f.k) : f.k;
    const int block = f.scale == nullptr ? 1 : f.scale_block;
    const int swaps = random.between(1, 3);
    for (int i = 0; i < swaps; ++i) {
      const int first = random.below(f.k) / within * within;
      const int count = std::min(within, f.k - first);
      const auto at = [&](int k) { return static_cast<std::size_t>(k); };
      if (f.scale != nullptr && within % block == 0 && random.coin()) {
        const int blocks = count / block;
        const int u = first / block + random.below(blocks);
        const int v = first / block + random.below(blocks);
        for (int k = 0; k < block; ++k) {
          std::swap(y.a[at(u * block + k)], y.a[at(v * block + k)]);
          std::swap(y.b[at(u * block + k)], y.b[at(v * block + k)]);
        }
        std::swap(y.sa[at(u)], y.sa[at(v)]);
        std::swap(y.sb[at(u)], y.sb[at(v)]);
        continue;
      }
      const int u = first + random.below(count);
      const int v = first + random.below(count);
      if (f.scale != nullptr && u / block != v / block) continue;
      std::swap(y.a[at(u)], y.a[at(v)]);
      std::swap(y.b[at(u)], y.b[at(v)]);
    }
  } else if (p.name == "negation-symmetric") {
    for (std::uint64_t& a : y.a) a = f.a->negated(a);
    y.c = f.c->negated(y.c);
  } else if (p.name == "scale-invariant") {
    for (std::uint64_t& a : y.a) {
      const auto twice = doubled(*f.a, a);
      if (!twice) return std::nullopt;
      a = *twice;
    }
    const auto twice = doubled(*f.c, x.c);
    if (!twice) return std::nullopt;
    y.c = *twice;
  }
  return y;
}

/// Numbers near the pattern; all numbers of a small format.
std::vector<std::uint64_t> line_of(const Format& f, std::uint64_t pattern, Random& random) {
  std::vector<std::uint64_t> all;
  if (f.storage <= 8) {
    for (std::uint64_t p = 0; p < std::uint64_t{1} << f.storage; ++p) {
      if (f.value(p).is_number()) all.push_back(p);
    }
  } else {
    const std::uint64_t unit = std::uint64_t{1} << f.unused_low;
    const std::uint64_t binade = unit << f.fraction_bits;
    std::vector<std::uint64_t> seeds{pattern,
                                     pattern & ~(binade - 1),
                                     pattern | (binade - unit),
                                     pattern + binade,
                                     pattern - binade,
                                     0,
                                     f.sign_mask(),
                                     f.largest_pattern(),
                                     pattern ^ f.sign_mask(),
                                     pattern + random.bits(f.fraction_bits) * unit};
    for (std::uint64_t s : seeds) {
      for (std::uint64_t p : {s, s + unit, s - unit}) {
        p &= f.storage == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << f.storage) - 1;
        if (f.value(p).is_number()) all.push_back(p);
      }
    }
  }
  return all;
}

struct Step {
  Rational size;
  Operands x;
  std::uint64_t d;
};

/// Among all steps, two of which the larger has the smaller result.
std::optional<Runs> falling(const Format& d, std::vector<Step> steps) {
  std::stable_sort(steps.begin(), steps.end(),
                   [](const Step& x, const Step& y) { return x.size < y.size; });
  const Step* highest = nullptr;
  const auto place = [&](const Step& s) { return reference::place(d, s.d); };
  for (std::size_t i = 0; i < steps.size();) {
    std::size_t end = i;
    const Step* high = &steps[i];
    const Step* low = &steps[i];
    for (; end < steps.size() && steps[end].size == steps[i].size; ++end) {
      if (place(steps[end]) > place(*high)) high = &steps[end];
      if (place(steps[end]) < place(*low)) low = &steps[end];
    }
    if (highest == nullptr || place(*high) > place(*highest)) highest = high;
    if (place(*low) < place(*highest)) return Runs{{highest->x, low->x}, {highest->d, low->d}};
    i = end;
  }
  return std::nullopt;
}

std::optional<Runs> fall_on_a_line(const Property& p, const Operands& x, Random& random,
                                   std::uint64_t& evaluations) {
  const Design& f = p.formats;
  std::vector<Step> steps;
  const auto add = [&](const Operands& y, const Rational& size) {
    const std::uint64_t d = p.first.run(y).d;
    ++evaluations;
    if (f.d->value(d).kind == Kind::nan || !p.admits(y, d)) return;
    steps.push_back({size, y, d});
  };
  if (p.name == "monotone-c") {
    Operands y = x;
    for (std::uint64_t c : line_of(*f.c, x.c, random)) {
      y.c = c;
      add(y, f.c->value(c).rational());
    }
    return falling(*f.d, std::move(steps));
  }
  const std::size_t k = static_cast<std::size_t>(random.below(f.k));
  const std::vector<std::uint64_t> as = line_of(*f.a, x.a[k], random);
  const std::vector<std::uint64_t> bs = line_of(*f.b, x.b[k], random);
  Operands y = x;
  const int tries = std::min(64, static_cast<int>(as.size() * bs.size()));
  const auto take = [&](std::uint64_t a, std::uint64_t b) {
    y.a[k] = a;
    y.b[k] = b;
    add(y, f.a->value(a).rational() * f.b->value(b).rational());
  };
  if (as.size() * bs.size() <= 256) {
    for (std::uint64_t a : as) {
      for (std::uint64_t b : bs) take(a, b);
    }
  } else {
    take(x.a[k], x.b[k]);
    for (int i = 0; i < tries; ++i) take(random.of(as), random.of(bs));
  }
  return falling(*f.d, std::move(steps));
}

}  // namespace

std::optional<Runs> violation_near(const Property& p, const Operands& x, Random& random,
                                   std::uint64_t& evaluations) {
  if (p.name == "monotone-c" || p.name == "monotone-product") {
    return fall_on_a_line(p, x, random, evaluations);
  }
  Runs runs{{x}, {p.first.run(x).d}};
  ++evaluations;
  if (p.score(x, runs.d[0]) != 1) return std::nullopt;
  if (p.second) {
    runs.x.push_back(x);
    runs.d.push_back(p.second->run(x).d);
    ++evaluations;
  } else if (p.name == "commutative" || p.name == "permutation-invariant" ||
             p.name == "negation-symmetric" || p.name == "scale-invariant") {
    const auto y = related(p, x, random);
    if (!y) return std::nullopt;
    runs.x.push_back(*y);
    runs.d.push_back(p.first.run(*y).d);
    ++evaluations;
    if (!p.admits(*y, runs.d[1])) return std::nullopt;
  }
  if (!why_not_violated(p, runs).empty()) return std::nullopt;
  return runs;
}

}  // namespace mmaspec::fuzz
