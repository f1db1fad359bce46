#include "concrete/aligned/operands.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace mmaspec::aligned {

template <typename Value>
void Operands::scale(std::size_t count) {
  auto* values = reinterpret_cast<Value*>(values_.data());
  const auto* scales = reinterpret_cast<const Value*>(scale_values_.data());
  std::int16_t* exponents = exponents_.data();
  const std::int16_t* scale_exponents = scale_exponents_.data();
  for (std::size_t i = 0; i < count; ++i) {
    values[i] *= scales[i];
    exponents[i] = static_cast<std::int16_t>(exponents[i] + scale_exponents[i]);
  }
}

template <typename Value>
void Operands::mark_specials(std::size_t each) {
  const auto* values = reinterpret_cast<const Value*>(values_.data());
  for (std::uint8_t& special : specials_) {
    special = std::all_of(values, values + each, [](Value x) { return std::isfinite(x); }) ? 0 : 1;
    values += each;
  }
}

void Operands::decode(const Lowered& lowered, const Kernels& kernels, const Decoding& from,
                      std::span<const std::uint32_t> patterns,
                      std::span<const std::uint32_t> scales, std::size_t lanes) {
  const bool in_double = lowered.chain.in_double != 0;
  count_ = patterns.size();
  twice_.clear();
  values_.reserve(in_double ? count_ : (count_ + 1) / 2);
  exponents_.reserve(count_);
  bool special =
      kernels.decode(from, in_double, patterns.data(), count_, values_.data(), exponents_.data());
  if (!scales.empty()) {
    scale_values_.reserve(in_double ? count_ : (count_ + 1) / 2);
    scale_exponents_.reserve(count_);
    special |= kernels.decode(lowered.scale, in_double, scales.data(), count_, scale_values_.data(),
                              scale_exponents_.data());
    in_double ? scale<double>(count_) : scale<float>(count_);
  }
  const std::size_t each = lowered.step() * lanes;
  specials_.assign(count_ / each, 0);
  if (special) in_double ? mark_specials<double>(each) : mark_specials<float>(each);
}

const std::int32_t* Operands::exponents_twice() {
  if (twice_.size() != count_) {
    twice_.resize(count_);
    const std::int16_t* exponents = exponents_.data();
    for (std::size_t i = 0; i < count_; ++i) {
      const std::uint32_t half = static_cast<std::uint16_t>(exponents[i]);
      twice_[i] = static_cast<std::int32_t>(half << 16 | half);
    }
  }
  return twice_.data();
}

float number_of(const Format& format, std::uint64_t pattern) {
  const auto x = static_cast<std::uint32_t>(pattern);
  if (format == formats::f32) return std::bit_cast<float>(x);
  if (format == formats::bf16) return std::bit_cast<float>(x << 16);
  const std::uint32_t field = x >> 10 & 31;
  const std::uint32_t fraction = x & 1023;
  const std::uint32_t sign = x >> 15 << 31;
  std::uint32_t bits = (field + 112) << 23 | fraction << 13;
  if (field == 0) bits = std::bit_cast<std::uint32_t>(static_cast<float>(fraction) * 0x1p-24F);
  if (field == 31) bits = 255U << 23 | fraction << 13;
  return std::bit_cast<float>(bits | sign);
}

std::uint64_t pattern_of(const Format& format, float number, std::uint64_t nan) {
  const auto bits = std::bit_cast<std::uint32_t>(number);
  const std::uint32_t magnitude = bits & 0x7fffffff;
  if (magnitude > 255U << 23) return nan;
  if (format == formats::f32) return bits;
  if (format == formats::bf16) return bits >> 16;
  const std::uint32_t sign = bits >> 31 << 15;
  if (magnitude == 255U << 23) return sign | 31U << 10;
  const float size = std::bit_cast<float>(magnitude);
  if (size < 0x1p-14F) return sign | static_cast<std::uint32_t>(size * 0x1p24F);
  return sign | ((magnitude >> 13) - (112U << 10));
}

}  // namespace mmaspec::aligned
