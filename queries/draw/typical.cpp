#include "queries/draw/typical.h"

#include <bit>
#include <cmath>

#include "spec/formats/text.h"

namespace mmaspec {
namespace {

/// Integers fill their format: uniform numbers reach its largest, normal ones four deviations.
double unit_of(const Format& format, Distribution distribution) {
  if (!format.is_integer()) return 1;
  const auto largest = format.largest_integer().convert_to<double>();
  return distribution == Distribution::uniform ? largest : largest / 4;
}

}  // namespace

double TypicalData::number() {
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

DotValues TypicalData::next() {
  const auto drawn = [&](const Format& format) {
    const double x = number() * unit_of(format, distribution_);
    return round_pattern(formats::f64, Integer(std::bit_cast<std::uint64_t>(x)), format);
  };
  DotValues values{{}, {}, 0, {}, {}};
  for (int k = 0; k < formats_.k; ++k) {
    values.a.push_back(drawn(*formats_.a));
    values.b.push_back(drawn(*formats_.b));
  }
  for (int i = 0; i < formats_.scales(); ++i) {
    values.scale_a.push_back(parse_pattern_of(*formats_.scale, "1"));
    values.scale_b.push_back(values.scale_a.back());
  }
  return values;
}

std::vector<DotValues> TypicalData::next(std::size_t count) {
  std::vector<DotValues> all;
  for (std::size_t i = 0; i < count; ++i) all.push_back(next());
  return all;
}

}  // namespace mmaspec
