#include "queries/studies/identify/structured_witness.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "concrete/dot/runner.h"
#include "queries/studies/identify/space/family_at_input.h"
#include "queries/studies/identify/structured_rows.h"
#include "queries/studies/identify/twice_rounded.h"
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
  const auto distinguishing = [&](std::vector<DotValues> rows) -> std::optional<DotValues> {
    std::vector<const DotValues*> all;
    for (DotValues& row : rows) {
      if (!has_c) row.c = 0;
      all.push_back(&row);
    }
    const std::vector<Integer> of_x = x.run(all);
    const std::vector<Integer> of_y = y.run(all);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (!same_answer(*formats.d, of_x[i], of_y[i])) return rows[i];
    }
    return std::nullopt;
  };
  SplitMix rarely(static_cast<unsigned>(count));
  std::vector<DotValues> rare;
  for (std::size_t i = 0; i < std::min(count, kAtOnce); ++i) {
    rare.push_back(rare_row(formats, rarely));
  }
  for (const Algorithm* design : {&first, &second}) {
    const auto* partial = known<PartialProductDotAdd>(*design, formats);
    constexpr int kTwiceRounded = 64;
    for (int i = 0; partial != nullptr && i < kTwiceRounded; ++i) {
      if (auto row = twice_rounded(*partial, formats, rarely)) rare.push_back(std::move(*row));
    }
  }
  if (auto found = distinguishing(std::move(rare))) return found;
  SplitMix random(static_cast<unsigned>(count));
  for (std::size_t drawn = 0; drawn < count && !deadline.passed(); drawn += kAtOnce) {
    std::vector<DotValues> rows;
    for (std::size_t i = 0; i < kAtOnce; ++i) {
      rows.push_back(structured_row(formats, random, fitting));
    }
    if (auto found = distinguishing(std::move(rows))) return found;
  }
  return std::nullopt;
}

}  // namespace mmaspec
