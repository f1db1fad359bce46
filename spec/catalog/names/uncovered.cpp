// Hardware that is not in the catalogue, and what is known of it.
#include "spec/catalog/names/uncovered.h"

namespace mmaspec {

const std::vector<UncoveredHardware>& uncovered_hardware() {
  static const std::string kRecorded =
      "recorded results of its instructions on discriminating inputs (mmaspec suite, mmaspec "
      "replay)";
  static const std::string kNothing = "no public evidence describes its results bit by bit";
  static const std::vector<UncoveredHardware> all = {
      {"NVIDIA Blackwell Ultra",
       {"b300", "gb300", "sm103", "sm103a", "blackwellultra"},
       kNothing + "; the nearest covered unit is blackwell (B200)",
       kRecorded},
      {"NVIDIA GB10",
       {"gb10", "dgxspark", "sm121", "sm121a"},
       kNothing + "; the nearest covered unit is rtx-blackwell",
       kRecorded},
      {"NVIDIA Jetson Thor", {"thor", "sm101", "sm110"}, kNothing, kRecorded},
      {"NVIDIA Pascal, AMD Vega 20",
       {"p100", "gtx1080", "gtx1080ti", "sm60", "sm61", "gfx906", "mi50", "mi60"},
       "it has no matrix unit",
       ""},
      {"Intel Gaudi", {"gaudi", "gaudi2", "gaudi3"}, kNothing, kRecorded},
      {"Intel XMX", {"xmx", "pvc", "max1550", "arc", "battlemage"}, kNothing, kRecorded},
      {"Google TPU",
       {"tpu", "tpuv4", "tpuv5e", "tpuv5p", "trillium", "ironwood"},
       "operands of f32 are multiplied as bf16 (PyTorch/XLA, tutorial on precision); " + kNothing,
       "results of single matrix products with operands chosen freely"},
      {"AWS Trainium and Inferentia",
       {"trainium", "trainium2", "inferentia"},
       kNothing,
       "results of single matrix products with operands chosen freely"},
      {"Huawei Ascend",
       {"ascend", "ascend910b"},
       "its instruction library (hw-native-sys/pto-isa) has a model of the cube unit",
       kRecorded},
      {"RISC-V IME, implementations and psm=1",
       {"ime", "zvvm", "zvmm"},
       "the draft of the Integrated Matrix Extension lets each implementation choose a grouping, a "
       "reduction and a rounding. Its integer instructions are riscv/v*mmacc.* and "
       "riscv/vf*immacc.*. Those of floating-point numbers with exact partial sums (psm=0) are "
       "riscv/vf*mmacc.*. The dot products of Zvdota and Zvbdota are riscv/vf*bdot.*",
       "the reductions (psm=1) that implementations will disclose as SAIL fragments, a statement "
       "on overflow of OFP8 results and of rounding to odd, and a ratified specification"},
      {"RISC-V AME",
       {"ame"},
       "its draft (riscv/riscv-attached-matrix-extension 4a4722be, "
       "src/instruction_semantics.adoc) adds products to the accumulator in a deterministic order "
       "that each implementation chooses. It leaves rounding, fused products, overflow and "
       "saturation of mmulacc to the documentation of each implementation",
       "the documentation of an implementation, or a draft that fixes the order and the roundings"},
      {"Tenstorrent Quasar, Grayskull",
       {"quasar", "grayskull", "tenstorrent"},
       kNothing + "; the covered chips of this vendor are wormhole and blackhole",
       kRecorded},
      {"Apple GPU and Neural Engine", {"applegpu", "ane", "m5"}, kNothing, kRecorded},
      {"IBM Spyre",
       {"spyre"},
       "its 16-bit format is published (US patent 10656913, DLFloat: 6 exponent and 9 fraction "
       "bits, rounding to nearest up, no subnormal numbers, one symbol for NaN and infinity); how "
       "its sums are computed is not",
       kRecorded},
      {"Sony PSP, vector unit",
       {"psp", "vfpu", "allegrex"},
       "the emulator PPSSPP computes vdot.q (vfpu_dot_reference(), after results of a PSP; its "
       "issue 21070), which has no c. With c = +0 it is the design rounded-product-dot-add(a=f32,"
       "c=f32,k=4,product_bits=25,fraction_bits=25,sum_bits=23,flush_inputs=yes,"
       "underflow=flush-tiny)",
       "results of a PSP that are published as bit patterns"},
      {"Qualcomm Hexagon", {"hexagon"}, kNothing, kRecorded},
      {"Groq", {"groq"}, kNothing, kRecorded},
      {"Cerebras", {"cerebras"}, kNothing, kRecorded},
  };
  return all;
}

}  // namespace mmaspec
