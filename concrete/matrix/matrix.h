#pragma once
/// Whole matrices, D = C + A * B. Each element is a dot product of one design; the batch evaluator
/// computes many elements at once.

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "concrete/aligned/isa.h"
#include "concrete/batch/block.h"
#include "concrete/dot/model.h"
#include "concrete/matrix/view.h"

namespace mmaspec {

/// The operands of one product, as patterns of the formats.
struct MatrixOperands {
  PatternView a;  ///< M x K
  PatternView b;  ///< K x N
  PatternView c;  ///< M x N
  /// M x scales and scales x N: one factor for each block of products. Without data if there are no
  /// scale factors.
  PatternView scale_a;
  PatternView scale_b;
};

/// One product, and the memory for its result, M x N.
struct MatrixTask {
  MatrixOperands operands;
  PatternSpan d;
};

/// The operands of one element.
DotValues dot_values_at(const MatrixOperands& operands, std::size_t row, std::size_t column,
                        const DotFormats& formats);

/// Throws std::invalid_argument with a one-line message unless the shapes of the task's matrices
/// match and their K is at most formats.k (any K if `any_k`).
void require_shapes(const MatrixTask& task, const DotFormats& formats, bool any_k);

/// Number of products of one program: a multiple of chain_step(), or all. The program is executed
/// repeatedly to cover formats.k, each result being the next c.
int part_for_matrices(const Algorithm& algorithm, const DotFormats& formats);

class AlignedTiles;

/// A design prepared for matrices. Immutable: many threads may share one object.
class MatrixRunner {
 public:
  /// `formats.k` is the K of the matrices; a K longer than the instruction's is a chain. Designs
  /// that the floating-point kernels of `isa` can compute (concrete/aligned/lower.h) use them, all
  /// others are programs of the batch evaluator. Throws what building the design throws.
  MatrixRunner(const Algorithm& algorithm, const DotFormats& formats,
               aligned::Isa isa = aligned::Isa::fastest);
  ~MatrixRunner();
  MatrixRunner(const MatrixRunner&) = delete;
  MatrixRunner& operator=(const MatrixRunner&) = delete;

  const DotFormats& formats() const { return formats_; }

  /// Computes all tasks with `threads` threads (0: one for each core). Their K may be less than
  /// formats().k: missing products are +0 * +0, and missing scale factors are 1. Throws
  /// std::invalid_argument if shapes do not match, and OutOfTime if work is stopped.
  void run(const std::vector<MatrixTask>& tasks, int threads) const;

 private:
  struct Part {
    Part(const Algorithm& algorithm, const DotFormats& formats);

    DotModel model;
    BlockEvaluator evaluator;
  };
  struct Tile;
  class Worker;

  DotFormats formats_;
  std::unique_ptr<const AlignedTiles> aligned_;  ///< set if the kernels compute it
  int part_k_;
  std::uint64_t one_ = 0;      ///< the pattern of scale factor 1
  std::optional<Part> first_;  ///< set otherwise
  std::optional<Part> next_;   ///< set if c's format differs from d's
};

}  // namespace mmaspec
