#include "concrete/aligned/lanes.h"

#include <algorithm>

namespace mmaspec::aligned {
namespace {

/// Products that are decoded together, or one step's, where that has more.
constexpr std::size_t kProducts = 64;

}  // namespace

std::unique_ptr<LanesRunner> make_lanes_runner(const Algorithm& algorithm,
                                               const DotFormats& formats, Isa isa) {
  const Kernels* kernels = kernels_of(isa);
  if (kernels == nullptr) return nullptr;
  std::optional<Lowered> lowered = lower(algorithm, formats);
  return lowered ? std::make_unique<LanesRunner>(std::move(*lowered), *kernels) : nullptr;
}

void LanesRunner::find(const std::vector<const std::uint64_t*>& rows, std::size_t row,
                       std::size_t scale_row, std::size_t first_step, std::size_t steps,
                       std::size_t first_lane, std::size_t lanes, FoundRows& found) const {
  constexpr unsigned kWord = sizeof(std::uint64_t);
  const std::size_t width = kernels_->own_lanes;
  const std::size_t step = lowered_.step();
  const DotFormats& f = lowered_.formats;
  const bool scaled = f.scale != nullptr;
  found.resize(steps * step, width, kWord, scaled, kWord);
  const auto row_of = [&](std::size_t from, std::byte* copy) -> const void* {
    if (lanes == width) return rows[from] + first_lane;
    std::memset(copy, 0, width * kWord);
    std::memcpy(copy, rows[from] + first_lane, lanes * kWord);
    return copy;
  };
  std::size_t i = 0;
  for (std::size_t s = first_step; s < first_step + steps; ++s) {
    for (const int position : lowered_.order) {
      const std::size_t k = s * step + static_cast<std::size_t>(position);
      found.patterns[i] = row_of(row + k, found.copy(i));
      if (scaled) {
        const std::size_t block = k / static_cast<std::size_t>(f.scale_block);
        found.scales[i] = row_of(scale_row + block, found.scale_copy(i));
      }
      ++i;
    }
  }
}

void LanesRunner::run_panel(const std::vector<const std::uint64_t*>& rows, std::size_t first,
                            std::size_t lanes, std::uint64_t* d) {
  const std::size_t width = kernels_->own_lanes;
  const DotFormats& f = lowered_.formats;
  const auto k = static_cast<std::size_t>(f.k);
  const auto scales = static_cast<std::size_t>(f.scales());
  const std::size_t together = std::max<std::size_t>(1, kProducts / lowered_.step());
  sums_.assign(width, 0);
  to_numbers(*f.c, rows[2 * k] + first, lanes, sums_.data());
  for (std::size_t at = 0; at < lowered_.steps(); at += together) {
    const std::size_t steps = std::min(together, lowered_.steps() - at);
    find(rows, 0, 2 * k + 1, at, steps, first, lanes, found_a_);
    find(rows, k, 2 * k + 1 + scales, at, steps, first, lanes, found_b_);
    a_.decode(lowered_, lowered_.chain, *kernels_, lowered_.a, found_a_, width);
    b_.decode(lowered_, lowered_.chain, *kernels_, lowered_.b, found_b_, width);
    kernels_->run(lowered_.chain, {.rows = (lanes + kernels_->lanes - 1) / kernels_->lanes,
                                   .steps = steps,
                                   .a = a_.values(),
                                   .a_exponents = nullptr,
                                   .own_a_exponents = a_.exponents(),
                                   .a_step = 0,
                                   .a_specials = a_.specials(),
                                   .a_specials_step = 0,
                                   .b = b_.values(),
                                   .b_exponents = b_.exponents(),
                                   .b_specials = b_.specials(),
                                   .sums = sums_.data(),
                                   .is_first = at == 0 ? 1U : 0U,
                                   .has_own_a = 1});
  }
  to_patterns(*f.d, sums_.data(), lanes, lowered_.nan, d + first);
}

void LanesRunner::run(const std::vector<const std::uint64_t*>& rows, std::size_t lanes,
                      std::uint64_t* d) {
  for (std::size_t first = 0; first < lanes; first += kernels_->own_lanes) {
    run_panel(rows, first, std::min(kernels_->own_lanes, lanes - first), d);
  }
}

}  // namespace mmaspec::aligned
