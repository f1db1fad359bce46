#include "queries/draw/common_inputs.h"

#include <cmath>

namespace mmaspec {

bool have_equal_operands(const DotFormats& x, const DotFormats& y) {
  const bool same_scale =
      x.scale == nullptr || y.scale == nullptr ? x.scale == y.scale : *x.scale == *y.scale;
  return same_scale && x.scale_block == y.scale_block && *x.a == *y.a && *x.b == *y.b &&
         *x.c == *y.c;
}

CommonInputs::CommonInputs(const DotFormats& formats, const DotFormats& others, unsigned seed)
    : formats_(formats), random_(seed), in_first_(formats, InputClass::finite, seed) {
  const auto add = [&](const Format& first, const Format& second, bool is_scale, bool is_c) {
    operands_.push_back(
        {PatternValues(first), PatternValues(second), first == second, is_scale, is_c});
  };
  add(*formats.a, *others.a, false, false);
  add(*formats.b, *others.b, false, false);
  add(*formats.c, *others.c, false, true);
  if (formats.scale != nullptr) add(*formats.scale, *others.scale, true, false);
  const auto k = static_cast<std::size_t>(formats.k);
  kind_of_row_.assign(k, 0);
  kind_of_row_.resize(2 * k, 1);
  kind_of_row_.push_back(2);
  kind_of_row_.resize(2 * k + 1 + 2 * static_cast<std::size_t>(formats.scales()), 3);
  if (!have_equal_operands(formats, others))
    in_second_.emplace(others, InputClass::finite, seed + 1);
}

void CommonInputs::fill(Kind kind, Lanes& lanes) {
  if (kind == Kind::corners) {
    corners(lanes);
  } else if (kind == Kind::powers) {
    powers(lanes);
  } else {
    ordinary(kind == Kind::both_signs, lanes);
  }
}

double CommonInputs::number(bool both_signs) {
  if (!both_signs) return random_.fraction();
  // Drawn from the triangular distribution on (-2, 2): no corner cases, and fast.
  return 2 * (random_.fraction() - random_.fraction());
}

std::uint64_t CommonInputs::common(const Operand& operand, double x) const {
  const std::uint64_t pattern = operand.first.near(x);
  if (operand.same) return pattern;
  const double held = operand.second(operand.second.near(operand.first(pattern)));
  return operand.first.near(held);
}

void CommonInputs::ordinary(bool both_signs, Lanes& lanes) {
  for (std::size_t row = 0; row < lanes.rows(); ++row) {
    const Operand& o = operand(row);
    for (std::size_t lane = 0; lane < lanes.lanes(); ++lane) {
      // Half of the sums start with c = 0, as in a GEMM.
      const bool zero = o.is_c && lane % 2 == 0;
      lanes[row][lane] = common(o, o.is_scale ? 1 : zero ? 0 : number(both_signs));
    }
  }
}

void CommonInputs::corners(Lanes& lanes) {
  const bool second = in_second_ && second_next_;
  second_next_ = !second_next_;
  (second ? *in_second_ : in_first_).fill(lanes);
  if (!in_second_) return;
  for (std::size_t row = 0; row < lanes.rows(); ++row) {
    const Operand& o = operand(row);
    if (o.same) continue;
    for (std::size_t lane = 0; lane < lanes.lanes(); ++lane) {
      const std::uint64_t pattern = lanes[row][lane];
      lanes[row][lane] = common(o, second ? o.second(pattern) : o.first(pattern));
    }
  }
}

std::pair<int, int> CommonInputs::powers_of(const Operand& operand) const {
  return {std::max(operand.first.least_power(), operand.second.least_power()),
          std::min(operand.first.largest_power(), operand.second.largest_power())};
}

double CommonInputs::power(const Operand& operand) {
  const auto [least, most] = powers_of(operand);
  if (least > most) return 1;
  // Half of them are near the low end, where there are subnormals and cuts by a floor.
  const int high = random_.one_in(2) ? most : least + (most - least) / 3;
  const double x = std::ldexp(1.0, random_.between(least, high));
  return random_.one_in(2) ? -x : x;
}

void CommonInputs::set_product(Lanes& lanes, std::size_t lane, std::size_t at, int exponent) {
  const auto k = static_cast<std::size_t>(formats_.k);
  const auto [least_a, most_a] = powers_of(operands_[0]);
  const auto [least_b, most_b] = powers_of(operands_[1]);
  const int low = std::max(least_a, exponent - most_b);
  const int high = std::min(most_a, exponent - least_b);
  if (low > high) return;
  // Often a factor is among the smallest numbers, which may be subnormal in one of the two formats.
  const int near = random_.one_in(2) ? 0 : std::min(random_.below(4), high - low);
  const int side = random_.below(3);
  const int i = side == 0 ? low + near : side == 1 ? high - near : random_.between(low, high);
  const double a = std::ldexp(random_.one_in(2) ? -1.0 : 1.0, i);
  lanes[at][lane] = common(operands_[0], a);
  lanes[k + at][lane] = common(operands_[1], std::ldexp(1.0, exponent - i));
}

void CommonInputs::hide(Lanes& lanes, std::size_t lane) {
  const auto k = static_cast<std::size_t>(formats_.k);
  const auto near_end = [&](const Operand& operand, bool low) {
    const auto [least, most] = powers_of(operand);
    const int near = random_.one_in(2) ? 0 : random_.below(4);
    return std::ldexp(1.0, low ? least + near : most - near);
  };
  const bool a_is_low = random_.one_in(2);
  const double a = near_end(operands_[0], a_is_low);
  const double b = near_end(operands_[1], !a_is_low);
  const std::size_t first = random_.index(k);
  const std::size_t second = (first + 1 + random_.index(std::max<std::size_t>(k - 1, 1))) % k;
  lanes[first][lane] = common(operands_[0], a);
  lanes[k + first][lane] = common(operands_[1], b);
  lanes[second][lane] = common(operands_[0], -a);
  lanes[k + second][lane] = common(operands_[1], b);
  const bool by_c = random_.one_in(2);
  const int least = powers_of(operands_[2]).first;
  lanes[2 * k][lane] = common(operands_[2], by_c ? std::ldexp(1.0, least + random_.below(8)) : 0.0);
  if (by_c || k < 3) return;
  const std::size_t third = (std::max(first, second) + 1) % k;
  if (third == first || third == second) return;
  lanes[third][lane] = common(operands_[0], near_end(operands_[0], true));
  lanes[k + third][lane] = common(operands_[1], near_end(operands_[1], true));
}

void CommonInputs::tie(Lanes& lanes, std::size_t lane) {
  const Format& d = *formats_.d;
  const auto k = static_cast<std::size_t>(formats_.k);
  const int least = powers_of(operands_[0]).first + powers_of(operands_[1]).first;
  const int most = powers_of(operands_[0]).second + powers_of(operands_[1]).second;
  // The number of d next to the tie; none for a tie of the least subnormal numbers.
  const int lowest = std::max(d.least_exponent(), least);
  const bool beside = !random_.one_in(3) && lowest < most;
  const int large = beside ? random_.between(lowest, most) : d.least_exponent();
  const int half = large - d.fraction_bits - 1;
  if (beside) {
    if (random_.one_in(2)) {
      lanes[2 * k][lane] = common(operands_[2], std::ldexp(1.0, large));
    } else {
      set_product(lanes, lane, random_.index(k), large);
    }
  }
  set_product(lanes, lane, random_.index(k), half);
  if (random_.one_in(2)) {  // a small difference from the tie, by a product or by c
    const int hair = random_.one_in(2) ? least + random_.below(4)
                                       : half - 1 - random_.below(2 * d.fraction_bits + 8);
    set_product(lanes, lane, random_.index(k), std::max(hair, least));
  } else if (operands_[2].first(lanes[2 * k][lane]) == 0) {
    const int hair = powers_of(operands_[2]).first + random_.below(4);
    const double sign = random_.one_in(2) ? -1 : 1;
    lanes[2 * k][lane] = common(operands_[2], std::ldexp(sign, hair));
  }
}

void CommonInputs::powers(Lanes& lanes) {
  constexpr int kMostTerms = 4;
  const auto k = static_cast<std::size_t>(formats_.k);
  for (std::size_t lane = 0; lane < lanes.lanes(); ++lane) {
    for (std::size_t row = 0; row < lanes.rows(); ++row) {
      const Operand& o = operand(row);
      double x = 0;
      if (o.is_scale) x = random_.one_in(2) ? 1 : std::abs(power(o));
      // c: zero, a power, or any number.
      if (o.is_c && !random_.one_in(3)) {
        x = power(o) * (random_.one_in(2) ? 1 : 1 + random_.fraction());
      }
      lanes[row][lane] = common(o, x);
    }
    if (k == 0) continue;  // a conversion
    if (formats_.scale == nullptr && random_.one_in(2)) {
      if (random_.one_in(4)) {
        hide(lanes, lane);
        continue;
      }
      if (random_.one_in(2)) lanes[2 * k][lane] = common(operands_[2], 0);
      tie(lanes, lane);
      continue;
    }
    for (int terms = random_.between(1, kMostTerms); terms > 0; --terms) {
      const std::size_t i = random_.index(k);
      lanes[i][lane] = common(operand(i), power(operand(i)));
      lanes[k + i][lane] = common(operand(k + i), power(operand(k + i)));
    }
  }
}

double CommonInputs::size(const Lanes& lanes, std::size_t lane) const {
  const auto k = static_cast<std::size_t>(formats_.k);
  const auto value = [&](std::size_t row) { return operand(row).first(lanes[row][lane]); };
  double sum = std::abs(value(2 * k));
  for (std::size_t i = 0; i < k; ++i) {
    double product = std::abs(value(i) * value(k + i));
    if (formats_.scale != nullptr) {
      const std::size_t block = i / static_cast<std::size_t>(formats_.scale_block);
      const auto blocks = static_cast<std::size_t>(formats_.scales());
      product *= value(2 * k + 1 + block) * value(2 * k + 1 + blocks + block);
    }
    sum += product;
  }
  return sum;
}

bool CommonInputs::has_subnormal(const Lanes& lanes, std::size_t lane) const {
  for (std::size_t row = 0; row < lanes.rows(); ++row) {
    const Operand& o = operand(row);
    const double x = o.first(lanes[row][lane]);
    if (o.first.is_subnormal(lanes[row][lane])) return true;
    if (!o.same && o.second.is_subnormal(o.second.near(x))) return true;
  }
  return false;
}

}  // namespace mmaspec
