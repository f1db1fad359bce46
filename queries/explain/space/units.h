#pragma once
/// What could have computed one step of a product: the instructions whose formats fit, each with
/// what a kernel may do to the operands before.

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

/// The formats that the matrices may be of: a file of 16-bit patterns may hold f16 or bf16.
struct MatrixFormats {
  std::vector<const Format*> a;
  std::vector<const Format*> b;
  std::vector<const Format*> c;  ///< empty without C
  std::vector<const Format*> d;
  /// Of those of d, formats whose largest number D holds: results may have been saturated.
  std::vector<const Format*> saturated = {};
  std::vector<const Format*> scale = {};  ///< of the scale factors; empty without
};

/// Instructions that compute the same step for all inputs: of one design and one set of formats.
struct Unit {
  /// Products of a step: the least K of `names`, of which all others are multiples.
  int k;
  DotFormats formats;  ///< of a step
  Algorithm algorithm;
  /// The instructions, that of the least K first, each with its K.
  std::vector<std::pair<std::string, int>> names;
};

constexpr std::uint32_t kUnscaled = 0x3f800000;  // 1 as f32

/// D = alpha A B + beta C, f32 patterns.
struct Factors {
  std::uint32_t alpha = kUnscaled;
  std::uint32_t beta = kUnscaled;
};

/// A factor of operands, and what takes it back.
struct OperandScale {
  float factor = 1;
  float inverse = 1;
};

/// Those of each row of A and each column of B: see plan:scale-rows.
struct RowFactors {
  ScaleRecipe recipe;
  ScaleBack back;
  std::vector<OperandScale> rows;
  std::vector<OperandScale> columns;
};

/// A unit, what becomes of the files' operands before it reads them, and of the sum of all products
/// afterwards.
struct PreparedUnit {
  std::shared_ptr<const Unit> unit;
  const Format* a;  ///< of the files
  const Format* b;
  Rounding round = Rounding::nearest_even;  ///< where these are not the unit's formats
  /// Factors of the operands before they are converted, f32 patterns; beyond the largest number
  /// they become that. See plan:convert.
  std::uint32_t scale_a = kUnscaled;
  std::uint32_t scale_b = kUnscaled;
  /// By which the sum is multiplied, one after the other, in f32; f32 patterns, none of them one.
  std::vector<std::uint32_t> factors = {};
  std::uint32_t beta = kUnscaled;  ///< the factor of C
  /// Instead of scale_a, scale_b and factors, where each row has a factor of its own.
  std::shared_ptr<const RowFactors> rows = {};

  bool converts() const { return !(*a == *unit->formats.a) || !(*b == *unit->formats.b); }
  bool scales_operands() const {
    return scale_a != kUnscaled || scale_b != kUnscaled || rows != nullptr;
  }
  /// The sum or C is multiplied.
  bool scales_result() const { return !factors.empty() || beta != kUnscaled || rows != nullptr; }
};

/// How much is searched.
enum class Extent {
  /// K in ascending order, or dealt to ways whose sums are added (sliced K); parts that are as long
  /// as kernels make them.
  usual,
  /// Other orders of K, two or three parts of any lengths, f32 converted to f16, and FP8 to bf16,
  /// too.
  all,
};

/// The units among `instructions` whose operands the matrices hold, or that kernels convert them
/// to, and whose results D is of, or is rounded from. Instructions with scale factors, or whose c
/// is of another format than d, are left out; with factors, those whose sums are not of f32, too.
std::vector<PreparedUnit> fitting_units(const std::vector<Instruction>& instructions,
                                        const MatrixFormats& formats, Extent extent,
                                        const Factors& factors = {});

/// What users name: the instructions of an architecture or a product, with the fused multiply-adds
/// of vector units, which all vendors compute alike; an instruction, a design or a plan. Without
/// names: the whole catalogue. Throws std::invalid_argument for an unknown name.
std::vector<Instruction> named_instructions(const std::vector<std::string>& names);

/// The formats that D may be of where the unit's sums are of `sums`: that format, or what an
/// epilogue makes of f32 sums.
std::vector<const Format*> result_formats(const Format& sums, const MatrixFormats& formats);

}  // namespace mmaspec::explain
