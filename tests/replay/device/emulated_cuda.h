#pragma once

// Lets a host compiler run the kernels of hardware/replay/device/cuda on the CPU: defines CUDA's
// keywords, starts a host thread for each thread, and replaces PTX instructions by functions with
// the effects that the kernels use.

#include <array>
#include <barrier>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 1
#define __CUDA_ARCH__ 1200  // and every feature, so that every kernel is complete
#define __CUDA_ARCH_FEAT_SM90_ALL
#define __CUDA_ARCH_FEAT_SM100_ALL
#define __CUDA_ARCH_FEAT_SM120_ALL
#define __host__
#define __device__
#define __global__
#define __shared__ static  // one block runs at a time
#define __launch_bounds__(threads)

namespace emulated {

struct Index {
  unsigned x = 0;
};

/// The running block: its barriers and its exchange between lanes.
struct Block {
  explicit Block(int threads) : barrier(threads), votes(static_cast<std::size_t>(threads)) {
    for (int i = 0; i < threads / 32; ++i) warps.push_back(std::make_unique<std::barrier<>>(32));
  }
  std::barrier<> barrier;
  std::vector<int> votes;
  std::vector<std::unique_ptr<std::barrier<>>> warps;
  std::array<std::array<std::uint32_t, 32>, 32> exchange{};
};
inline std::unique_ptr<Block> block;

/// Tensor memory, and the shared memory variables whose addresses were taken.
inline std::uint32_t tensor_memory[128][512];
inline std::mutex addresses_mutex;
inline std::vector<const void*> addresses;

}  // namespace emulated

inline thread_local emulated::Index threadIdx, blockIdx;
inline emulated::Index blockDim, gridDim;

inline void __syncthreads() { emulated::block->barrier.arrive_and_wait(); }
inline void __syncwarp() { emulated::block->warps[threadIdx.x / 32]->arrive_and_wait(); }
inline int __syncthreads_and(int vote) {
  emulated::block->votes[threadIdx.x] = vote;
  __syncthreads();
  bool all = true;
  for (const int each : emulated::block->votes) all &= each != 0;
  __syncthreads();
  return all;
}
inline std::uint32_t __shfl_xor_sync(unsigned, std::uint32_t value, int lanes) {
  auto& exchange = emulated::block->exchange[threadIdx.x / 32];
  exchange[threadIdx.x % 32] = value;
  __syncwarp();
  const std::uint32_t other = exchange[threadIdx.x % 32 ^ static_cast<unsigned>(lanes)];
  __syncwarp();
  return other;
}
inline double __hiloint2double(int high, int low) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(static_cast<std::uint32_t>(high)) << 32 |
                               static_cast<std::uint32_t>(low));
}
inline long long __double_as_longlong(double value) { return std::bit_cast<long long>(value); }

namespace emulated {

inline void run_grid(int blocks, int threads, const std::function<void()>& kernel) {
  gridDim.x = static_cast<unsigned>(blocks);
  blockDim.x = static_cast<unsigned>(threads);
  for (int b = 0; b < blocks; ++b) {
    block = std::make_unique<Block>(threads);
    std::vector<std::thread> running;
    for (int t = 0; t < threads; ++t) {
      running.emplace_back([&, b, t] {
        blockIdx.x = static_cast<unsigned>(b);
        threadIdx.x = static_cast<unsigned>(t);
        kernel();
      });
    }
    for (std::thread& thread : running) thread.join();
  }
}

inline void require(bool condition) {
  if (!condition) std::abort();
}

/// The variable whose address `shared_address` returned.
inline const void* shared_memory(std::uint32_t address) {
  const std::lock_guard lock(addresses_mutex);
  require(address % 0x1000 == 0 && address / 0x1000 < addresses.size());
  return addresses[address / 0x1000];
}

}  // namespace emulated

// Functions of hardware/replay/device/cuda/ptx.cuh.
namespace mmaspec::replay::cuda {

inline std::uint32_t shared_address(const void* shared) {
  const std::lock_guard lock(emulated::addresses_mutex);
  auto& known = emulated::addresses;
  std::size_t i = 0;
  while (i < known.size() && known[i] != shared) ++i;
  if (i == known.size()) known.push_back(shared);
  emulated::require(i < 64);  // a descriptor holds 18 bits
  return static_cast<std::uint32_t>(i * 0x1000);
}
inline void fence_proxy_async() {}
inline void init_barrier(std::uint32_t) {}
inline void wait_for_stores() {}
inline void commit(std::uint32_t) {}
inline void wait_for_commit(std::uint32_t, std::uint32_t) { __syncthreads(); }
inline void sync_threads_and_tcgen05() { __syncthreads(); }

template <int columns>
void allocate_tensor_memory(std::uint32_t address_to) {
  static_assert(columns >= 32 && (columns & (columns - 1)) == 0);
  if (threadIdx.x == 0) {
    *const_cast<std::uint32_t*>(
        static_cast<const std::uint32_t*>(emulated::shared_memory(address_to))) = 64;
  }
}
template <int columns>
void free_tensor_memory(std::uint32_t address) {
  emulated::require(address == 64);
}
inline std::uint32_t* own_columns(std::uint32_t address) {
  emulated::require(address >> 16 == threadIdx.x / 32 * 32);  // a warp accesses only its own lanes
  return &emulated::tensor_memory[(address >> 16) + threadIdx.x % 32][address & 0xffff];
}
inline void store_columns(std::uint32_t address, const std::uint32_t (&v)[16]) {
  for (int i = 0; i < 16; ++i) own_columns(address)[i] = v[i];
}
inline void load_columns(std::uint32_t address, std::uint32_t (&v)[16]) {
  for (int i = 0; i < 16; ++i) v[i] = own_columns(address)[i];
}

}  // namespace mmaspec::replay::cuda

// With these definitions a host compiler can read the kernels.
#include "hardware/replay/device/cuda/mma_sync_kernels.cuh"
#include "hardware/replay/device/cuda/tcgen05_kernel.cuh"
#include "hardware/replay/device/cuda/wgmma_kernel.cuh"
