/* Arm's dot products on whatever runs this: qemu-aarch64, or an Arm CPU. FPCR is 0. */

#include "rows.h"

/* As long as the longest streaming vector. */
static uint32_t za[64];
static uint32_t zn[64];
static uint32_t zm[64];

static void splat(uint32_t* to, uint32_t word) {
  for (int i = 0; i < 64; ++i) to[i] = word;
}
static void splat64(uint32_t* to, uint64_t word) {
  for (int i = 0; i < 64; i += 2) {
    to[i] = (uint32_t)word;
    to[i + 1] = (uint32_t)(word >> 32);
  }
}
static uint32_t pair(const uint64_t* x) { return (uint32_t)(x[0] | x[1] << 16); }

#define SIMD(name, text)                                                        \
  static void name(void) {                                                      \
    __asm__ volatile(                                                           \
        ".arch armv8.6-a+bf16\n"                                                \
        "ldr q0, [%0]\n ldr q1, [%1]\n ldr q2, [%2]\n" text "\n str q0, [%0]\n" \
        :                                                                       \
        : "r"(za), "r"(zn), "r"(zm)                                             \
        : "memory", "v0", "v1", "v2");                                          \
  }
SIMD(bfdot_4s, "bfdot v0.4s, v1.8h, v2.8h")
SIMD(bfmmla_4s, "bfmmla v0.4s, v1.8h, v2.8h")
SIMD(fmla_4s, "fmla v0.4s, v1.4s, v2.s[0]")
SIMD(fmla_2d, "fmla v0.2d, v1.2d, v2.d[0]")

/* An outer product in streaming mode; row 0 of the tile is what goes in and comes out. */
#define SME(name, arch, tile, elements, text)                                                 \
  static void name(void) {                                                                    \
    __asm__ volatile(                                                                         \
        ".arch armv9-a+sme" arch                                                              \
        "\n"                                                                                  \
        "smstart\n ptrue p0.b\n mov w12, #0\n"                                                \
        "ld1b {z0.b}, p0/z, [%0]\n ld1b {z1.b}, p0/z, [%1]\n ld1b {z2.b}, p0/z, [%2]\n"       \
        "mova " tile "[w12, 0], p0/m, z0." elements "\n" text                                 \
        "\n"                                                                                  \
        "mova z0." elements ", p0/m, " tile                                                   \
        "[w12, 0]\n"                                                                          \
        "st1b {z0.b}, p0, [%0]\n smstop\n"                                                    \
        :                                                                                     \
        : "r"(za), "r"(zn), "r"(zm)                                                           \
        : "memory", "x12", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", \
          "v11", "v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22", \
          "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31");                     \
  }
SME(bfmopa_s, "", "za0h.s", "s", "bfmopa za0.s, p0/m, p0/m, z1.h, z2.h")
SME(fmopa_h, "", "za0h.s", "s", "fmopa za0.s, p0/m, p0/m, z1.h, z2.h")
SME(fmopa_s, "", "za0h.s", "s", "fmopa za0.s, p0/m, p0/m, z1.s, z2.s")
SME(fmopa_d, "+sme-f64", "za0h.d", "d", "fmopa za0.d, p0/m, p0/m, z1.d, z2.d")

static uint64_t run_pairs(const Row* row, void (*instruction)(void)) {
  splat(za, (uint32_t)row->c);
  splat(zn, pair(row->a));
  splat(zm, pair(row->b));
  instruction();
  return za[0];
}
static uint64_t bfdot(const Row* row) { return run_pairs(row, bfdot_4s); }
static uint64_t bfmopa(const Row* row) { return run_pairs(row, bfmopa_s); }
static uint64_t fmopa_f16(const Row* row) { return run_pairs(row, fmopa_h); }
static uint64_t bfmmla(const Row* row) {
  splat64(zn, pair(row->a) | (uint64_t)pair(row->a + 2) << 32);
  splat64(zm, pair(row->b) | (uint64_t)pair(row->b + 2) << 32);
  splat(za, (uint32_t)row->c);
  bfmmla_4s();
  return za[0];
}
static uint64_t run_f32(const Row* row, void (*instruction)(void)) {
  splat(za, (uint32_t)row->c);
  splat(zn, (uint32_t)row->a[0]);
  splat(zm, (uint32_t)row->b[0]);
  instruction();
  return za[0];
}
static uint64_t fmopa_f32(const Row* row) { return run_f32(row, fmopa_s); }
static uint64_t fmla_f32(const Row* row) { return run_f32(row, fmla_4s); }
static uint64_t run_f64(const Row* row, void (*instruction)(void)) {
  splat64(za, row->c);
  splat64(zn, row->a[0]);
  splat64(zm, row->b[0]);
  instruction();
  return za[0] | (uint64_t)za[1] << 32;
}
static uint64_t fmopa_f64(const Row* row) { return run_f64(row, fmopa_d); }
static uint64_t fmla_f64(const Row* row) { return run_f64(row, fmla_2d); }

int main(void) {
  static const Instruction all[] = {
      {"arm/bfdot", 2, 8, bfdot},         {"arm/bfmmla", 4, 8, bfmmla},
      {"arm/bfmopa", 2, 8, bfmopa},       {"arm/fmopa.f32.f16", 2, 8, fmopa_f16},
      {"arm/fmopa.f32", 1, 8, fmopa_f32}, {"arm/fmopa.f64", 1, 16, fmopa_f64},
      {"arm/fmla.f32", 1, 8, fmla_f32},   {"arm/fmla.f64", 1, 16, fmla_f64},
  };
  printf("{\"device\":\"arm.c on qemu-aarch64, -cpu max\",\"program\":\"hardware/replay/device/qemu\"}\n");
  return answer_all(all, sizeof all / sizeof *all);
}
