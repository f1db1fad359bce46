#pragma once

#include <cstdint>

/// PTX that the kernels need in addition to their matrix instruction: shared memory addresses,
/// proxies, tensor memory. Empty for a host compiler; tests/replay/device/emulated_cuda.h replaces
/// it there.
#ifdef __CUDACC__

namespace mmaspec::replay::cuda {

__device__ inline std::uint32_t shared_address(const void* shared) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
}

/// Makes shared memory written by ordinary stores visible to the tensor core, which reads it
/// through another proxy.
__device__ inline void fence_proxy_async() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/// An mbarrier with one arrival in each phase.
__device__ inline void init_barrier(std::uint32_t barrier) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier) : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

/// Waits for the end of a phase. If it does not end, the program ends with an error instead of
/// hanging the GPU.
__device__ inline void wait_for(std::uint32_t barrier, std::uint32_t phase) {
#pragma unroll 1
  for (int tries = 0; tries < 1 << 16; ++tries) {
    std::uint32_t done;
    asm volatile(
        "{\n.reg .pred done;\n"
        "mbarrier.try_wait.parity.shared::cta.b64 done, [%1], %2;\n"
        "selp.u32 %0, 1, 0, done;\n}"
        : "=r"(done)
        : "r"(barrier), "r"(phase)
        : "memory");
    if (done) return;
  }
  __trap();
}

// Tensor memory (sm_100a, sm_103a). An address is lane << 16 | column.

/// Executed by one whole warp: allocates `columns` columns, and writes their address to shared
/// memory.
template <int columns>
__device__ inline void allocate_tensor_memory(std::uint32_t address_to) {
  asm volatile(
      "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(address_to),
      "n"(columns)
      : "memory");
  asm volatile("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;");
}

/// Executed by one whole warp.
template <int columns>
__device__ inline void free_tensor_memory(std::uint32_t address) {
  asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, %1;" ::"r"(address),
               "n"(columns));
}

/// __syncthreads that also orders tcgen05 operations.
__device__ inline void sync_threads_and_tcgen05() {
  asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory");
  __syncthreads();
  asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
}

/// Sixteen columns of this warp's 32 lanes of tensor memory.
#define MMASPEC_COLUMNS_16(x)                                                               \
  x(v[0]), x(v[1]), x(v[2]), x(v[3]), x(v[4]), x(v[5]), x(v[6]), x(v[7]), x(v[8]), x(v[9]), \
      x(v[10]), x(v[11]), x(v[12]), x(v[13]), x(v[14]), x(v[15])

__device__ inline void store_columns(std::uint32_t address, const std::uint32_t (&v)[16]) {
  asm volatile(
      "tcgen05.st.sync.aligned.32x32b.x16.b32 [%0], "
      "{%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16};" ::"r"(address),
      MMASPEC_COLUMNS_16("r")
      : "memory");
}

__device__ inline void load_columns(std::uint32_t address, std::uint32_t (&v)[16]) {
  asm volatile(
      "tcgen05.ld.sync.aligned.32x32b.x16.b32 "
      "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15}, [%16];\n"
      "tcgen05.wait::ld.sync.aligned;"
      : MMASPEC_COLUMNS_16("=r")
      : "r"(address)
      : "memory");
}

__device__ inline void wait_for_stores() {
  asm volatile("tcgen05.wait::st.sync.aligned;" ::: "memory");
}

/// Executed by one thread: all its previous tcgen05.mma arrive at the barrier when they are
/// complete.
__device__ inline void commit(std::uint32_t barrier) {
  asm volatile(
      "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(barrier)
      : "memory");
}

/// Waits for a commit, and orders later operations after it.
__device__ inline void wait_for_commit(std::uint32_t barrier, std::uint32_t phase) {
  wait_for(barrier, phase);
  asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
}

}  // namespace mmaspec::replay::cuda

#endif  // __CUDACC__
