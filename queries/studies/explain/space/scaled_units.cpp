#include "queries/studies/explain/space/scaled_units.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include "queries/compare/doubles.h"

namespace mmaspec::explain {
namespace {

std::uint32_t pattern_of_f32(float x) { return std::bit_cast<std::uint32_t>(x); }

/// The largest magnitudes of rows (for B: of columns); infinite if an element is, and NaNs are
/// ignored.
std::vector<float> largest_magnitudes(const PatternView& matrix, const Format& format,
                                      bool of_columns) {
  const Doubles value(format);
  std::vector<float> largest(of_columns ? matrix.columns : matrix.rows, 0.0F);
  for (std::size_t row = 0; row < matrix.rows; ++row) {
    for (std::size_t column = 0; column < matrix.columns; ++column) {
      float& x = largest[of_columns ? column : row];
      x = std::max(x, std::abs(static_cast<float>(value(pattern_at(matrix, row, column)))));
    }
  }
  return largest;
}

/// The factor that libraries compute from the largest magnitude, in f32; none if it cannot be used.
std::optional<OperandScale> scale_of(ScaleRecipe recipe, float magnitude, const Format& to) {
  const auto largest = static_cast<float>(Doubles(to)(to.largest_pattern()));
  OperandScale scale{largest / magnitude, 0};
  scale.inverse = 1 / scale.factor;
  if (recipe == ScaleRecipe::inverse) {
    scale.inverse = magnitude / largest;
    scale.factor = 1 / scale.inverse;
  }
  if (!std::isnormal(scale.factor) || !std::isnormal(scale.inverse)) return std::nullopt;
  if (recipe == ScaleRecipe::power) {
    scale.factor = std::ldexp(1.0F, std::ilogb(scale.factor));
    scale.inverse = 1 / scale.factor;
    if (!std::isnormal(scale.inverse)) return std::nullopt;
  }
  return scale;
}

std::vector<OperandScale> scales_of(ScaleRecipe recipe, const std::vector<float>& magnitudes,
                                    const Format& to) {
  std::vector<OperandScale> all;
  for (const float x : magnitudes) all.push_back(scale_of(recipe, x, to).value_or(OperandScale{}));
  return all;
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
    const std::vector<float> of_rows = largest_magnitudes(product.a, *from, false);
    const std::vector<float> of_columns = largest_magnitudes(product.b, *from, true);
    const float amax_a = *std::max_element(of_rows.begin(), of_rows.end());
    const float amax_b = *std::max_element(of_columns.begin(), of_columns.end());
    for (const PreparedUnit& plain : fitting_units(instructions, of_units, Extent::usual)) {
      const DotFormats& f = plain.unit->formats;
      if (!is_fp8(*f.a) || !is_fp8(*f.b) || !(*f.d == formats::f32)) continue;
      // Transformer Engine, recipe.cu, and torchao, float8_utils.py; vLLM, csrc/quantization/fp8.
      for (const ScaleRecipe recipe :
           {ScaleRecipe::quotient, ScaleRecipe::inverse, ScaleRecipe::power}) {
        PreparedUnit unit = plain;
        unit.a = unit.b = from;
        const auto of_a = scale_of(recipe, amax_a, *f.a);
        const auto of_b = scale_of(recipe, amax_b, *f.b);
        const PreparedUnit unscaled = unit;
        // Powers of two give the same results in each order.
        const bool orders = recipe != ScaleRecipe::power;
        if (of_a && of_b) {
          unit.scale_a = pattern_of_f32(of_a->factor);
          unit.scale_b = pattern_of_f32(of_b->factor);
          const std::uint32_t back_a = pattern_of_f32(of_a->inverse);
          const std::uint32_t back_b = pattern_of_f32(of_b->inverse);
          unit.factors = {pattern_of_f32(of_a->inverse * of_b->inverse)};
          all.push_back(unit);
          unit.factors = {back_a, back_b};
          if (orders) all.push_back(unit);
          unit.factors = {back_b, back_a};
          if (orders) all.push_back(unit);
        }
        if (product.c.data != nullptr) continue;
        for (const ScaleBack back : {ScaleBack::product, ScaleBack::a_first, ScaleBack::b_first}) {
          unit = unscaled;
          unit.rows = std::make_shared<const RowFactors>(RowFactors{
              recipe, back, scales_of(recipe, of_rows, *f.a), scales_of(recipe, of_columns, *f.b)});
          if (orders || back == ScaleBack::product) all.push_back(unit);
        }
      }
    }
  }
  return all;
}

}  // namespace mmaspec::explain
