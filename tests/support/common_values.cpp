#include "tests/support/common_values.h"

#include "concrete/dot/runner.h"
#include "queries/draw/samples.h"
#include "queries/values/distance.h"

namespace mmaspec {

int differences(const Instruction& first, const Instruction& second, unsigned seed, int rows) {
  int found = 0;
  for (const bool turned : {false, true}) {
    const Pair pair = turned ? pair_up(second, first, {}) : pair_up(first, second, {});
    const DotFormats& f = pair.first.formats;
    const DotFormats& g = pair.second.formats;
    Sampler sampler(f, InputClass::finite, seed);
    DotRunner one(pair.first.algorithm, f);
    DotRunner other(pair.second.algorithm, g);
    const auto round = [](std::vector<Integer>& operands, const Format& from, const Format& to) {
      // The other format holds few operands of the wider format: the rest become zero.
      for (Integer& p : operands) {
        const Integer narrow = round_pattern(from, p, to);
        p = decode(to, narrow).is_finite() ? round_pattern(to, narrow, from) : Integer(0);
      }
    };
    for (int i = 0; i < rows; ++i) {
      DotValues values = sampler.next();
      if (!(*f.a == *g.a)) round(values.a, *f.a, *g.a);
      if (!(*f.b == *g.b)) round(values.b, *f.b, *g.b);
      try {
        const DotValues common = counterpart(pair, Match::values, values);
        found += differ({}, *f.d, one.run(values), *g.d, other.run(common));
      } catch (const NoCounterpart&) {
      }
    }
  }
  return found;
}

}  // namespace mmaspec
