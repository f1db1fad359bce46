#include "queries/studies/matrix/witness.h"

#include <cmath>

#include "concrete/dot/runner.h"
#include "queries/ask/question.h"
#include "queries/draw/common_inputs.h"
#include "queries/values/distance.h"

namespace mmaspec {
namespace {

/// A sum cancels if it is below this share of the terms' magnitudes.
constexpr double kCancelled = 1.0 / 16;

}  // namespace

Takes takes_of_corner(bool subnormal, double size, double first, double second) {
  if (!std::isfinite(first) || !std::isfinite(second)) return Takes::overflow;
  if (subnormal) return Takes::subnormal;
  return std::abs(first) < kCancelled * size ? Takes::cancellation : Takes::unlike_sizes;
}

PairRow of_witness(PairRow row, const Pair& pair) {
  const VectorRow& witness = row.witness.value();
  const std::vector<Integer> operands = in_input_order(witness.values);
  Lanes lanes(operands.size(), 1);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    lanes[i][0] = operands[i].convert_to<std::uint64_t>();
  }
  const CommonInputs inputs(pair.first.formats, pair.second.formats, 0);
  const PatternValues first(*pair.first.formats.d);
  const PatternValues second(*pair.second.formats.d);
  const auto d = witness.d.value().convert_to<std::uint64_t>();
  const auto d_other = witness.d_other.value().convert_to<std::uint64_t>();
  const double size = inputs.size(lanes, 0);
  row.takes = takes_of_corner(
      inputs.has_subnormal(lanes, 0) || first.is_subnormal(d) || second.is_subnormal(d_other), size,
      first(d), second(d_other));
  row.unbounded = !std::isfinite(first(d)) || !std::isfinite(second(d_other));
  row.relative = row.unbounded || size == 0 ? 0 : std::abs(first(d) - second(d_other)) / size;
  row.ulp = row.unbounded ? "0" : witness.ulp;
  return row;
}

PairRow of_input(PairRow row, const DotValues& values, const Pair& pair) {
  const Format& f = *pair.first.formats.d;
  const Format& g = *pair.second.formats.d;
  VectorRow witness;
  witness.values = values;
  witness.d = DotRunner(pair.first.algorithm, pair.first.formats).run(values);
  witness.d_other = DotRunner(pair.second.algorithm, pair.second.formats)
                        .run(counterpart(pair, Match::values, values));
  if (!differ({}, f, *witness.d, g, *witness.d_other)) {
    throw Contradiction("two designs agree on an input on which their equals differ");
  }
  const auto ulp = ulp_distance(f, *witness.d, g, *witness.d_other);
  witness.ulp = ulp ? ulp->str() : "inf";
  row.verdict = PairVerdict::differ;
  row.witness = std::move(witness);
  return of_witness(std::move(row), pair);
}

}  // namespace mmaspec
