#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hardware/replay/device/common/packing.h"

/// The instructions that `mmaspec-replay-cuda` accepts, as data. Nothing here needs CUDA.
namespace mmaspec::replay::cuda {

enum class Type { f64, tf32, bf16, f16, e4m3, e5m2, e3m2, e2m3, e2m1, s8, u8, s4, u4 };

/// Which kernel runs an instruction.
enum class Family {
  mma_sync,  ///< `mma`, by name: the types are part of the machine instruction
  wgmma,     ///< by name, n = 8
  tcgen05,   ///< by kind: the types are in the instruction descriptor
};

/// The `.kind::` of tcgen05.mma.
enum class Kind { none, f16, tf32, f8f6f4, mxf8f6f4, mxf4, mxf4nvf4 };

struct Instruction {
  std::string name;  ///< the mnemonic; of wgmma and tcgen05 with the least n: n8 (tcgen05 with
                     ///< m128, dense: n16)
  Family family = Family::mma_sync;
  Kind kind = Kind::none;
  Type a = Type::f16;
  Type b = Type::f16;
  bool half_result = false;  ///< d is f16
  int scale_block = 0;       ///< elements to a scale factor, 0 where there are none
  bool scale_is_ue4m3 = false;
  OperandLayout layout;
  std::string needs;  ///< what runs it, for a person: "sm_90a"
};

/// Every accepted instruction once.
const std::vector<Instruction>& instructions();

/// The index in `instructions()` of `<arch>/<mnemonic>[@variant]`: -1 if there is none, -2 if it is
/// AMD's. The arch is not compared with anything, any allowed n of wgmma and tcgen05 is accepted,
/// the variant is ignored: what is asked is what *this* device does.
int find_instruction(std::string_view instr);

}  // namespace mmaspec::replay::cuda
