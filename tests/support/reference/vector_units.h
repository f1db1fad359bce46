#pragma once
/// The dot products of vector units once more, from the manuals' and the characterisations' words:
/// chains of FMAs, Arm's and Power's pairs, RISC-V's bulk normalization, RDNA3's and RDNA4's grids.

#include "tests/support/reference/design.h"

namespace mmaspec::reference {

/// The pattern of d.
std::uint64_t vector_unit_result(const Design& design, const Operands& operands);

}  // namespace mmaspec::reference
