#include "queries/studies/explain/space/candidates.h"

#include <algorithm>
#include <bit>

namespace mmaspec::explain {
namespace {

constexpr std::size_t kMostPoints = 1024;  // of one unit's table of sums

}  // namespace

Space::Space(const PreparedUnit& unit, const ProductsOrder& order, std::size_t products,
             const ResultChoices& choices)
    : unit_(unit),
      order_(order),
      k_(products),
      has_c_(choices.has_c),
      products_(ordered_products(order, unit.unit->k, products)),
      grain_(static_cast<int>(std::bit_ceil((steps() + kMostPoints - 1) / kMostPoints))),
      finishes_(unit, choices),
      result_(unit) {
  const Format& sums = *unit_.unit->formats.d;
  if (SumArithmetic::has(sums)) arithmetic_.emplace(sums);
  shapes_ = shapes_of_k(order_, steps(), grain_, arithmetic_.has_value(), choices.extent);
}

std::size_t Space::size() const {
  std::size_t all = 0;
  for (const Shape& shape : shapes_) all += finishes(shape).size();
  return all;
}

Space::Needs Space::needs(const std::vector<bool>& alive) const {
  Needs needs;
  needs.last_end.assign(points_between(steps(), grain_), 0);
  for (std::size_t i = 0; i < shapes_.size(); ++i) {
    if (!alive[i]) continue;
    const auto& [every, ends] = shapes_[i];
    int first = 0;
    for (const int end : ends) {
      for (int at = first; at < end; at += every == 0 ? end - first : every) {
        int& last = needs.last_end[static_cast<std::size_t>(at)];
        last = std::max(last, every == 0 ? end : std::min(at + every, end));
      }
      if (first == 0 && every == 0 && has_c_) needs.from_c = true;
      first = end;
    }
  }
  return needs;
}

void Space::keep(const Shape& shape, const SegmentSums& sums, const ElementOperands& operands,
                 std::uint64_t d, std::vector<Candidate>& candidates) const {
  const std::uint64_t c = operands.c;
  // The parts' sums: all from +0, or the first one from c.
  const auto& [every, ends] = shape;
  std::vector<std::uint64_t> parts;
  std::uint64_t first_from_c = 0;
  int first = 0;
  for (const int end : ends) {
    if (every == 0) {
      parts.push_back(sums.sum(first, end));
      if (first == 0 && has_c_) first_from_c = sums.sum_from_c(end);
    } else {
      std::uint64_t value = 0;
      std::uint64_t value_from_c = c;
      for (int at = first; at < end; at += every) {
        const std::uint64_t block = sums.sum(at, std::min(at + every, end));
        value = arithmetic_->add(value, block);
        if (first == 0 && has_c_) value_from_c = arithmetic_->add(value_from_c, block);
      }
      parts.push_back(value);
      if (first == 0) first_from_c = value_from_c;
    }
    first = end;
  }
  const Format& format = *unit_.unit->formats.d;
  const auto add = [&](std::uint64_t x, std::uint64_t y) { return arithmetic_->add(x, y); };
  const std::vector<Finish>& all = finishes(shape);
  std::size_t kept = 0;
  for (Candidate candidate : candidates) {
    const Finish& f = all[candidate.finish];
    std::vector<std::uint64_t> values = parts;
    const bool atomic = f.reduce == Reduce::atomic;
    if (f.joins == Joins::first && !atomic) values[0] = first_from_c;
    if (f.partial != nullptr) {
      for (std::uint64_t& v : values) {
        const std::uint64_t narrow =
            rounded_pattern(*f.partial, static_cast<double>(value_of(format, v)));
        v = rounded_pattern(format, static_cast<double>(value_of(*f.partial, narrow)));
      }
    }
    const std::uint64_t sum =
        reduced(f, std::move(values), atomic && f.joins == Joins::first ? &c : nullptr, add);
    if (is_nan(*f.out, d)) {  // unknown
      candidates[kept++] = candidate;
      continue;
    }
    const std::uint64_t minus_zero = std::uint64_t{1} << static_cast<unsigned>(format.sign_bit());
    if (f.joins == Joins::none && arithmetic_ && ends.size() > 1 && sum == minus_zero) {
      // A plan that adds c = +0 turns -0 into +0, and atomic additions always do.
      if (result_(f, sum, c, operands.factors) != d) candidate.zeros_as_summed = false;
      if (result_(f, 0, c, operands.factors) != d) candidate.zeros_as_added = false;
      const bool fits = candidate.zeros_as_added || (candidate.zeros_as_summed && !atomic);
      if (fits) candidates[kept++] = candidate;
      continue;
    }
    if (result_(f, sum, c, operands.factors) == d) candidates[kept++] = candidate;
  }
  candidates.resize(kept);
}

std::vector<int> Space::lengths(const Shape& shape) const {
  std::vector<int> all;
  int before = 0;
  const int step = unit_.unit->k * grain_;
  for (const int end : shape.ends) {
    const int at = std::min(end * step, static_cast<int>(whole_k()));
    all.push_back(at - before);
    before = at;
  }
  return all;
}

}  // namespace mmaspec::explain
