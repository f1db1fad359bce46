#include "queries/explain/space/scaled_units.h"

#include <bit>
#include <cmath>

#include "queries/compare/doubles.h"

namespace mmaspec::explain {
namespace {

std::uint32_t pattern_of_f32(float x) { return std::bit_cast<std::uint32_t>(x); }

float largest_magnitude(const PatternView& matrix, const Format& format) {
  const Doubles value(format);
  double largest = 0;
  for (std::size_t row = 0; row < matrix.rows; ++row) {
    for (std::size_t column = 0; column < matrix.columns; ++column) {
      largest = std::max(largest, std::abs(value(pattern_at(matrix, row, column))));
    }
  }
  return static_cast<float>(largest);
}

/// A factor of an operand, and what takes it back.
struct Scale {
  float factor;
  float inverse;
};

/// How libraries make them of the largest magnitude, in f32.
std::vector<Scale> scales_of(float magnitude, const Format& to) {
  const auto largest = static_cast<float>(Doubles(to)(to.largest_pattern()));
  const float factor = largest / magnitude;
  const float inverse = magnitude / largest;
  if (!std::isnormal(factor) || !std::isnormal(inverse)) return {};
  const float power = std::ldexp(1.0F, std::ilogb(factor));
  return {
      {factor, 1 / factor},    // Transformer Engine, recipe.cu; torchao, float8_utils.py
      {1 / inverse, inverse},  // vLLM, csrc/quantization/fp8
      {power, 1 / power},      // the power of two below
  };
}

bool is_fp8(const Format& f) { return f == formats::e4m3 || f == formats::e5m2; }

}  // namespace

std::vector<PreparedUnit> scaled_units(const std::vector<Instruction>& instructions,
                                       const Product& product, const MatrixFormats& formats) {
  std::vector<PreparedUnit> all;
  if (product.factors.alpha != kUnscaled || product.factors.beta != kUnscaled) return all;
  for (const Format* from : {&formats::f32, &formats::bf16, &formats::f16}) {
    const auto is_from = [from](const Format* f) { return *f == *from; };
    if (std::none_of(formats.a.begin(), formats.a.end(), is_from) ||
        std::none_of(formats.b.begin(), formats.b.end(), is_from)) {
      continue;
    }
    MatrixFormats of_units = formats;
    of_units.a = of_units.b = {&formats::e4m3, &formats::e5m2};
    const float amax_a = largest_magnitude(product.a, *from);
    const float amax_b = largest_magnitude(product.b, *from);
    for (const PreparedUnit& plain : fitting_units(instructions, of_units, Extent::usual)) {
      const DotFormats& f = plain.unit->formats;
      if (!is_fp8(*f.a) || !is_fp8(*f.b) || !(*f.d == formats::f32)) continue;
      const std::vector<Scale> of_a = scales_of(amax_a, *f.a);
      const std::vector<Scale> of_b = scales_of(amax_b, *f.b);
      for (std::size_t i = 0; i < std::min(of_a.size(), of_b.size()); ++i) {
        PreparedUnit unit = plain;
        unit.a = unit.b = from;
        unit.scale_a = pattern_of_f32(of_a[i].factor);
        unit.scale_b = pattern_of_f32(of_b[i].factor);
        const std::uint32_t back_a = pattern_of_f32(of_a[i].inverse);
        const std::uint32_t back_b = pattern_of_f32(of_b[i].inverse);
        unit.factors = {pattern_of_f32(of_a[i].inverse * of_b[i].inverse)};
        all.push_back(unit);
        unit.factors = {back_a, back_b};
        all.push_back(unit);
        unit.factors = {back_b, back_a};
        all.push_back(unit);
      }
    }
  }
  return all;
}

}  // namespace mmaspec::explain
