#include "queries/machines/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "concrete/dot/runner.h"
#include "queries/numbers/difference.h"
#include "queries/numbers/exact.h"

namespace mmaspec {
namespace {

/// Rounded so that both formats hold it.
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

Statistics statistics(const Pair& pair, std::vector<DotValues> data, const Condition& where) {
  const DotFormats& f = pair.first.formats;
  const DotFormats& g = pair.second.formats;
  Statistics result;
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
  const auto run = [](const Instruction& i, const std::vector<DotValues>& all) {
    std::vector<const DotValues*> pointers;
    for (const DotValues& v : all) pointers.push_back(&v);
    return DotRunner(i.algorithm, i.formats).run(pointers);
  };
  const std::vector<Integer> d = run(pair.first, firsts);
  const std::vector<Integer> d_other = run(pair.second, seconds);
  ConditionProgram condition(where, f);
  std::vector<double> ulps;
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
    result.largest_relative =
        std::max(result.largest_relative, relative(f, firsts[i], Rational(x.value() - y.value())));
  }
  result.differ = ulps.size();
  if (ulps.empty()) return result;
  std::sort(ulps.begin(), ulps.end());
  result.median_ulp = ulps[(ulps.size() - 1) / 2];
  result.largest_ulp = ulps.back();
  return result;
}

}  // namespace mmaspec
