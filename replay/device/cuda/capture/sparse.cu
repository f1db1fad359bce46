// Is a sparse matrix instruction the dense one of the selected elements? A program that asks the GPU both, on drawn inputs.
//
//   nvcc -std=c++17 -gencode arch=compute_90a,code=sm_90a sparse.cu -o sparse && ./sparse 10000000 > rows.jsonl
//
// mma.sp.sync.m16n8k32 with 16 stored elements of A, metadata and 32 elements of B is run beside mma.sync.m16n8k16 with the
// same elements of A and the elements of B that the metadata selects. Elements of B that are not selected are drawn as well,
// infinities and NaNs among them. Standard output: a header line, for each type a line with the number of rows that agree and
// differ, then the first rows: {"sparse":..., "dense":..., "a":..., "metadata":..., "b":..., "c":..., "d":..., "d_dense":...}.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr int kStored = 16;
constexpr int kWhole = 32;
constexpr int kShown = 512;

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "sparse: %s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

struct Row {
  std::uint32_t a[kStored];
  std::uint32_t b[kWhole];
  std::uint32_t metadata;  ///< two bits for each stored element: its place in its group of four
  std::uint32_t c;
  std::uint32_t d;
  std::uint32_t d_dense;
};

/// SplitMix64 of a row's number and a counter.
__device__ std::uint64_t drawn(std::uint64_t row, std::uint32_t i) {
  std::uint64_t z = (row << 8 | i) * 0x9e3779b97f4a7c15U + 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

/// A pattern of `exponent_bits` and `fraction_bits`, of a kind that the row decides: random bits, exponents near each other,
/// powers of two, zeros beside large numbers.
__device__ std::uint32_t pattern(std::uint64_t row, std::uint32_t i, int exponent_bits, int fraction_bits) {
  const std::uint64_t z = drawn(row, i);
  const auto kind = static_cast<unsigned>(drawn(row, 255) % 5);
  const std::uint32_t sign = static_cast<std::uint32_t>(z >> 63) << (exponent_bits + fraction_bits);
  const std::uint32_t fraction_mask = (1U << fraction_bits) - 1;
  const auto bits = static_cast<std::uint32_t>(z) & ((1U << (exponent_bits + fraction_bits)) - 1);
  const std::uint32_t bias = (1U << (exponent_bits - 1)) - 1;
  const auto near = bias + 2 - static_cast<std::uint32_t>((z >> 40) % 12);
  switch (kind) {
    case 0:
      return sign | bits;
    case 1:
      return sign | near << fraction_bits | (bits & fraction_mask);
    case 2:
      return sign | near << fraction_bits;
    case 3:
      return (z >> 50) % 3 == 0 ? sign : sign | near << fraction_bits | (bits & fraction_mask);
    default:
      return (z >> 50) % 4 == 0 ? sign | (bits & fraction_mask) : sign | (bits & ~fraction_mask) % (7U << (exponent_bits + fraction_bits - 3));
  }
}

__device__ std::uint32_t pair_of(const std::uint32_t* x, int i) { return x[i] | x[i + 1] << 16; }

#define MMASPEC_SPARSE(Name, type, exponent, fraction)                                                                      \
  struct Name {                                                                                                             \
    static constexpr const char* kSparse = "mma.sp::ordered_metadata.m16n8k32.f32." type "." type ".f32";                   \
    static constexpr const char* kDense = "mma.m16n8k16.f32." type "." type ".f32";                                         \
    static constexpr int kExponentBits = exponent;                                                                          \
    static constexpr int kFractionBits = fraction;                                                                          \
    static __device__ float sparse(const std::uint32_t* a, const std::uint32_t* b, float c, std::uint32_t metadata) {       \
      float d[4];                                                                                                           \
      asm volatile(                                                                                                         \
          "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32." type "." type ".f32 "                               \
          "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9,%10,%11}, {%12,%12,%12,%12}, %13, 0x0;"                                     \
          : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])                                                                  \
          : "r"(a[0]), "r"(a[0]), "r"(a[1]), "r"(a[1]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "f"(c), "r"(metadata)); \
      return d[0];                                                                                                          \
    }                                                                                                                       \
    static __device__ float dense(const std::uint32_t* a, const std::uint32_t* b, float c) {                                \
      float d[4];                                                                                                           \
      asm volatile(                                                                                                         \
          "mma.sync.aligned.m16n8k16.row.col.f32." type "." type ".f32 "                                                    \
          "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%10,%10,%10};"                                                       \
          : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])                                                                  \
          : "r"(a[0]), "r"(a[0]), "r"(a[1]), "r"(a[1]), "r"(b[0]), "r"(b[1]), "f"(c));                                      \
      return d[0];                                                                                                          \
    }                                                                                                                       \
  };
