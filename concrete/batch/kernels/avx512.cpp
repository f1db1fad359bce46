#include "concrete/batch/kernels/kernels.inc"

namespace mmaspec::batch {

Kernel avx512_kernel(const Choice& choice) { return kernel_of(choice); }

}  // namespace mmaspec::batch
