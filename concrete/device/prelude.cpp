// Definitions for what the two dialects spell differently, and the functions that steps use.
#include "concrete/device/prelude.h"

namespace mmaspec::device {
namespace {

constexpr std::string_view kCuda = R"(typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef int i32;
typedef long long i64;
#define FUNCTION __device__ __forceinline__
#define KERNEL extern "C" __global__ void __launch_bounds__(256)
#define GLOBAL
#define LOCAL __shared__
#define RESTRICT __restrict__
#define BARRIER() __syncthreads()
#define GROUP ((u64)blockIdx.x)
#define THREAD_X threadIdx.x
#define THREAD_Y threadIdx.y
#define LEADING_ZEROS_32(x) ((u32)__clz((int)(x)))
#define LEADING_ZEROS_64(x) ((u32)__clzll((long long)(x)))
#define HIGH_PRODUCT(x, y) __umul64hi(x, y)
)";

constexpr std::string_view kOpenCl = R"(typedef uchar u8;
typedef ushort u16;
typedef uint u32;
typedef ulong u64;
typedef int i32;
typedef long i64;
#define FUNCTION static
#define KERNEL __kernel __attribute__((reqd_work_group_size(16, 16, 1))) void
#define GLOBAL __global
#define LOCAL __local
#define RESTRICT restrict
#define BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#define GROUP ((u64)get_group_id(0))
#define THREAD_X ((u32)get_local_id(0))
#define THREAD_Y ((u32)get_local_id(1))
#define LEADING_ZEROS_32(x) clz((u32)(x))
#define LEADING_ZEROS_64(x) ((u32)clz((u64)(x)))
#define HIGH_PRODUCT(x, y) mul_hi((u64)(x), (u64)(y))
)";

// Shifts move whole words, one bit of their number at a time. No index then depends on data, and a
// compiler that unrolls the loops keeps the words in registers.
constexpr std::string_view kWide = R"(
FUNCTION u64 sign_of(u64 x) { return (u64)0 - (x >> 63); }
/* r, of n words: x, of m words, extended by its sign or cut. */
FUNCTION void wide_convert(u64 *r, int n, const u64 *x, int m)
{
#pragma unroll
  for (int i = 0; i < n; ++i) r[i] = i < m ? x[i] : sign_of(x[m - 1]);
}
FUNCTION void wide_from(u64 *r, int n, u64 x, u64 above)
{
  r[0] = x;
#pragma unroll
  for (int i = 1; i < n; ++i) r[i] = above;
}
/* r = x + (y ^ flip) + (flip & 1), flip 0 or all ones: the sum or the difference. */
FUNCTION void wide_add(u64 *r, int n, const u64 *x, const u64 *y, u64 flip)
{
  u64 carry = flip & 1;
#pragma unroll
  for (int i = 0; i < n; ++i) {
    const u64 summand = y[i] ^ flip;
    const u64 sum = x[i] + summand;
    const u64 total = sum + carry;
    carry = (u64)(sum < summand) | (u64)(total < sum);
    r[i] = total;
  }
}
/* r = -x if flip is all ones, x if it is 0. */
FUNCTION void wide_negate(u64 *r, int n, const u64 *x, u64 flip)
{
  u64 carry = flip & 1;
#pragma unroll
  for (int i = 0; i < n; ++i) {
    const u64 flipped = x[i] ^ flip;
    const u64 sum = flipped + carry;
    carry = (u64)(sum < flipped);
    r[i] = sum;
  }
}
FUNCTION void wide_select(u64 *r, int n, u32 condition, const u64 *x, const u64 *y)
{
#pragma unroll
  for (int i = 0; i < n; ++i) r[i] = condition ? x[i] : y[i];
}
FUNCTION void wide_multiply(u64 *r, int n, const u64 *x, const u64 *y)
{
#pragma unroll
  for (int i = 0; i < n; ++i) r[i] = 0;
#pragma unroll
  for (int i = 0; i < n; ++i) {
    u64 carry = 0;
#pragma unroll
    for (int j = 0; j < n - i; ++j) {
      const u64 low = x[j] * y[i] + carry;
      const u64 sum = r[i + j] + low;
      carry = HIGH_PRODUCT(x[j], y[i]) + (u64)(low < carry) + (u64)(sum < low);
      r[i + j] = sum;
    }
  }
}
FUNCTION u32 wide_less(int n, const u64 *x, const u64 *y)
{
  const u64 bias = (u64)1 << 63;
  u32 less = 0;
#pragma unroll
  for (int i = 0; i < n; ++i) {
    const u64 flip = i == n - 1 ? bias : 0;
    less = x[i] == y[i] ? less : (u32)((x[i] ^ flip) < (y[i] ^ flip));
  }
  return less;
}
FUNCTION u32 wide_equal(int n, const u64 *x, const u64 *y)
{
  u64 difference = 0;
#pragma unroll
  for (int i = 0; i < n; ++i) difference |= x[i] ^ y[i];
  return difference == 0;
}
FUNCTION void wide_shift_left(u64 *r, int n, const u64 *x, u64 amount)
{
  const u64 b = amount & 63;
#pragma unroll
  for (int i = 0; i < n; ++i) r[i] = x[i];
#pragma unroll
  for (int stride = 1; stride < n; stride *= 2) {
    const u32 moves = (amount & ((u64)64 * stride)) != 0;
#pragma unroll
    for (int i = n - 1; i >= 0; --i) r[i] = moves ? (i < stride ? 0 : r[i - stride]) : r[i];
  }
#pragma unroll
  for (int i = n - 1; i > 0; --i) r[i] = (r[i] << b) | ((r[i - 1] >> 1) >> (63 - b));
  r[0] <<= b;
}
FUNCTION void wide_shift_right(u64 *r, int n, const u64 *x, u64 amount)
{
  const u64 b = amount & 63, sign = sign_of(x[n - 1]);
#pragma unroll
  for (int i = 0; i < n; ++i) r[i] = x[i];
#pragma unroll
  for (int stride = 1; stride < n; stride *= 2) {
    const u32 moves = (amount & ((u64)64 * stride)) != 0;
#pragma unroll
    for (int i = 0; i < n; ++i) r[i] = moves ? (i + stride < n ? r[i + stride] : sign) : r[i];
  }
#pragma unroll
  for (int i = 0; i < n; ++i) {
    const u64 above = i + 1 < n ? r[i + 1] : sign;
    r[i] = (r[i] >> b) | ((above << 1) << (63 - b));
  }
}
/* The low `bits` bits of x. */
FUNCTION void wide_low_bits(u64 *r, int n, const u64 *x, int bits)
{
#pragma unroll
  for (int i = 0; i < n; ++i) {
    const int left = bits - 64 * i;
    r[i] = left <= 0 ? 0 : left >= 64 ? x[i] : x[i] & (((u64)1 << left) - 1);
  }
}
FUNCTION u32 wide_bit_length(int n, const u64 *x)
{
  u32 length = 0;
#pragma unroll
  for (int i = 0; i < n; ++i) {
    if (x[i] != 0) length = (u32)(64 * (i + 1)) - LEADING_ZEROS_64(x[i]);
  }
  return length;
}
)";

}  // namespace

std::string_view prelude(Dialect dialect) { return dialect == Dialect::cuda ? kCuda : kOpenCl; }

std::string_view wide_library() { return kWide; }

}  // namespace mmaspec::device
