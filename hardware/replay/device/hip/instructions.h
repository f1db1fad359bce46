#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hardware/replay/device/common/packing.h"

/// The MFMA instructions that `mmaspec-replay-hip` accepts, as data. This header does not need HIP.
namespace mmaspec::replay::hip {

struct Instruction {
  std::string name;  ///< in the spelling of CDNA1 and CDNA2; instructions that only CDNA3 has in
                     ///< its spelling
  std::string operation;  ///< the compiler's builtin is __builtin_amdgcn_mfma_<operation>
  OperandLayout layout;
  std::string needs;
};

const std::vector<Instruction>& instructions();

/// The index in `instructions()` of `<arch>/<mnemonic>[@variant]`, in the spelling of any
/// generation. -1 if it is unknown, -2 if it is NVIDIA's.
int find_instruction(std::string_view instr);

}  // namespace mmaspec::replay::hip
