// Constructed inputs compared with proved bounds: for some of them results differ by nearly the
// bound.

#include "queries/distance/worst_cases.h"

#include <gtest/gtest.h>

#include "concrete/dot/runner.h"
#include "queries/ask/dot_question.h"
#include "queries/distance/apart.h"
#include "queries/numbers/where.h"
#include "queries/prove/diff.h"
#include "spec/formats/unpack.h"

namespace mmaspec::worst_cases_test {
namespace {

/// Confirms the values of c that conditions leave.
const Portfolio& one_solver() {
  static const Portfolio one("z3", [] {
    Limits limits;
    limits.seconds = 20;
    return limits;
  }());
  return one;
}

struct Distances {
  Rational bound;
  Rational constructed = 0;
};

Distances distances(const std::string& first, const std::string& second, int k,
                    const std::vector<std::string>& conditions) {
  PairOptions pairing;
  pairing.chain = k;
  const Pair pair = pair_up(find_instruction(first), find_instruction(second), pairing);
  const DotFormats& f = pair.first.formats;
  const Where where(conditions);
  Graph graph;
  const Graph::Building building(graph);
  const DotOperands in = dot_inputs(f);
  const std::vector<NodeId> premises{belong(InputClass::finite, f, in).id(),
                                     where.holds(f, in, 0).id()};
  const auto apart = distance_bound(pair, graph, premises, one_solver(), Deadline());
  EXPECT_TRUE(apart);
  if (!apart) return {};
  Distances found{apart->absolute};
  const Fitting fitting(graph, premises, input_formats(graph, f), 0);
  const std::vector<DotValues> all = constructed_worst_cases(pair, fitting, 3, Deadline());
  EXPECT_EQ(all.size(), 3U);
  DotRunner x(pair.first.algorithm, f);
  DotRunner y(pair.second.algorithm, pair.second.formats);
  Rational before;
  for (const DotValues& values : all) {
    const Rational distance =
        boost::multiprecision::abs(Rational(decode(*f.d, x.run(values)).value() -
                                            decode(*pair.second.formats.d, y.run(values)).value()));
    if (found.constructed == 0) found.constructed = distance;
    EXPECT_TRUE(before == 0 || distance <= before);
    before = distance;
    EXPECT_LE(distance, found.bound);
  }
  return found;
}

const std::string kH100 = "h100/mma.m16n8k16.f32.";
const std::vector<std::string> kUnit{"abs(a[*]) <= 1", "abs(b[*]) <= 1", "c == 0"};
const std::vector<std::string> kOneSign{"a[*] >= 0", "a[*] <= 1", "b[*] >= 0", "b[*] <= 1",
                                        "c == 0"};

TEST(WorstCases, AreNearTheBounds) {
  for (const auto& conditions : {kUnit, kOneSign}) {
    for (const std::string format : {"f16", "bf16"}) {
      const std::string h100 = kH100 + format + "." + format + ".f32";
      for (const std::string& other : {"mi300x/v_mfma_f32_32x32x8_" + format,
                                       "a100/mma.m16n8k16.f32." + format + "." + format + ".f32"}) {
        const Distances d = distances(h100, other, 512, conditions);
        EXPECT_LE(d.bound, 8 * d.constructed) << other;
      }
    }
    const Distances fp8 = distances("h100/wgmma.m64n8k32.f32.e4m3.e4m3",
                                    "b200/tcgen05.mma.m64n8k32.f32.e4m3.e4m3", 512, conditions);
    EXPECT_LE(fp8.bound, 4 * fp8.constructed);
  }
}

// If terms have one sign, two units that cut toward zero have errors of one sign: the larger error
// bounds the difference.
TEST(WorstCases, OfOneSignHaveSmallerBounds) {
  const std::string h100 = kH100 + "f16.f16.f32";
  const std::string a100 = "a100/mma.m16n8k16.f32.f16.f16.f32";
  EXPECT_LT(4 * distances(h100, a100, 256, kOneSign).bound,
            3 * distances(h100, a100, 256, kUnit).bound);
}

}  // namespace
}  // namespace mmaspec::worst_cases_test
