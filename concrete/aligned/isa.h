#pragma once
/// Instruction sets that the kernels are there for.

#include <string_view>
#include <vector>

#include "concrete/aligned/kernels/kernel.h"

namespace mmaspec::aligned {

/// `none`: no kernel, designs run as programs of the batch evaluator.
enum class Isa { none, avx2, avx512, fastest };
std::string_view to_string(Isa isa);

/// Those that this machine and this build have, without `none` and `fastest`, the fastest last.
const std::vector<Isa>& isas();

/// nullptr for `none`, and for `fastest` where there are none. Throws std::logic_error for what
/// isas() does not have.
const Kernels* kernels_of(Isa isa);

}  // namespace mmaspec::aligned
