#include "queries/derive/leading_bit_split.h"

#include <algorithm>
#include <set>

namespace mmaspec {
namespace {

constexpr unsigned kApart = 64;    // shorter numbers have a case for each length
constexpr unsigned kTogether = 8;  // longer ones have a case for this number of lengths

/// The least x for which factor * x + constant >= value.
Integer least_with(const LinearFunction& f, const Integer& value) {
  const Integer distance = value - f.constant;
  const Integer x = distance / f.factor;  // rounded toward zero
  return x * f.factor < distance ? Integer(x + 1) : x;
}

}  // namespace

std::vector<Range> ranges_of_one_length(const Range& whole,
                                        const std::vector<LinearFunction>& functions) {
  std::set<Integer> starts{whole.low};
  const auto start = [&](const Integer& x) {
    if (x > whole.low && x <= whole.high) starts.insert(x);
  };
  for (const LinearFunction& f : functions) {
    if (f.factor == 0) continue;
    const Integer first = f.factor * whole.low + f.constant;
    const Integer last = f.factor * whole.high + f.constant;
    // The length changes at 2^n, where a number gets longer, and above -2^n, where it gets shorter.
    unsigned places = 0;
    for (Integer power = 1; power <= last || -power >= first; ++places, power *= 2) {
      if (places >= kApart && places % kTogether != 0) continue;
      start(least_with(f, power));
      start(least_with(f, Integer(1 - power)));
    }
  }
  std::vector<Range> ranges;
  for (auto it = starts.begin(); it != starts.end(); ++it) {
    const auto next = std::next(it);
    ranges.push_back({*it, next == starts.end() ? whole.high : Integer(*next - 1)});
  }
  return ranges;
}

Range negation_symmetry(const TwoSums& sums) {
  if (sums.rise != 0 || sums.first.factor != 1 || sums.second.factor != 1) return {1, 0};
  // The opposites of v + b and v + d are w + d and w + b with w = -b - d - v. Requires v < w.
  const Integer both = -sums.first.constant - sums.second.constant;
  return {std::max(sums.variable.low, Integer(both - sums.variable.high)),
          std::min(sums.variable.high, floor_shift_right(Integer(both - 1), 1))};
}

}  // namespace mmaspec
