#include "tests/fuzz/attack.h"

#include <algorithm>

namespace mmaspec::fuzz {
namespace {

using reference::Design;
using reference::Format;
using reference::Operands;
using reference::Rational;
using reference::Value;

/// All inputs are tried if they have at most this many bits.
constexpr int kFewBits = 17;

int input_bits(const Design& f) {
  const int scales = f.scale == nullptr ? 0 : f.scales() * 2 * f.scale->storage;
  return f.k * (f.a->storage + f.b->storage) + f.c->storage + scales;
}

/// The operands whose patterns are the bits of `index`.
Operands operands_of(const Design& f, std::uint64_t index) {
  const auto take = [&](const Format& format) {
    const std::uint64_t p = index & ((std::uint64_t{1} << format.storage) - 1);
    index >>= format.storage;
    return p;
  };
  Operands x;
  for (int k = 0; k < f.k; ++k) {
    x.a.push_back(take(*f.a));
    x.b.push_back(take(*f.b));
  }
  x.c = take(*f.c);
  for (int i = 0; i < f.scales(); ++i) {
    x.sa.push_back(take(*f.scale));
    x.sb.push_back(take(*f.scale));
  }
  return x;
}

class Attacker {
 public:
  Attacker(const Question& question, Random& random)
      : q_(question), p_(question.property), random_(random) {}

  Attack run(std::uint64_t inputs) {
    const int bits = input_bits(p_.formats);
    if (bits <= kFewBits) {
      result_.exhaustive = true;
      for (std::uint64_t i = 0; i < std::uint64_t{1} << bits && !result_.found; ++i) {
        const Operands x = operands_of(p_.formats, i);
        if (belongs(q_.inputs, p_.formats, x)) try_one(x);
      }
      return result_;
    }
    InputDrawer drawer(p_.formats, p_.formats.k, q_.inputs, random_.bits(60));
    drawer.add_cuts(p_.first.design);
    if (p_.second) drawer.add_cuts(p_.second->design);
    std::vector<double> numbers;
    for (const Condition& c : p_.where) c.numbers(numbers);
    drawer.add_numbers(numbers);
    // Also ends the loop if the condition is rarely met.
    for (std::uint64_t drawn = 0; drawn < inputs && result_.inputs < inputs && !result_.found;
         drawn += result_.admitted == 0 ? 20 : 1) {
      Operands x = drawer.next();
      if (!p_.where.empty() && !repair(x, drawer)) continue;
      if (!belongs(q_.inputs, p_.formats, x)) continue;
      try_one(x);
    }
    return result_;
  }

 private:
  std::uint64_t first_d(const Operands& x) {
    ++result_.inputs;
    return p_.first.run(x).d;
  }

  /// Changes operands until the conditions hold.
  bool repair(Operands& x, InputDrawer& drawer) {
    const bool needs_d = std::any_of(p_.where.begin(), p_.where.end(),
                                     [](const Condition& c) { return c.speaks_of_d(); });
    double score = p_.score(x, needs_d ? first_d(x) : 0);
    for (int i = 0; i < 60 && score < 1; ++i) {
      Operands y = x;
      const auto k = static_cast<std::size_t>(random_.below(p_.formats.k));
      switch (random_.below(x.sa.empty() ? 4 : 6)) {
        case 0:
          y.a[k] = drawer.element(*p_.formats.a);
          break;
        case 1:
          y.b[k] = drawer.element(*p_.formats.b);
          break;
        case 2:
          y.c = drawer.element(*p_.formats.c);
          break;
        case 3:  // all equal, for conditions about every k
          if (random_.coin()) {
            const std::uint64_t a = drawer.element(*p_.formats.a);
            std::fill(y.a.begin(), y.a.end(), a);
          } else {
            const std::uint64_t b = drawer.element(*p_.formats.b);
            std::fill(y.b.begin(), y.b.end(), b);
          }
          break;
        case 4:
          y.sa[k % y.sa.size()] = drawer.element(*p_.formats.scale);
          break;
        default:
          y.sb[k % y.sb.size()] = drawer.element(*p_.formats.scale);
          break;
      }
      const double of_y = p_.score(y, needs_d ? first_d(y) : 0);
      if (of_y < score) continue;
      x = y;
      score = of_y;
    }
    return score == 1;
  }

  void try_one(const Operands& x) {
    if (!q_.of_two()) {
      result_.found = violation_near(p_, x, random_, result_.inputs);
      if (p_.where.empty() || p_.score(x, first_d(x)) == 1) ++result_.admitted;
      return;
    }
    result_.inputs += 2;
    Runs runs;
    if (why_no_witness(q_, x, q_.difference, &runs).empty()) {
      ++result_.admitted;
      result_.found = runs;
    } else if (!runs.d.empty()) {
      ++result_.admitted;
    }
  }

  const Question& q_;
  const Property& p_;
  Random& random_;
  Attack result_;
};

}  // namespace

Attack attack(const Question& question, std::uint64_t inputs, Random& random) {
  return Attacker(question, random).run(inputs);
}

std::string why_no_witness(const Question& q, const Operands& x, const Difference& of, Runs* runs) {
  const Property& p = q.property;
  if (!belongs(q.inputs, p.formats, x)) return "the operands are not of the inputs' class";
  Operands y = x;
  if (!q.match_bits) {
    const auto same = counterpart(p.formats, x, p.second->formats());
    if (!same) return "the second one's formats do not hold the operands";
    y = *same;
  }
  const std::uint64_t d = p.first.run(x).d;
  if (p.score(x, d) != 1) return "the condition does not hold";
  const std::uint64_t d_other = p.second->run(y).d;
  if (runs != nullptr) *runs = {{x, y}, {d, d_other}};
  const bool differs = differ(of, *p.first.design.d, d, *p.second->design.d, d_other);
  return differs ? "" : "they do not differ so";
}

std::optional<Rational> distance(const Question& q, std::uint64_t d, std::uint64_t d_other) {
  const Format& f = *q.property.first.design.d;
  const Format& g = *q.property.second->design.d;
  const Value x = f.value(d);
  const Value y = g.value(d_other);
  if (q.of_ulp) {
    const auto steps = distance_in_ulp(f, d, g, d_other);
    return steps ? std::optional<Rational>(*steps) : std::nullopt;
  }
  if (x.kind == reference::Kind::nan || y.kind == reference::Kind::nan) {
    return x.kind == y.kind ? std::optional<Rational>(0) : std::nullopt;
  }
  if (!x.is_number() || !y.is_number()) {
    const bool same = x.kind == y.kind && x.negative == y.negative;
    return same ? std::optional<Rational>(0) : std::nullopt;
  }
  return Rational(abs(Rational(x.rational() - y.rational())));
}

}  // namespace mmaspec::fuzz
