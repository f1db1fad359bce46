#pragma once
/// A second implementation of the dot products of vector units, from the text of manuals and
/// characterizations: chains of FMAs, Arm's and Power's pairs, RISC-V's bulk normalization, the
/// grids of RDNA3 and RDNA4.

#include "tests/support/reference/design.h"

namespace mmaspec::reference {

/// The pattern of d.
std::uint64_t vector_unit_result(const Design& design, const Operands& operands);

}  // namespace mmaspec::reference
