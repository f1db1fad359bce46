#include "queries/studies/explain/space/atomic_orders.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "queries/studies/explain/element_reader.h"

namespace mmaspec::explain {
namespace {

constexpr int kLeastOrdered = 7;
constexpr int kMostOrdered = 9;
constexpr std::size_t kMostTried = 32;  // number of elements

using Order = std::vector<int>;

float added(const std::vector<float>& sums, const Order& order) {
  float all = sums[static_cast<std::size_t>(order[0])];
  for (std::size_t i = 1; i < order.size(); ++i) all += sums[static_cast<std::size_t>(order[i])];
  return all;
}

/// The number of an order of at most twelve parts: see order_of_parts().
int number_of(Order order) {
  int number = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto left = static_cast<int>(order.size() - i);
    number = number * left + static_cast<int>(std::count_if(
                                 order.begin() + static_cast<std::ptrdiff_t>(i), order.end(),
                                 [&](int part) { return part < order[i]; }));
  }
  return number;
}

/// The parts' sums of one element.
std::vector<float> sums_of(const SegmentSums& sums, const Shape& shape) {
  std::vector<float> all;
  int first = 0;
  for (const int end : shape.ends) {
    all.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(sums.sum(first, end))));
    first = end;
  }
  return all;
}

/// True for equal parts without promotions whose number of orders requires this search.
bool is_ordered(const Shape& shape) {
  const auto parts = static_cast<int>(shape.ends.size());
  if (shape.every != 0 || parts < kLeastOrdered || parts > kMostOrdered) return false;
  const int length = shape.ends.front();
  for (int i = 0; i + 1 < parts; ++i) {
    if (shape.ends[static_cast<std::size_t>(i)] != (i + 1) * length) return false;
  }
  return shape.ends.back() <= parts * length;
}

}  // namespace

std::vector<VersionSpace> search_atomic_orders(const std::vector<PreparedUnit>& units,
                                               const Product& product, const MatrixFormats& formats,
                                               const std::vector<Element>& elements,
                                               const Deadline& deadline) {
  std::vector<VersionSpace> found;
  if (!formats.c.empty()) return found;
  for (const PreparedUnit& unit : units) {
    const Format& f32 = formats::f32;
    const bool is_plain = *unit.unit->formats.d == f32 && !unit.scales_result();
    if (!is_plain || result_formats(f32, formats).front() != &f32) continue;
    const ResultChoices choices{{&f32}, {}, false, Extent::usual};
    const Space space(unit, {}, product.a.columns, choices);
    std::vector<bool> alive(space.shapes().size(), false);
    for (std::size_t i = 0; i < alive.size(); ++i) alive[i] = is_ordered(space.shapes()[i]);
    std::vector<std::vector<Order>> left(alive.size());
    const UnitStep step(*unit.unit);
    ElementReader operands(space, product, nullptr);
    SegmentSums sums(step, space.grain());
    const std::size_t tried = std::min(elements.size(), kMostTried);
    for (std::size_t e = 0; e < tried; ++e) {
      if (std::find(alive.begin(), alive.end(), true) == alive.end()) break;
      const Space::Needs needs = space.needs(alive);
      sums.compute(operands(elements[e]), needs.last_end, false, deadline);
      const auto d = std::bit_cast<float>(
          static_cast<std::uint32_t>(pattern_at(product.d, elements[e].row, elements[e].column)));
      for (std::size_t i = 0; i < alive.size(); ++i) {
        if (!alive[i]) continue;
        const std::vector<float> parts = sums_of(sums, space.shapes()[i]);
        if (e == 0) {
          Order order(parts.size());
          std::iota(order.begin(), order.end(), 0);
          do {
            // The first two give the same sum in both orders.
            if (order[0] < order[1] && added(parts, order) == d) left[i].push_back(order);
          } while (std::next_permutation(order.begin(), order.end()));
        } else {
          std::erase_if(left[i], [&](const Order& order) { return added(parts, order) != d; });
        }
        alive[i] = !left[i].empty();
      }
    }
    for (std::size_t i = 0; i < alive.size(); ++i) {
      if (!alive[i]) continue;
      std::vector<Finish> finishes;
      for (const Order& order : left[i]) {
        finishes.push_back({.reduce = Reduce::atomic,
                            .order = number_of(order),
                            .joins = Joins::none,
                            .out = &f32});
      }
      const auto of_shape = std::make_shared<const Space>(space, space.shapes()[i], finishes);
      VersionSpace survivors{of_shape, {}, tried};
      for (std::size_t f = 0; f < finishes.size(); ++f) {
        // Atomic additions to +0 never result in -0.
        survivors.candidates.push_back({0, f, false, true});
      }
      found.push_back(std::move(survivors));
    }
  }
  return found;
}

}  // namespace mmaspec::explain
