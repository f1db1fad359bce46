// WebAssembly has vectors of one width only: the portable kernels use them, and no others are
// available.

#include "concrete/batch/kernels/program.h"

namespace mmaspec::batch {

Kernel avx2_kernel(const Choice& /*choice*/) { return nullptr; }
Kernel avx512_kernel(const Choice& /*choice*/) { return nullptr; }

}  // namespace mmaspec::batch
