#pragma once
/// Whole matrices, D = C + A * B, each element a dot product of one design: a design is run on as
/// many elements at once as the batch evaluator takes.

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "concrete/aligned/isa.h"
#include "concrete/batch/block.h"
#include "concrete/dot/model.h"
#include "concrete/matrix/view.h"

namespace mmaspec {

/// Operands of one product, patterns of the formats.
struct MatrixOperands {
  PatternView a;  ///< M x K
  PatternView b;  ///< K x N
  PatternView c;  ///< M x N
  /// M x scales and scales x N: a factor a block of products; without data where the formats have
  /// no scale factors.
  PatternView scale_a;
  PatternView scale_b;
};

/// One product, and where its result goes: M x N.
struct MatrixTask {
  MatrixOperands operands;
  PatternSpan d;
};

/// The operands of one element.
DotValues dot_values_at(const MatrixOperands& operands, std::size_t row, std::size_t column,
                        const DotFormats& formats);

/// Throws std::invalid_argument with one line unless the task's matrices fit each other, and K of
/// the matrices is at most formats.k or `any_k` is true.
void require_shapes(const MatrixTask& task, const DotFormats& formats, bool any_k);

/// Products of one program, which runs as often as formats.k has so many, its result the next one's
/// c: a multiple of chain_step(), or all.
int part_for_matrices(const Algorithm& algorithm, const DotFormats& formats);

class AlignedTiles;

/// A design ready to run on matrices. Immutable once made: one object serves many threads.
class MatrixRunner {
 public:
  /// `formats.k` is K of the matrices: a longer dot product than an instruction's is a chain of it.
  /// Designs that the floating-point kernels of `isa` compute (concrete/aligned/lower.h) run by
  /// these, all others as programs of the batch evaluator. Throws what building one throws.
  MatrixRunner(const Algorithm& algorithm, const DotFormats& formats,
               aligned::Isa isa = aligned::Isa::fastest);
  ~MatrixRunner();
  MatrixRunner(const MatrixRunner&) = delete;
  MatrixRunner& operator=(const MatrixRunner&) = delete;

  const DotFormats& formats() const { return formats_; }

  /// Runs all tasks on so many threads (0: one a core). Their K may be less than formats().k: the
  /// products that are missing are +0 * +0, and scale factors that are missing are 1. Throws
  /// std::invalid_argument where shapes do not fit, OutOfTime where work is stopped.
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
  std::unique_ptr<const AlignedTiles> aligned_;  ///< where it runs by these
  int part_k_;
  std::uint64_t one_ = 0;      ///< scale factor 1
  std::optional<Part> first_;  ///< else
  std::optional<Part> next_;   ///< where c's format is another than d's
};

}  // namespace mmaspec
