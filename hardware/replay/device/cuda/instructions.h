#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hardware/replay/device/common/packing.h"

/// The instructions that `mmaspec-replay-cuda` accepts, as data. This header does not need CUDA.
namespace mmaspec::replay::cuda {

enum class Type { f64, tf32, bf16, f16, e4m3, e5m2, e3m2, e2m3, e2m1, s8, u8, s4, u4 };

/// The kernel that executes an instruction.
enum class Family {
  mma_sync,  ///< `mma`, selected by name: the types are part of the machine instruction
  wgmma,     ///< selected by name, n = 8
  tcgen05,   ///< selected by kind: the types are in the instruction descriptor
};

/// The `.kind::` of tcgen05.mma.
enum class Kind { none, f16, tf32, f8f6f4, mxf8f6f4, mxf4, mxf4nvf4 };

struct Instruction {
  std::string name;  ///< the mnemonic; for wgmma and tcgen05 with the smallest n: n8 (tcgen05 with
                     ///< m128, dense: n16)
  Family family = Family::mma_sync;
  Kind kind = Kind::none;
  Type a = Type::f16;
  Type b = Type::f16;
  bool half_result = false;  ///< d is f16
  int scale_block = 0;       ///< number of elements for each scale factor; 0 if there are none
  bool scale_is_ue4m3 = false;
  OperandLayout layout;
  std::string needs;  ///< the required device, for people: "sm_90a"
};

/// Every accepted instruction, once.
const std::vector<Instruction>& instructions();

/// The index in `instructions()` of `<arch>/<mnemonic>[@variant]`. -1 if it is unknown, -2 if it is
/// AMD's. The architecture and the variant are ignored, and any allowed n of wgmma and tcgen05 is
/// accepted, because the question is what *this* device computes.
int find_instruction(std::string_view instr);

}  // namespace mmaspec::replay::cuda
