// Monotonicity of small designs compared with all inputs: c <= c' and a b <= a' b' by value, so
// that zeros of both signs are equal numbers, although a unit may distinguish them.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "concrete/dot/runner.h"
#include "queries/prove/prove.h"
#include "queries/values/distance.h"
#include "spec/formats/text.h"

namespace mmaspec::monotone_test {
namespace {

struct Point {
  double x;
  long d;
};

/// The value of each pattern of a short format; NaN if it is not a finite number.
std::vector<double> numbers(const Format& f) {
  std::vector<double> all;
  for (int x = 0; x < 1 << f.storage_bits; ++x) {
    const Decoded number = decode(f, x);
    all.push_back(number.is_finite() ? number.value().convert_to<double>() : std::nan(""));
  }
  return all;
}

/// A larger x has no smaller d, and equal ones have equal d.
bool rises(std::vector<Point> points) {
  std::sort(points.begin(), points.end(),
            [](const Point& p, const Point& q) { return p.x != q.x ? p.x < q.x : p.d < q.d; });
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (points[i].d < points[i - 1].d) return false;
    if (points[i].x == points[i - 1].x && points[i].d != points[i - 1].d) return false;
  }
  return true;
}

/// With one product, for all finite inputs; results are numbers.
bool is_monotone(const Instruction& i, bool in_c) {
  const DotFormats& f = i.formats;
  const int ab = 1 << (f.a->storage_bits + f.b->storage_bits);
  std::vector<DotValues> inputs;
  std::vector<const DotValues*> all;
  for (int x = 0; x < ab << f.c->storage_bits; ++x) {
    const int factors = x % ab;
    inputs.push_back(
        {{factors % (1 << f.a->storage_bits)}, {factors >> f.a->storage_bits}, x / ab, {}, {}});
  }
  all.reserve(inputs.size());
  for (const DotValues& v : inputs) all.push_back(&v);
  const std::vector<Integer> results = DotRunner(i.algorithm, f).run(all);
  const std::vector<double> as = numbers(*f.a);
  const std::vector<double> bs = numbers(*f.b);
  const std::vector<double> cs = numbers(*f.c);
  std::map<int, std::vector<Point>> lines;
  for (std::size_t n = 0; n < inputs.size(); ++n) {
    const std::size_t factors = n % static_cast<std::size_t>(ab);
    const double product = as[factors % as.size()] * bs[factors / as.size()];
    const double c = cs[n / static_cast<std::size_t>(ab)];
    if (std::isnan(product) || std::isnan(c) || decode(*f.d, results[n]).is_nan) continue;
    const long d = ordinal(*f.d, results[n]).convert_to<long>();
    const std::size_t line = in_c ? factors : n / static_cast<std::size_t>(ab);
    lines[static_cast<int>(line)].push_back({in_c ? c : product, d});
  }
  return std::all_of(lines.begin(), lines.end(),
                     [](const auto& line) { return rises(line.second); });
}

TEST(Monotone, TreatsZerosOfBothSignsAsEqual) {
  const Portfolio solvers("auto", Limits{60});
  int monotone_designs = 0;
  int others = 0;
  const std::string small = "(a=e2m1,b=e2m1,c=e5m2,d=f16,k=1,";
  for (const std::string& text : std::vector<std::string>{
           "ones-complement-dot-add" + small + "product_bits=24,c_bits=29,zero_c_counts=yes)",
           "ones-complement-dot-add" + small + "product_bits=24,c_bits=29,zero_c_counts=no)",
           "ones-complement-dot-add" + small + "product_bits=3,c_bits=4,zero_c_counts=yes)",
           "floored-dot-add" + small + "group=1,product_bits=3,c_bits=4)",
           "bulk-normalized-dot-add" + small + "guard_bits=1)",
           "fused-dot-add" + small + "fraction_bits=2)",
           "fused-dot-add" + small + "fraction_bits=6)",
           "fused-dot-add" + small + "fraction_bits=3,align_round=rd)",
           "round-down-dot-add" + small + "product_bits=4,sum_bits=4)",
           "sequential-fma" + small + "flush_inputs=yes)", "exact-dot-add" + small + "round=rd)"}) {
    const Instruction design = find_instruction("design:" + text);
    for (const auto& [property, in_c] :
         {std::pair{"monotone-c", true}, {"monotone-product", false}}) {
      const bool holds = is_monotone(design, in_c);
      ++(holds ? monotone_designs : others);
      const Proof proof =
          prove(find_property(property), subject_of(design, std::nullopt), {}, solvers);
      EXPECT_EQ(proof.outcome, holds ? Outcome::proved : Outcome::refuted)
          << property << " of " << text;
    }
  }
  EXPECT_GT(monotone_designs, 3);
  EXPECT_GT(others, 3);
}

}  // namespace
}  // namespace mmaspec::monotone_test
