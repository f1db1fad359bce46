#include "queries/studies/machines/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "concrete/dot/runner.h"
#include "queries/values/distance.h"
#include "queries/values/exact_result.h"

namespace mmaspec {
namespace {

constexpr std::size_t kProductsAtOnce = std::size_t{1} << 16U;  // for all dot products of a block

/// The pattern rounded to a number that both formats hold.
Integer common(const Format& first, const Integer& pattern, const Format& second) {
  if (first == second) return pattern;
  return round_pattern(second, round_pattern(first, pattern, second), first);
}

double relative(const DotFormats& formats, const DotValues& values, const Rational& difference) {
  const auto terms = exact_terms(formats, values);
  Rational size = 0;
  for (const Rational& t : terms.value()) size += abs(t);
  return size == 0 ? 0 : Rational(abs(difference) / size).convert_to<double>();
}

}  // namespace

Statistics statistics(const Pair& pair, const NextProducts& next, const Condition& where,
                      const Deadline& deadline) {
  const DotFormats& f = pair.first.formats;
  const DotFormats& g = pair.second.formats;
  Statistics result;
  std::vector<double> ulps;
  DotRunner first(pair.first.algorithm, f);
  DotRunner second(pair.second.algorithm, g);
  ConditionProgram condition(where, f);
  const auto run = [](DotRunner& runner, const std::vector<DotValues>& all) {
    std::vector<const DotValues*> pointers;
    for (const DotValues& v : all) pointers.push_back(&v);
    return runner.run(pointers);
  };
  const auto take = [&](std::vector<DotValues> data) {
    std::vector<DotValues> firsts;
    std::vector<DotValues> seconds;
    for (DotValues& values : data) {
      for (Integer& p : values.a) p = common(*f.a, p, *g.a);
      for (Integer& p : values.b) p = common(*f.b, p, *g.b);
      try {
        DotValues other = counterpart(pair, Match::values, values);
        firsts.push_back(std::move(values));
        seconds.push_back(std::move(other));
      } catch (const NoCounterpart&) {
        ++result.left_out;
      }
    }
    const std::vector<Integer> d = run(first, firsts);
    const std::vector<Integer> d_other = run(second, seconds);
    for (std::size_t i = 0; i < d.size(); ++i) {
      if (!condition.holds(firsts[i], d[i])) {
        ++result.unmet;
        continue;
      }
      ++result.results;
      if (!differ({}, *f.d, d[i], *g.d, d_other[i])) continue;
      const auto ulp = ulp_distance(*f.d, d[i], *g.d, d_other[i]);
      ulps.push_back(ulp ? ulp->convert_to<double>() : std::numeric_limits<double>::infinity());
      const Decoded x = decode(*f.d, d[i]);
      const Decoded y = decode(*g.d, d_other[i]);
      if (!x.is_finite() || !y.is_finite()) continue;
      result.largest_relative = std::max(result.largest_relative,
                                         relative(f, firsts[i], Rational(x.value() - y.value())));
    }
  };
  const std::size_t at_once = std::clamp<std::size_t>(
      kProductsAtOnce / static_cast<std::size_t>(std::max(f.k, 1)), 1, 1024);
  for (;;) {
    std::vector<DotValues> data = next(at_once);
    if (data.empty()) break;
    if (deadline.passed()) {
      result.out_of_time = true;
      break;
    }
    take(std::move(data));
  }
  result.differ = ulps.size();
  if (ulps.empty()) return result;
  std::sort(ulps.begin(), ulps.end());
  result.median_ulp = ulps[(ulps.size() - 1) / 2];
  result.largest_ulp = ulps.back();
  return result;
}

}  // namespace mmaspec
