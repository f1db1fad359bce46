#include "queries/draw/typical.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "spec/formats/convert.h"
#include "spec/formats/text.h"

namespace mmaspec {
namespace {

/// Integers fill their format: uniform numbers reach its largest number, normal ones reach it at
/// four standard deviations.
double unit_of(const Format& format, Distribution distribution) {
  if (!format.is_integer()) return 1;
  const auto largest = format.largest_integer().convert_to<double>();
  return distribution == Distribution::uniform ? largest : largest / 4;
}

}  // namespace

double TypicalData::number() {
  if (!numbers_.empty()) return numbers_[random_.index(numbers_.size())];
  if (distribution_ == Distribution::uniform) return 2 * random_.fraction() - 1;
  if (spare_) {
    const double second = *spare_;
    spare_.reset();
    return second;
  }
  // Marsaglia's polar method.
  for (;;) {
    const double x = 2 * random_.fraction() - 1;
    const double y = 2 * random_.fraction() - 1;
    const double square = x * x + y * y;
    if (square >= 1 || square == 0) continue;
    const double factor = std::sqrt(-2 * std::log(square) / square);
    spare_ = y * factor;
    return x * factor;
  }
}

std::uint64_t TypicalData::drawn(const Format& format) {
  const double x = number() * (numbers_.empty() ? unit_of(format, distribution_) : 1);
  if (!format.is_integer()) return std::bit_cast<std::uint64_t>(x);
  // To the nearest integer, and to the nearest one in the format's range.
  const double integer = std::clamp(std::nearbyint(x), format.least_integer().convert_to<double>(),
                                    format.largest_integer().convert_to<double>());
  const auto ones = (std::uint64_t{1} << format.storage_bits) - 1;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(integer)) & ones;
}

void TypicalData::fill(Lanes& lanes) {
  const auto k = static_cast<std::size_t>(formats_.k);
  const auto scales = static_cast<std::size_t>(2 * formats_.scales());
  if (lanes.rows() != 2 * k + 1 + scales) throw std::logic_error("rows of other operands");
  for (std::size_t lane = 0; lane < lanes.lanes(); ++lane) {
    for (std::size_t i = 0; i < k; ++i) {
      lanes[i][lane] = drawn(*formats_.a);
      lanes[k + i][lane] = drawn(*formats_.b);
    }
    lanes[2 * k][lane] = 0;
  }
  for (std::size_t i = 2 * k + 1; i < lanes.rows(); ++i) {
    const auto one = parse_pattern_of(*formats_.scale, "1").convert_to<std::uint64_t>();
    std::fill_n(lanes[i], lanes.lanes(), one);
  }
  if (formats_.a->is_integer()) return;
  if (!rounding_) {
    Graph graph;
    const Graph::Building building(graph);
    std::vector<NodeId> roots;
    for (const auto& [name, format] : {std::pair("x", formats_.a), {"y", formats_.b}}) {
      roots.push_back(convert(formats::f64, input(name, 64), *format).pattern.id());
    }
    rounding_.emplace(graph, roots);
  }
  for (std::size_t i = 0; i < k; ++i) {
    rounding_->evaluate({lanes[i], lanes[k + i]}, lanes.lanes(), {lanes[i], lanes[k + i]},
                        scratch_);
  }
}

DotValues TypicalData::next() { return std::move(next(1).front()); }

std::vector<DotValues> TypicalData::next(std::size_t count) {
  std::vector<DotValues> all;
  if (count == 0) return all;
  Lanes lanes(static_cast<std::size_t>(2 * formats_.k + 1 + 2 * formats_.scales()), count);
  fill(lanes);
  const int k = formats_.k;
  const int scales = formats_.scales();
  for (std::size_t lane = 0; lane < count; ++lane) {
    const auto part = [&](int first, int size) {
      std::vector<Integer> patterns;
      for (int i = first; i < first + size; ++i) {
        patterns.emplace_back(lanes[static_cast<std::size_t>(i)][lane]);
      }
      return patterns;
    };
    all.push_back(
        {part(0, k), part(k, k), 0, part(2 * k + 1, scales), part(2 * k + 1 + scales, scales)});
  }
  return all;
}

}  // namespace mmaspec
