#pragma once
/// What could have computed one step of a product: the instructions whose formats fit, each with
/// what a kernel may do to the operands before.

#include <memory>
#include <string>
#include <vector>

#include "concrete/batch/block.h"
#include "concrete/dot/model.h"
#include "spec/catalog/instruction.h"
#include "spec/plans/operand_schemes.h"

namespace mmaspec::explain {

/// The formats that the matrices may be of: a file of 16-bit patterns may hold f16 or bf16.
struct MatrixFormats {
  std::vector<const Format*> a;
  std::vector<const Format*> b;
  std::vector<const Format*> c;  ///< empty without C
  std::vector<const Format*> d;
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

/// A unit, and what becomes of the files' operands before it reads them.
struct PreparedUnit {
  std::shared_ptr<const Unit> unit;
  const Format* a;  ///< of the files
  const Format* b;
  Rounding round = Rounding::nearest_even;  ///< where these are not the unit's formats

  bool converts() const { return !(*a == *unit->formats.a) || !(*b == *unit->formats.b); }
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
/// is of another format than d, are left out.
std::vector<PreparedUnit> fitting_units(const std::vector<Instruction>& instructions,
                                        const MatrixFormats& formats, Extent extent);

/// What users name: the instructions of an architecture or a product, with the fused multiply-adds
/// of vector units, which all vendors compute alike; an instruction, a design or a plan. Without
/// names: the whole catalogue. Throws std::invalid_argument for an unknown name.
std::vector<Instruction> named_instructions(const std::vector<std::string>& names);

/// The formats that D may be of where the unit's sums are of `sums`: that format, or what an
/// epilogue makes of f32 sums.
std::vector<const Format*> result_formats(const Format& sums, const MatrixFormats& formats);

}  // namespace mmaspec::explain
