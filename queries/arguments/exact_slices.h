#pragma once
/// When sums of slices have no error.

#include "spec/catalog/instruction.h"

namespace mmaspec {

/// Both are ozaki1 plans of the same slices, and no sum of products of slices is rounded or cut by
/// either one's unit: partial sums are integers below 2^(2 bits + log2 K), and that many bits are
/// kept below the largest exponent and of each result.
bool slices_are_summed_alike(const Instruction& first, const Instruction& second);

}  // namespace mmaspec
