#pragma once
/// Candidates for one step of a product: the instructions whose formats fit, each with the
/// conversions of operands that a kernel may do before.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "concrete/batch/block.h"
#include "concrete/dot/model.h"
#include "spec/catalog/instruction.h"
#include "spec/plans/operand_schemes.h"
#include "spec/plans/row_scales.h"

namespace mmaspec::explain {

/// The possible formats of the matrices: a file of 16-bit patterns may contain f16 or bf16.
struct MatrixFormats {
  std::vector<const Format*> a;
  std::vector<const Format*> b;
  std::vector<const Format*> c;  ///< empty without C
  std::vector<const Format*> d;
  /// Of the formats of d, those whose largest number D contains: results may have been saturated.
  std::vector<const Format*> saturated = {};
  std::vector<const Format*> scale = {};  ///< of the scale factors; empty without
};

/// Instructions that compute the same step for all inputs: they have the same design and formats.
struct Unit {
  /// Number of products of a step: the smallest K of `names`, which divides all others.
  int k;
  DotFormats formats;  ///< of one step
  Algorithm algorithm;
  /// The instructions with their K, the smallest K first.
  std::vector<std::pair<std::string, int>> names;
};

constexpr std::uint32_t kUnscaled = 0x3f800000;  // 1 as f32

/// D = alpha A B + beta C, f32 patterns.
struct Factors {
  std::uint32_t alpha = kUnscaled;
  std::uint32_t beta = kUnscaled;
};

/// A factor of operands, and its inverse.
struct OperandScale {
  float factor = 1;
  float inverse = 1;
};

/// The factors of each row of A and each column of B: see plan:scale-rows.
struct RowFactors {
  ScaleRecipe recipe;
  ScaleBack back;
  std::vector<OperandScale> rows;
  std::vector<OperandScale> columns;
};

/// A unit, with the treatment of the files' operands before it reads them and of the sum of all
/// products afterwards.
struct PreparedUnit {
  std::shared_ptr<const Unit> unit;
  const Format* a;  ///< formats of the files
  const Format* b;
  Rounding round = Rounding::nearest_even;  ///< used if these differ from the unit's formats
  /// Factors of the operands before conversion, f32 patterns; results beyond the largest number
  /// become the largest number. See plan:convert.
  std::uint32_t scale_a = kUnscaled;
  std::uint32_t scale_b = kUnscaled;
  /// Factors of the sum in f32, applied in sequence; f32 patterns, none of them one.
  std::vector<std::uint32_t> factors = {};
  std::uint32_t beta = kUnscaled;  ///< the factor of C
  /// Used instead of scale_a, scale_b and factors if each row has its own factor.
  std::shared_ptr<const RowFactors> rows = {};

  bool converts() const { return !(*a == *unit->formats.a) || !(*b == *unit->formats.b); }
  bool scales_operands() const {
    return scale_a != kUnscaled || scale_b != kUnscaled || rows != nullptr;
  }
  /// Whether the sum or C is multiplied.
  bool scales_result() const { return !factors.empty() || beta != kUnscaled || rows != nullptr; }
};

/// The extent of the search.
enum class Extent {
  /// K in ascending order, or distributed among several accumulations whose sums are added (sliced
  /// K), and parts with the lengths that kernels use.
  usual,
  /// Also other orders of K, two or three parts of any lengths, and conversions of f32 to f16 and
  /// of FP8 to bf16.
  all,
};

/// The units among `instructions` whose operands the matrices contain, or to which kernels convert
/// them, and whose results are D's format or are rounded to it. Instructions with scale factors, or
/// whose formats of c and d differ, are left out; with factors, also those whose sums are not f32.
std::vector<PreparedUnit> fitting_units(const std::vector<Instruction>& instructions,
                                        const MatrixFormats& formats, Extent extent,
                                        const Factors& factors = {});

/// The instructions that users name: those of an architecture or a product, with the fused
/// multiply-adds of vector units, which are the same for all vendors; an instruction, a design or a
/// plan. Without names: the whole catalogue. Throws std::invalid_argument for an unknown name.
std::vector<Instruction> named_instructions(const std::vector<std::string>& names);

/// The possible formats of D for sums of format `sums`: that format, or those that an epilogue
/// rounds f32 sums to.
std::vector<const Format*> result_formats(const Format& sums, const MatrixFormats& formats);

}  // namespace mmaspec::explain