MMASPEC_SPARSE(F16, "f16", 5, 10)
MMASPEC_SPARSE(Bf16, "bf16", 8, 7)
#undef MMASPEC_SPARSE

/// A warp a row: every row of A, column of B and element of C is the same.
template <typename Type>
__global__ void run(std::uint64_t rows, Row* shown, unsigned long long* differ) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  const std::uint64_t warps = gridDim.x * std::uint64_t{blockDim.x} / 32;
  for (std::uint64_t row = (blockIdx.x * std::uint64_t{blockDim.x} + threadIdx.x) / 32; row < rows; row += warps) {
    Row r;
    std::uint32_t selected[kStored];
    r.metadata = 0;
    for (int k = 0; k < kWhole; ++k) r.b[k] = pattern(row, static_cast<std::uint32_t>(k), Type::kExponentBits, Type::kFractionBits);
    for (int j = 0; j < kStored; ++j) r.a[j] = pattern(row, static_cast<std::uint32_t>(64 + j), Type::kExponentBits, Type::kFractionBits);
    constexpr unsigned kPairs[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    for (int group = 0; group < kWhole / 4; ++group) {
      const auto& places = kPairs[drawn(row, static_cast<std::uint32_t>(128 + group)) % 6];
      for (int s = 0; s < 2; ++s) {
        r.metadata |= places[s] << (4 * group + 2 * s);
        selected[2 * group + s] = r.b[4 * group + static_cast<int>(places[s])];
      }
    }
    r.c = pattern(row, 200, 8, 23);
    const int t = 2 * (lane % 4);
    const std::uint32_t a[] = {pair_of(r.a, t), pair_of(r.a, t + 8)};
    const std::uint32_t b[] = {pair_of(r.b, t), pair_of(r.b, t + 8), pair_of(r.b, t + 16), pair_of(r.b, t + 24)};
    const std::uint32_t chosen[] = {pair_of(selected, t), pair_of(selected, t + 8)};
    // The first lane of each four holds the metadata of the groups 0 to 3, the second that of 4 to 7: the low half for a row of
    // the upper eight, the high half for one of the lower eight.
    const std::uint32_t half = lane % 4 == 0 ? r.metadata & 0xffffU : r.metadata >> 16;
    r.d = __float_as_uint(Type::sparse(a, b, __uint_as_float(r.c), half | half << 16));
    r.d_dense = __float_as_uint(Type::dense(a, chosen, __uint_as_float(r.c)));
    if (lane != 0) continue;
    if (r.d != r.d_dense) atomicAdd(differ, 1ULL);
    if (row < kShown) shown[row] = r;
  }
}

void print(const char* key, const std::uint32_t* x, int count) {
  std::printf(",\"%s\":\"", key);
  for (int i = 0; i < count; ++i) std::printf(i == 0 ? "%04x" : " %04x", x[i]);
  std::printf("\"");
}

template <typename Type>
void compare(std::uint64_t rows) {
  Row* shown = nullptr;
  unsigned long long* differ = nullptr;
  check(cudaMalloc(&shown, kShown * sizeof(Row)), "memory");
  check(cudaMalloc(&differ, sizeof(*differ)), "memory");
  check(cudaMemset(differ, 0, sizeof(*differ)), "memory");
  run<Type><<<1056, 256>>>(rows, shown, differ);
  check(cudaGetLastError(), Type::kSparse);
  unsigned long long count = 0;
  std::vector<Row> host(kShown);
  check(cudaMemcpy(&count, differ, sizeof(count), cudaMemcpyDeviceToHost), Type::kSparse);
  check(cudaMemcpy(host.data(), shown, kShown * sizeof(Row), cudaMemcpyDeviceToHost), Type::kSparse);
  std::printf("{\"sparse\":\"%s\",\"dense\":\"%s\",\"rows\":%llu,\"differ\":%llu}\n", Type::kSparse, Type::kDense,
              static_cast<unsigned long long>(rows), count);
  for (std::uint64_t i = 0; i < kShown && i < rows; ++i) {
    const Row& r = host[i];
    std::printf("{\"sparse\":\"%s\"", Type::kSparse);
    print("a", r.a, kStored);
    std::printf(",\"metadata\":\"%08x\"", r.metadata);
    print("b", r.b, kWhole);
    std::printf(",\"c\":\"%08x\",\"d\":\"%08x\",\"d_dense\":\"%08x\"}\n", r.c, r.d, r.d_dense);
  }
  cudaFree(shown);
  cudaFree(differ);
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t rows = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1000000;
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, 0), "no device");
  int driver = 0;
  int runtime = 0;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  std::printf("{\"device\":\"%s\",\"cuda_driver\":%d,\"cuda_runtime\":%d,\"program\":\"replay/device/cuda/capture/sparse.cu\"}\n",
              properties.name, driver, runtime);
  compare<F16>(rows);
  compare<Bf16>(rows);
  return 0;
}
