// CPUs: x86, Arm, Power10, RISC-V's dot products and Apple's AMX.

#include "spec/catalog/parameter_sets.h"
#include "spec/plans/instructions/scaled_sums.h"

namespace mmaspec {
namespace {

constexpr std::string_view kBochs = "bochs";
constexpr std::string_view kIntrinsicsGuide = "intrinsics-guide";
constexpr std::string_view kEbf = "ebf";
constexpr std::string_view kPseudoCode = "pseudo-code";

// x86

/// VDPBF16PS: each pair's second product first, subnormals are zeros.
Algorithm make_vdpbf16ps(const DotFormats& formats, std::string_view) {
  return SequentialFma{{formats.d, Rounding::nearest_even, Underflow::flush_tiny}, true, 2, 1};
}

Algorithm make_amx(const DotFormats& formats, std::string_view variant) {
  const int chains = variant == kIntrinsicsGuide ? 1 : 2;
  return SequentialFma{{formats.d, Rounding::nearest_even, Underflow::flush_tiny}, true, 1, chains};
}

const std::string kEpyc =
    "results of an AMD EPYC (family 25, model 17), tests/data/hardware/x86-*.jsonl; ";

std::vector<Provenance> vfmadd_sources(const DotFormats& formats, std::string_view variant) {
  return all_from(make_fma(formats, variant), Evidence::hardware,
                  kEpyc + "Intel SDM volume 2, VFMADD231PS and VFMADD231PD");
}

std::vector<Provenance> vdpbf16ps_sources(const DotFormats& formats, std::string_view variant) {
  return all_from(make_vdpbf16ps(formats, variant), Evidence::hardware,
                  kEpyc + "Intel SDM volume 2, VDPBF16PS");
}

/// ACE's TOP2BF16PS: both products rounded, their sum rounded, and that added to c. Results below
/// the least normal number become zero; products of bf16 and sums of f32 are exact there, so
/// that flushing them before or after they are rounded gives the same.
Algorithm make_ace(const DotFormats& formats, std::string_view) {
  return PairDotAdd{false, true, {formats.d, Rounding::nearest_even, Underflow::flush}};
}

std::vector<Provenance> ace_sources(const DotFormats& formats, std::string_view variant) {
  return all_from(make_ace(formats, variant), Evidence::emulator,
                  "Bochs, cpu/avx/amx_top.cc, op2bf16_subtile(), after section 14.3.5 of the "
                  "specification of ACE v1");
}

std::vector<Provenance> amx_sources(const DotFormats& formats, std::string_view variant) {
  const Algorithm algorithm = make_amx(formats, variant);
  if (variant == kBochs) {
    return all_from(algorithm, Evidence::emulator,
                    "Bochs, cpu/avx/amx.cc: even and odd k from zero, then two additions");
  }
  if (variant == kIntrinsicsGuide) {
    return all_from(algorithm, Evidence::documented,
                    "Intel Intrinsics Guide, _tile_dpbf16ps and _tile_dpfp16ps: a chain from c");
  }
  return all_from(algorithm, Evidence::documented,
                  "Intel SDM volume 2, TDPBF16PS and TDPFP16PS; the intrinsics guide says "
                  "otherwise: docs/contradictions.md");
}

std::vector<std::string> amx_variants(const DotFormats&) {
  return {std::string(kBochs), std::string(kIntrinsicsGuide)};
}

/// AMX-FP8: the exact sum of all products, rounded, and then added to c. The guard bits reach from
/// the largest product to the last bit of the least.
Algorithm make_amx_fp8(const DotFormats& f, std::string_view) {
  const auto lowest = [](const Format& x) { return x.least_exponent() - x.fraction_bits; };
  const int span = f.a->largest_exponent() + f.b->largest_exponent() - lowest(*f.a) - lowest(*f.b);
  return BulkNormalizedDotAdd{f.k,
                              span - f.d->fraction_bits,
                              BulkResult::to_odd,
                              {f.d, Rounding::nearest_even, Underflow::flush_tiny},
                              true};
}

std::vector<Provenance> amx_fp8_sources(const DotFormats& formats, std::string_view variant) {
  return all_from(
      make_amx_fp8(formats, variant), Evidence::emulator,
      "Bochs, cpu/avx/amx.cc, tdpfp8ps_execute(), after Intel's ISE pseudo-code and the "
      "emulator SDE; LLVM's amxfp8intrin.h sums exactly, too");
}

/// ACE's TOP4MX: the exact sum of four products and its scale factors, rounded, and then added to
/// c. Infinities and NaNs of FP8 are numbers, of one more exponent in E5M2.
Algorithm make_ace_mx(const DotFormats& f, std::string_view) {
  const auto lowest = [](const Format& x) { return x.least_exponent() - x.fraction_bits; };
  const auto largest = [](const Format& x) { return x.field_maximum() - x.bias; };
  const int span = largest(*f.a) + largest(*f.b) - lowest(*f.a) - lowest(*f.b);
  return BulkNormalizedDotAdd{f.k,
                              span - f.d->fraction_bits,
                              BulkResult::to_odd,
                              {f.d, Rounding::nearest_even, Underflow::flush_tiny},
                              true,
                              true};
}

std::vector<Provenance> ace_mx_sources(const DotFormats& formats, std::string_view variant) {
  return all_from(make_ace_mx(formats, variant), Evidence::emulator,
                  "Bochs (d651ee9c), cpu/avx/amx_top.cc, op4mxf8_subtile(), after section 14.1 of "
                  "the specification of ACE v1");
}

// Arm

Algorithm make_bfdot(const DotFormats& formats, std::string_view variant) {
  if (variant == kEbf) return PairDotAdd{true, false, {formats.d, Rounding::nearest_even}};
  return PairDotAdd{false, true, {formats.d, Rounding::to_odd, Underflow::flush}};
}

Algorithm make_pair(const DotFormats& formats, std::string_view) {
  return PairDotAdd{true, false, {formats.d, Rounding::nearest_even}};
}

std::vector<Provenance> bfdot_sources(const DotFormats& formats, std::string_view variant) {
  const std::string manual = "Arm DDI 0487, BFDotAdd()";
  return all_from(make_bfdot(formats, variant), Evidence::documented,
                  variant == kEbf ? manual + " with FPCR.EBF = 1, other fields 0"
                                  : manual + " with FPCR.EBF = 0; QEMU 7.2 agrees");
}

std::vector<Provenance> fmopa_sources(const DotFormats& formats, std::string_view variant) {
  return all_from(make_pair(formats, variant), Evidence::documented,
                  "Arm DDI 0487, FPDotAdd_ZA(), FPCR 0; QEMU 7.2 agrees");
}

std::vector<Provenance> arm_fma_sources(const DotFormats& formats, std::string_view variant) {
  return all_from(make_fma(formats, variant), Evidence::documented,
                  "Arm DDI 0487, FPMulAdd(), FPCR 0; QEMU 7.2 agrees");
}

/// FP8: products and c are summed exactly and rounded once.
Algorithm make_arm_fp8(const DotFormats& formats, std::string_view) {
  return ExactDotAdd{formats.k, {formats.d, Rounding::nearest_even}};
}

std::vector<Provenance> arm_fp8_sources(const DotFormats& formats, std::string_view variant) {
  return all_from(make_arm_fp8(formats, variant), Evidence::documented,
                  "Arm DDI 0487, FDOT and FMMLA of 8-bit floating point: a fused sum of products, "
                  "added without intermediate rounding; FPMR.LSCALE, FPMR.OSM and FPCR 0; the text "
                  "does not give a zero's sign");
}

std::vector<std::string> ebf(const DotFormats&) { return {std::string(kEbf)}; }

// Power10

std::vector<Provenance> power_pair_sources(const DotFormats& formats, std::string_view variant) {
  return all_from(make_pair(formats, variant), Evidence::documented,
                  "Power ISA 3.1, VSX matrix-multiply assist, rank-2 updates; QEMU 7.2 agrees");
}

std::vector<Provenance> power_fma_sources(const DotFormats& formats, std::string_view variant) {
  return all_from(make_fma(formats, variant), Evidence::documented,
                  "Power ISA 3.1, VSX matrix-multiply assist, rank-1 updates; QEMU 7.2 agrees");
}

// RISC-V

int ceil_log2(int x) {
  int n = 0;
  while ((1 << n) < x) ++n;
  return n;
}

Algorithm make_bulk(const DotFormats& formats, std::string_view variant) {
  return BulkNormalizedDotAdd{formats.k,
                              ceil_log2(formats.k),
                              variant == kPseudoCode ? BulkResult::pseudo_code : BulkResult::to_odd,
                              {formats.d, Rounding::to_odd}};
}

std::vector<Provenance> bulk_sources(const DotFormats& formats, std::string_view variant) {
  const Algorithm algorithm = make_bulk(formats, variant);
  if (variant == kPseudoCode) {
    return all_from(algorithm, Evidence::documented,
                    "RISC-V Instruction Set Manual, Zvdota and Zvbdota, the functional "
                    "description BulkNormalizedDotProduct(), word for word");
  }
  return all_from(algorithm, Evidence::emulator,
                  "Spike (riscv-isa-sim 55b4658d), bulknormdot.h and zvbdot.h; the manual's text "
                  "says so too, its pseudo-code does not: docs/contradictions.md");
}

std::vector<std::string> pseudo_code(const DotFormats&) { return {std::string(kPseudoCode)}; }

// Apple

/// An FMA an element, with subnormal numbers and one NaN (FPCR.DN).
std::vector<Provenance> apple_sources(const DotFormats& formats, std::string_view variant) {
  const bool is_bf16 = *formats.a == formats::bf16;
  return all_from(make_fma(formats, variant), Evidence::emulator,
                  std::string("corsix/amx 483714bb, ") + (is_bf16 ? "matfp.c" : "fma.c") +
                      ": a program in C, whose tests compare it with the chip that they run on (" +
                      (is_bf16 ? "M2 to M4)" : "M1 to M4)"));
}

const ParameterSet kVfmadd = {"x86-fma", make_fma, vfmadd_sources, no_variants, false};
const ParameterSet kVdpbf16ps = {"x86-vdpbf16ps", make_vdpbf16ps, vdpbf16ps_sources, no_variants,
                                 false};
const ParameterSet kAmx = {"x86-amx", make_amx, amx_sources, amx_variants, false};
const ParameterSet kAce = {"x86-ace", make_ace, ace_sources, no_variants, false};
const ParameterSet kAceMx = {"x86-ace-mx", make_ace_mx, ace_mx_sources, no_variants, false};
const ParameterSet kAmxFp8 = {"x86-amx-fp8", make_amx_fp8, amx_fp8_sources, no_variants, false};
const ParameterSet kArmFp8 = {"arm-fp8", make_arm_fp8, arm_fp8_sources, no_variants, false};
const ParameterSet kBfdot = {"arm-bfdot", make_bfdot, bfdot_sources, ebf, false};
const ParameterSet kFmopa = {"arm-fmopa", make_pair, fmopa_sources, no_variants, false};
const ParameterSet kArmFma = {"arm-fma", make_fma, arm_fma_sources, no_variants, false};
const ParameterSet kPowerPair = {"power-pair", make_pair, power_pair_sources, no_variants, false};
const ParameterSet kPowerFma = {"power-fma", make_fma, power_fma_sources, no_variants, false};
const ParameterSet kApple = {"apple-amx", make_fma, apple_sources, no_variants, false};
const ParameterSet kBulk = {"riscv-bulk", make_bulk, bulk_sources, pseudo_code, false};

}  // namespace

std::optional<Instruction> ace_integers(const std::string& mnemonic) {
  if (mnemonic != "top4mxbssps") return std::nullopt;
  const Algorithm sums = Composed{std::make_shared<ScaledSums>()};
  return Instruction{
      "x86",
      mnemonic,
      "",
      formats_of("x86", mnemonic),
      sums,
      all_from(sums, Evidence::emulator,
               "Bochs (63cec9dc), cpu/avx/amx_top.cc, TOP4MXBSSPS, after section 14.2 "
               "of the specification of ACE v1"),
      false};
}

const std::vector<CatalogueRow>& cpu_rows() {
  static const std::vector<CatalogueRow> rows = {
      {"x86", "vdpbf16ps", &kVdpbf16ps},
      {"x86", "vfmadd231ps", &kVfmadd},
      {"x86", "vfmadd231pd", &kVfmadd},
      {"x86", "tdpbf16ps", &kAmx},
      {"x86", "tdpfp16ps", &kAmx},
      {"x86", "top2bf16ps", &kAce},
      {"x86", "top4mxbf8ps", &kAceMx},
      {"x86", "top4mxbhf8ps", &kAceMx},
      {"x86", "top4mxhbf8ps", &kAceMx},
      {"x86", "top4mxhf8ps", &kAceMx},
      {"x86", "tdpbf8ps", &kAmxFp8},
      {"x86", "tdpbhf8ps", &kAmxFp8},
      {"x86", "tdphbf8ps", &kAmxFp8},
      {"x86", "tdphf8ps", &kAmxFp8},
      {"arm", "bfdot", &kBfdot},
      {"arm", "bfmmla", &kBfdot},
      {"arm", "bfmopa", &kBfdot},
      {"arm", "fmopa.f32.f16", &kFmopa},
      {"arm", "fmopa.f32", &kArmFma},
      {"arm", "fmopa.f64", &kArmFma},
      {"arm", "fdot.f16.e4m3.e4m3", &kArmFp8},
      {"arm", "fdot.f16.e5m2.e5m2", &kArmFp8},
      {"arm", "fdot.f32.e4m3.e4m3", &kArmFp8},
      {"arm", "fdot.f32.e4m3.e5m2", &kArmFp8},
      {"arm", "fdot.f32.e5m2.e4m3", &kArmFp8},
      {"arm", "fdot.f32.e5m2.e5m2", &kArmFp8},
      {"arm", "fmmla.f16.e4m3.e4m3", &kArmFp8},
      {"arm", "fmmla.f16.e5m2.e5m2", &kArmFp8},
      {"arm", "fmmla.f32.e4m3.e4m3", &kArmFp8},
      {"arm", "fmmla.f32.e4m3.e5m2", &kArmFp8},
      {"arm", "fmmla.f32.e5m2.e4m3", &kArmFp8},
      {"arm", "fmmla.f32.e5m2.e5m2", &kArmFp8},
      {"arm", "fmla.f32", &kArmFma},
      {"arm", "fmla.f64", &kArmFma},
      {"power10", "xvbf16ger2pp", &kPowerPair},
      {"power10", "xvf16ger2pp", &kPowerPair},
      {"power10", "xvf32gerpp", &kPowerFma},
      {"power10", "xvf64gerpp", &kPowerFma},
      {"riscv", "vfwbdot.f32.bf16.bf16.n4", &kBulk},
      {"riscv", "vfwbdot.f32.bf16.bf16.n8", &kBulk},
      {"riscv", "vfwbdot.f32.bf16.bf16.n16", &kBulk},
      {"riscv", "vfqbdot.f32.e4m3.e4m3.n16", &kBulk},
      {"riscv", "vfqbdot.f32.e4m3.e5m2.n16", &kBulk},
      {"riscv", "vfqbdot.f32.e5m2.e4m3.n16", &kBulk},
      {"riscv", "vfqbdot.f32.e5m2.e5m2.n16", &kBulk},
      {"apple", "fma64", &kApple},
      {"apple", "fma32", &kApple},
      {"apple", "fma16", &kApple},
      {"apple", "fma16.f32", &kApple},
      {"apple", "matfp.f32.bf16", &kApple},
      {"apple", "matfp.bf16.bf16", &kApple},
  };
  return rows;
}

}  // namespace mmaspec
