// Vectors of WebAssembly are all of one width: the portable kernels use them, and no others are
// chosen.

#include "concrete/batch/kernels/program.h"

namespace mmaspec::batch {

Kernel avx2_kernel(const Choice& /*choice*/) { return nullptr; }
Kernel avx512_kernel(const Choice& /*choice*/) { return nullptr; }

}  // namespace mmaspec::batch
