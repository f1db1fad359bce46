#pragma once
/// Matrix products by the floating-point kernels. Operands are decoded once for each tile, b in
/// panels.

#include "concrete/aligned/isa.h"
#include "concrete/aligned/lower.h"
#include "concrete/matrix/matrix.h"

namespace mmaspec {

/// A lowered design prepared for matrices. Immutable: many threads may share one object.
class AlignedTiles {
 public:
  /// nullptr if the design cannot be lowered or the instruction set lacks kernels.
  static std::unique_ptr<const AlignedTiles> make(const Algorithm& algorithm,
                                                  const DotFormats& formats, aligned::Isa isa);

  AlignedTiles(aligned::Lowered lowered, const aligned::Kernels& kernels);

  /// As MatrixRunner::run(), without checks of shapes.
  void run(const std::vector<MatrixTask>& tasks, int threads) const;

 private:
  struct Tile;
  class Worker;

  aligned::Lowered lowered_;
  const aligned::Kernels* kernels_;
  std::uint32_t one_ = 0;  ///< the pattern of scale factor 1
};

}  // namespace mmaspec
