/* Power10's outer products on whatever runs this: qemu-ppc64le, or the CPU itself. */

#include <altivec.h>

#include "rows.h"

typedef __vector unsigned char Bytes;

static Bytes splat(uint32_t word) { return (Bytes)vec_splats((unsigned int)word); }
static Bytes splat64(uint64_t word) { return (Bytes)vec_splats((unsigned long long)word); }
static uint32_t pair(const uint64_t* x) { return (uint32_t)(x[0] | x[1] << 16); }

/* The compiler takes accumulators by address alone. */
static void start_from(__vector_quad* acc, Bytes c) { __builtin_mma_build_acc(acc, c, c, c, c); }
static uint64_t first_word(__vector_quad* acc, int bytes) {
  Bytes rows[4];
  __builtin_mma_disassemble_acc(rows, acc);
  uint64_t d = 0;
  memcpy(&d, rows, (size_t)bytes);
  return d;
}

static uint64_t xvbf16ger2pp(const Row* row) {
  __vector_quad acc;
  start_from(&acc, splat((uint32_t)row->c));
  __builtin_mma_xvbf16ger2pp(&acc, splat(pair(row->a)), splat(pair(row->b)));
  return first_word(&acc, 4);
}
static uint64_t xvf16ger2pp(const Row* row) {
  __vector_quad acc;
  start_from(&acc, splat((uint32_t)row->c));
  __builtin_mma_xvf16ger2pp(&acc, splat(pair(row->a)), splat(pair(row->b)));
  return first_word(&acc, 4);
}
static uint64_t xvf32gerpp(const Row* row) {
  __vector_quad acc;
  start_from(&acc, splat((uint32_t)row->c));
  __builtin_mma_xvf32gerpp(&acc, splat((uint32_t)row->a[0]), splat((uint32_t)row->b[0]));
  return first_word(&acc, 4);
}
static uint64_t xvf64gerpp(const Row* row) {
  __vector_quad acc;
  start_from(&acc, splat64(row->c));
  const Bytes a = splat64(row->a[0]);
  __vector_pair both;
  __builtin_vsx_build_pair(&both, a, a);
  __builtin_mma_xvf64gerpp(&acc, both, splat64(row->b[0]));
  return first_word(&acc, 8);
}

int main(void) {
  static const Instruction all[] = {
      {"power10/xvbf16ger2pp", 2, 8, xvbf16ger2pp},
      {"power10/xvf16ger2pp", 2, 8, xvf16ger2pp},
      {"power10/xvf32gerpp", 1, 8, xvf32gerpp},
      {"power10/xvf64gerpp", 1, 16, xvf64gerpp},
  };
  printf(
      "{\"device\":\"power10.c on qemu-ppc64le, -cpu "
      "power10\",\"program\":\"hardware/replay/device/qemu\"}\n");
  return answer_all(all, sizeof all / sizeof *all);
}
