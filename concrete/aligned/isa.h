#pragma once
/// Instruction sets for which there are kernels.

#include <string_view>
#include <vector>

#include "concrete/aligned/kernels/kernel.h"

namespace mmaspec::aligned {

/// `none`: no kernel; designs are evaluated as programs of the batch evaluator.
enum class Isa { none, avx2, avx512, fastest };
std::string_view to_string(Isa isa);

/// Instruction sets that this machine and this build support, without `none` and `fastest`, in
/// ascending order of speed.
const std::vector<Isa>& isas();

/// nullptr for `none`, and for `fastest` if there are no kernels. Throws std::logic_error for a set
/// that isas() does not contain.
const Kernels* kernels_of(Isa isa);

}  // namespace mmaspec::aligned
