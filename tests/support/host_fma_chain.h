#pragma once
/// Chains of fused multiply-adds in the host's arithmetic, as AMD's emulator rocjitsu computes
/// CDNA4's and CDNA5's: std::fma in the order of k; with scale factors, a chain from +0 for each
/// block, which is scaled and added.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "concrete/dot/runner.h"
#include "spec/catalog/instruction.h"
#include "tests/support/host_formats.h"

namespace mmaspec {

/// To nearest even, in units of 2^-24 or of the significand's last bit.
inline std::uint64_t f16_pattern(float x) {
  const std::uint64_t sign = std::signbit(x) ? 0x8000 : 0;
  const double size = std::abs(static_cast<double>(x));
  if (size >= 65520) return sign | 0x7c00;
  if (size < std::ldexp(1.0, -14)) {
    return sign | static_cast<std::uint64_t>(std::nearbyint(std::ldexp(size, 24)));
  }
  const int exponent = std::ilogb(size);
  const double significand = std::nearbyint(std::ldexp(size, 10 - exponent));
  // A carry goes to the next exponent.
  return sign + static_cast<std::uint64_t>(significand) +
         (static_cast<std::uint64_t>(exponent + 14) << 10);
}

/// `scaled(sum, sa, sb)`: a block's sum with its scale factors.
template <typename Float, typename Scaled>
Float host_chain(const DotFormats& f, const std::vector<double>& a, const std::vector<double>& b,
                 Float c, const std::vector<int>& sa, const std::vector<int>& sb,
                 const Scaled& scaled) {
  Float d = c;
  if (f.scale == nullptr) {
    for (std::size_t k = 0; k < a.size(); ++k) {
      d = std::fma(static_cast<Float>(a[k]), static_cast<Float>(b[k]), d);
    }
    return d;
  }
  const auto block = static_cast<std::size_t>(f.scale_block);
  for (std::size_t i = 0; i < sa.size(); ++i) {
    Float sum = 0;
    for (std::size_t k = block * i; k < block * (i + 1); ++k) {
      sum = std::fma(static_cast<Float>(a[k]), static_cast<Float>(b[k]), sum);
    }
    d += scaled(sum, sa[i], sb[i]);
  }
  return d;
}

/// Compares an instruction that is a chain of FMAs in f32 or f64 with the host's, on drawn rows. A
/// 16-bit result is that of f32, rounded to f16 or cut to bf16.
template <typename Scaled>
void compare_with_host_chain(const Instruction& i, int rows, const Scaled& scaled) {
  SCOPED_TRACE(i.name());
  const DotFormats& f = i.formats;
  DotRunner runner(i.algorithm, f);
  Draw draw(static_cast<unsigned>(f.k));
  const Layout& la = layout_of(*f.a);
  const Layout& lb = layout_of(*f.b);
  const Layout& lc = layout_of(*f.c);
  const Layout& ld = layout_of(*f.d);
  for (int row = 0; row < rows; ++row) {
    DotValues values;
    std::vector<double> a;
    std::vector<double> b;
    std::vector<int> sa;
    std::vector<int> sb;
    const int kind = row % 3;
    for (int k = 0; k < f.k; ++k) {
      const std::uint64_t x = draw.pattern(la, kind);
      const std::uint64_t y = draw.pattern(lb, kind == 2 ? 1 : kind);
      values.a.emplace_back(x);
      values.b.emplace_back(y);
      a.push_back(value_of(la, x));
      b.push_back(value_of(lb, y));
    }
    for (int n = 0; n < f.scales(); ++n) {
      // Also opposite ones, whose first product overflows or becomes subnormal.
      sa.push_back(row % 6 == 5 ? (row % 12 == 5 ? 1 + n : 250 + n % 4) : draw.scale(kind));
      sb.push_back(row % 6 == 5 ? 254 - sa.back() : draw.scale(kind));
      values.scale_a.emplace_back(sa.back());
      values.scale_b.emplace_back(sb.back());
    }
    const std::uint64_t c = draw.pattern(lc, kind);
    values.c = c;
    const auto d = runner.run(values).convert_to<std::uint64_t>();
    if (ld.bits == 64) {
      const double expected = host_chain(f, a, b, std::bit_cast<double>(c), sa, sb, scaled);
      if (std::isnan(expected) && std::isnan(std::bit_cast<double>(d))) continue;
      ASSERT_EQ(d, std::bit_cast<std::uint64_t>(expected)) << "row " << row;
      continue;
    }
    const float expected = host_chain(f, a, b, static_cast<float>(value_of(lc, c)), sa, sb, scaled);
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(value_of(ld, d))) << "row " << row;
      continue;
    }
    const auto bits = std::bit_cast<std::uint32_t>(expected);
    ASSERT_EQ(d, ld.name == "f32"    ? bits
                 : ld.name == "bf16" ? bits >> 16
                                     : f16_pattern(expected))
        << "row " << row;
  }
}

}  // namespace mmaspec
