#include "queries/studies/identify/structured_witness.h"

#include <set>
#include <string>
#include <vector>

#include "concrete/dot/runner.h"
#include "queries/studies/identify/space/family_at_input.h"
#include "queries/studies/identify/structured_rows.h"
#include "queries/theorems/known_design.h"

namespace mmaspec {
namespace {

/// The numbers of bits that two designs keep.
FittingBits fitting_bits(const Algorithm& first, const Algorithm& second) {
  std::set<int> kept;
  std::set<int> cut;
  for (const Algorithm* design : {&first, &second}) {
    if (const auto bits = alignment_bits(*design)) cut.insert(*bits);
    for (const Parameter& parameter : design->parameters()) {
      if (!parameter.key.ends_with("_bits") || parameter.value == "none") continue;
      (parameter.key == "kept_bits" ? kept : cut).insert(std::stoi(parameter.value));
    }
  }
  return {{kept.begin(), kept.end()}, {cut.begin(), cut.end()}};
}

}  // namespace

std::optional<DotValues> structured_witness(const Algorithm& first, const Algorithm& second,
                                            const DotFormats& formats, std::size_t count,
                                            const Deadline& deadline, bool has_c) {
  constexpr std::size_t kAtOnce = 4096;
  const FittingBits fitting = fitting_bits(first, second);
  DotRunner x(first, formats);
  DotRunner y(second, formats);
  SplitMix random(static_cast<unsigned>(count));
  for (std::size_t drawn = 0; drawn < count && !deadline.passed(); drawn += kAtOnce) {
    std::vector<DotValues> rows;
    for (std::size_t i = 0; i < kAtOnce; ++i) {
      rows.push_back(structured_row(formats, random, fitting));
      if (!has_c) rows.back().c = 0;
    }
    std::vector<const DotValues*> all;
    for (const DotValues& row : rows) all.push_back(&row);
    const std::vector<Integer> of_x = x.run(all);
    const std::vector<Integer> of_y = y.run(all);
    for (std::size_t i = 0; i < kAtOnce; ++i) {
      if (!same_answer(*formats.d, of_x[i], of_y[i])) return rows[i];
    }
  }
  return std::nullopt;
}

}  // namespace mmaspec
