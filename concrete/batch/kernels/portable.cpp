#include "concrete/batch/kernels/kernels.inc"

namespace mmaspec::batch {

Kernel portable_kernel(const Choice& choice) { return kernel_of(choice); }

}  // namespace mmaspec::batch
