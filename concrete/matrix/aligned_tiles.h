#pragma once
/// Matrices by the floating-point kernels: operands decoded once for each tile, b in panels.

#include "concrete/aligned/isa.h"
#include "concrete/aligned/lower.h"
#include "concrete/matrix/matrix.h"

namespace mmaspec {

/// A lowered design ready to run on matrices. Immutable: one object serves many threads.
class AlignedTiles {
 public:
  /// nullptr where the design cannot be lowered, or the instruction set has no kernels.
  static std::unique_ptr<const AlignedTiles> make(const Algorithm& algorithm,
                                                  const DotFormats& formats, aligned::Isa isa);

  AlignedTiles(aligned::Lowered lowered, const aligned::Kernels& kernels);

  /// As MatrixRunner::run(); shapes are not checked.
  void run(const std::vector<MatrixTask>& tasks, int threads) const;

 private:
  struct Tile;
  class Worker;

  aligned::Lowered lowered_;
  const aligned::Kernels* kernels_;
  std::uint32_t one_ = 0;  ///< scale factor 1
};

}  // namespace mmaspec
