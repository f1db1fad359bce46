#include "concrete/batch/kernels/kernels.inc"

namespace mmaspec::batch {

Kernel avx2_kernel(const Choice& choice) { return kernel_of(choice); }

}  // namespace mmaspec::batch
