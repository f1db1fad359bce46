#include "concrete/aligned/lanes.h"

#include <algorithm>

namespace mmaspec::aligned {
namespace {

/// Number of products that are decoded together, unless one step has more.
constexpr std::size_t kProducts = 64;

/// Bytes of a word with one pattern.
constexpr unsigned kWord = sizeof(std::uint64_t);

}  // namespace

std::unique_ptr<LanesRunner> make_lanes_runner(const Algorithm& algorithm,
                                               const DotFormats& formats, Isa isa) {
  const Kernels* kernels = kernels_of(isa);
  if (kernels == nullptr) return nullptr;
  std::optional<Lowered> lowered = lower(algorithm, formats);
  return lowered ? std::make_unique<LanesRunner>(std::move(*lowered), *kernels) : nullptr;
}

const void* LanesRunner::row_of(const std::uint64_t* row, const Part& part, std::byte* copy) const {
  const std::size_t width = kernels_->own_lanes;
  if (part.lanes == width) return row + part.first_lane;
  std::memset(copy, 0, width * kWord);
  std::memcpy(copy, row + part.first_lane, part.lanes * kWord);
  return copy;
}

void LanesRunner::find(const InputRows& rows, std::size_t row, std::size_t scale_row,
                       const Part& part, FoundRows& found) const {
  const std::size_t step = lowered_.step();
  const bool scaled = lowered_.scales_products();
  found.resize(part.steps * step, kernels_->own_lanes, kWord, scaled, kWord);
  std::size_t i = 0;
  for (std::size_t s = part.first_step; s < part.first_step + part.steps; ++s) {
    for (const int position : lowered_.order) {
      const std::size_t k = s * step + static_cast<std::size_t>(position);
      found.patterns[i] = row_of(rows[row + k], part, found.copy(i));
      if (scaled) {
        const std::size_t block = k / static_cast<std::size_t>(lowered_.formats.scale_block);
        found.scales[i] = row_of(rows[scale_row + block], part, found.scale_copy(i));
      }
      ++i;
    }
  }
}

void LanesRunner::find_scales(const InputRows& rows, std::size_t scale_row, const Part& part,
                              FoundRows& found) const {
  const std::size_t groups = lowered_.chain.sums;
  found.resize(part.steps * groups, kernels_->own_lanes, kWord, false, kWord);
  for (std::size_t i = 0; i < found.patterns.size(); ++i) {
    const std::size_t k = (part.first_step * groups + i) * lowered_.chain.products;
    const std::size_t block = k / static_cast<std::size_t>(lowered_.formats.scale_block);
    found.patterns[i] = row_of(rows[scale_row + block], part, found.copy(i));
  }
}

void LanesRunner::run_panel(const InputRows& rows, std::size_t first, std::size_t lanes,
                            std::uint64_t* d) {
  const std::size_t width = kernels_->own_lanes;
  const DotFormats& f = lowered_.formats;
  const auto k = static_cast<std::size_t>(f.k);
  const std::size_t scale_a_row = 2 * k + 1;
  const std::size_t scale_b_row = scale_a_row + static_cast<std::size_t>(f.scales());
  const std::size_t together = std::max<std::size_t>(1, kProducts / lowered_.step());
  sums_.assign(width, 0);
  to_numbers(*f.c, rows[2 * k] + first, lanes, sums_.data());
  for (std::size_t at = 0; at < lowered_.steps(); at += together) {
    const Part part{at, std::min(together, lowered_.steps() - at), first, lanes};
    find(rows, 0, scale_a_row, part, found_a_);
    find(rows, k, scale_b_row, part, found_b_);
    a_.decode(lowered_, lowered_.chain, *kernels_, lowered_.a, found_a_, width);
    b_.decode(lowered_, lowered_.chain, *kernels_, lowered_.b, found_b_, width);
    Panel panel{};
    if (lowered_.has_groups()) {
      find_scales(rows, scale_a_row, part, found_scales_);
      scale_a_.decode_scales(lowered_, *kernels_, found_scales_, width);
      find_scales(rows, scale_b_row, part, found_scales_);
      scale_b_.decode_scales(lowered_, *kernels_, found_scales_, width);
      a_.add_specials(scale_a_);
      b_.add_specials(scale_b_);
      panel.scale_a = scale_a_.doubles();
      panel.own_scale_a_exponents = scale_a_.exponents();
      panel.scale_b = scale_b_.doubles();
      panel.scale_b_exponents = scale_b_.exponents();
    }
    panel.rows = (lanes + kernels_->lanes - 1) / kernels_->lanes;
    panel.steps = part.steps;
    panel.a = a_.values();
    panel.own_a_exponents = a_.exponents();
    panel.a_specials = a_.specials();
    panel.b = b_.values();
    panel.b_exponents = b_.exponents();
    panel.b_specials = b_.specials();
    panel.sums = sums_.data();
    panel.is_first = at == 0 ? 1 : 0;
    panel.has_own_a = 1;
    kernels_->run(lowered_.chain, panel);
  }
  to_patterns(*f.d, sums_.data(), lanes, lowered_.nan, d + first);
}

void LanesRunner::run(const InputRows& rows, std::size_t lanes, std::uint64_t* d) {
  for (std::size_t first = 0; first < lanes; first += kernels_->own_lanes) {
    run_panel(rows, first, std::min(kernels_->own_lanes, lanes - first), d);
  }
}

}  // namespace mmaspec::aligned
