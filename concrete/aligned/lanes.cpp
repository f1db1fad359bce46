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

void LanesRunner::gather(const std::vector<const std::uint64_t*>& rows, std::size_t row,
                         std::size_t scale_row, std::size_t first_step, std::size_t steps,
                         std::size_t first_lane, std::size_t lanes) {
  const std::size_t width = kernels_->lanes;
  const std::size_t step = lowered_.step();
  const DotFormats& f = lowered_.formats;
  const auto copy = [&](const std::uint64_t* from, std::uint32_t* to) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      to[lane] = static_cast<std::uint32_t>(from[first_lane + lane]);
    }
    std::fill(to + lanes, to + width, 0U);
  };
  patterns_.resize(steps * step * width);
  scales_.resize(f.scale == nullptr ? 0 : patterns_.size());
  for (std::size_t i = 0; i < steps * step; ++i) {
    const std::size_t k =
        (first_step + i / step) * step + static_cast<std::size_t>(lowered_.order[i % step]);
    copy(rows[row + k], patterns_.data() + i * width);
    if (f.scale == nullptr) continue;
    const std::size_t block = k / static_cast<std::size_t>(f.scale_block);
    copy(rows[scale_row + block], scales_.data() + i * width);
  }
}

void LanesRunner::run_panel(const std::vector<const std::uint64_t*>& rows, std::size_t first,
                            std::size_t lanes, std::uint64_t* d) {
  const std::size_t width = kernels_->lanes;
  const DotFormats& f = lowered_.formats;
  const auto k = static_cast<std::size_t>(f.k);
  const auto scales = static_cast<std::size_t>(f.scales());
  const std::size_t together = std::max<std::size_t>(1, kProducts / lowered_.step());
  sums_.assign(width, 0);
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    sums_[lane] = number_of(*f.c, rows[2 * k][first + lane]);
  }
  for (std::size_t at = 0; at < lowered_.steps(); at += together) {
    const std::size_t steps = std::min(together, lowered_.steps() - at);
    gather(rows, 0, 2 * k + 1, at, steps, first, lanes);
    a_.decode(lowered_, *kernels_, lowered_.a, patterns_, scales_, width);
    gather(rows, k, 2 * k + 1 + scales, at, steps, first, lanes);
    b_.decode(lowered_, *kernels_, lowered_.b, patterns_, scales_, width);
    kernels_->run(lowered_.chain, {.rows = 1,
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
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    d[first + lane] = pattern_of(*f.d, sums_[lane], lowered_.nan);
  }
}

void LanesRunner::run(const std::vector<const std::uint64_t*>& rows, std::size_t lanes,
                      std::uint64_t* d) {
  for (std::size_t first = 0; first < lanes; first += kernels_->lanes) {
    run_panel(rows, first, std::min(kernels_->lanes, lanes - first), d);
  }
}

}  // namespace mmaspec::aligned
