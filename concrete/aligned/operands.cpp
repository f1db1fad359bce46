#include "concrete/aligned/operands.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace mmaspec::aligned {

template <typename Value>
void Operands::mark_specials(std::size_t each) {
  const auto* values = reinterpret_cast<const Value*>(values_.data());
  for (std::uint8_t& special : specials_) {
    special = std::all_of(values, values + each, [](Value x) { return std::isfinite(x); }) ? 0 : 1;
    values += each;
  }
}

void Operands::decode(const Lowered& lowered, const Chain& chain, const Kernels& kernels,
                      const Decoding& from, const FoundRows& found, std::size_t lanes) {
  decode(chain.in_double != 0, kernels, from, found.pattern_rows(), lowered.scale,
         found.scale_rows(), lowered.step() * lanes);
}

void Operands::decode_scales(const Lowered& lowered, const Kernels& kernels, const FoundRows& found,
                             std::size_t lanes) {
  decode(true, kernels, lowered.scale, found.pattern_rows(), lowered.scale, found.scale_rows(),
         lowered.chain.sums * lanes);
}

void Operands::decode(bool in_double, const Kernels& kernels, const Decoding& from,
                      const Rows& patterns, const Decoding& from_scale, const Rows& scales,
                      std::size_t each) {
  count_ = patterns.count * patterns.length;
  twice_.clear();
  values_.reserve(in_double ? count_ : (count_ + 1) / 2);
  exponents_.reserve(count_);
  bool special = kernels.decode(from, in_double, patterns, values_.data(), exponents_.data());
  if (scales.count > 0) {
    scale_values_.reserve(in_double ? count_ : (count_ + 1) / 2);
    scale_exponents_.reserve(count_);
    special |= kernels.decode(from_scale, in_double, scales, scale_values_.data(),
                              scale_exponents_.data());
    kernels.multiply(in_double, values_.data(), exponents_.data(), scale_values_.data(),
                     scale_exponents_.data(), count_);
  }
  specials_.assign(count_ / each, 0);
  if (special) in_double ? mark_specials<double>(each) : mark_specials<float>(each);
}

void Operands::add_specials(const Operands& others) {
  for (std::size_t i = 0; i < specials_.size(); ++i) specials_[i] |= others.specials_[i];
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

namespace {

float number_of_f16(std::uint32_t x) {
  const std::uint32_t field = x >> 10 & 31;
  const std::uint32_t fraction = x & 1023;
  const std::uint32_t sign = x >> 15 << 31;
  // Avoids subnormal floats, which the caller's floating-point mode might flush.
  const auto tiny =
      std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<int>(fraction)) * 0x1p-24F);
  const std::uint32_t normal = (field + (field == 31 ? 224 : 112)) << 23 | fraction << 13;
  return std::bit_cast<float>((field == 0 ? tiny : normal) | sign);
}

std::uint32_t pattern_of_f16(std::uint32_t bits) {
  const std::uint32_t magnitude = bits & 0x7fffffff;
  const std::uint32_t sign = bits >> 31 << 15;
  const bool tiny = magnitude < 113U << 23;
  const float small = tiny ? std::bit_cast<float>(magnitude) * 0x1p24F : 0;
  const std::uint32_t field = std::min(magnitude >> 23, 143U) - 112;  // at most that of infinity
  const std::uint32_t normal = field << 10 | (magnitude >> 13 & 1023);
  return (tiny ? static_cast<std::uint32_t>(static_cast<int>(small)) : normal) | sign;
}

}  // namespace

template <typename Word>
void to_numbers(const Format& format, const Word* patterns, std::size_t count, float* numbers) {
  const auto each = [&](const auto& number) {
    for (std::size_t i = 0; i < count; ++i)
      numbers[i] = number(static_cast<std::uint32_t>(patterns[i]));
  };
  if (format == formats::f32) {
    each([](std::uint32_t x) { return std::bit_cast<float>(x); });
  } else if (format == formats::bf16) {
    each([](std::uint32_t x) { return std::bit_cast<float>(x << 16); });
  } else {
    each(number_of_f16);
  }
}

template <typename Word>
void to_patterns(const Format& format, const float* numbers, std::size_t count, std::uint64_t nan,
                 Word* patterns) {
  const auto each = [&](const auto& pattern) {
    for (std::size_t i = 0; i < count; ++i) {
      const auto bits = std::bit_cast<std::uint32_t>(numbers[i]);
      const bool is_nan = (bits & 0x7fffffff) > 255U << 23;
      patterns[i] = static_cast<Word>(is_nan ? static_cast<std::uint32_t>(nan) : pattern(bits));
    }
  };
  if (format == formats::f32) {
    each([](std::uint32_t x) { return x; });
  } else if (format == formats::bf16) {
    each([](std::uint32_t x) { return x >> 16; });
  } else {
    each(pattern_of_f16);
  }
}

template void to_numbers(const Format&, const std::uint8_t*, std::size_t, float*);
template void to_numbers(const Format&, const std::uint16_t*, std::size_t, float*);
template void to_numbers(const Format&, const std::uint32_t*, std::size_t, float*);
template void to_numbers(const Format&, const std::uint64_t*, std::size_t, float*);
template void to_patterns(const Format&, const float*, std::size_t, std::uint64_t, std::uint8_t*);
template void to_patterns(const Format&, const float*, std::size_t, std::uint64_t, std::uint16_t*);
template void to_patterns(const Format&, const float*, std::size_t, std::uint64_t, std::uint32_t*);
template void to_patterns(const Format&, const float*, std::size_t, std::uint64_t, std::uint64_t*);

}  // namespace mmaspec::aligned
