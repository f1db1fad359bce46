#pragma once

#include <cstdint>

/// The PTX that the kernels need around their matrix instruction: shared memory addresses, proxies,
/// tensor memory. Empty for a host compiler; tests/replay/device/emulated_cuda.h stands in for it
/// there.
#ifdef __CUDACC__

namespace mmaspec::replay::cuda {

__device__ inline std::uint32_t shared_address(const void* shared) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
}

/// Shared memory written by ordinary stores becomes visible to the tensor core, which reads it
/// through another proxy.
__device__ inline void fence_proxy_async() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/// An mbarrier on which one arrival ends a phase.
__device__ inline void init_barrier(std::uint32_t barrier) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier) : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

/// Ends the program with an error, and does not hang the GPU, where the phase never ends.
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

/// By one whole warp: `columns` columns, their address to shared memory.
template <int columns>
__device__ inline void allocate_tensor_memory(std::uint32_t address_to) {
  asm volatile(
      "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(address_to),
      "n"(columns)
      : "memory");
  asm volatile("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;");
}

/// By one whole warp.
template <int columns>
__device__ inline void free_tensor_memory(std::uint32_t address) {
  asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, %1;" ::"r"(address),
               "n"(columns));
}

/// __syncthreads that orders tcgen05 operations too.
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

/// By one thread: all its tcgen05.mma so far, once done, arrive at the barrier.
__device__ inline void commit(std::uint32_t barrier) {
  asm volatile(
      "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(barrier)
      : "memory");
}

/// Waits for a commit, and orders what follows behind its operations.
__device__ inline void wait_for_commit(std::uint32_t barrier, std::uint32_t phase) {
  wait_for(barrier, phase);
  asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
}

}  // namespace mmaspec::replay::cuda

#endif  // __CUDACC__
