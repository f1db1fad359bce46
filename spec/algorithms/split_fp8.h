#pragma once
/// FP8 `mma.sync` on tensor cores that have no such instruction (Hopper, Blackwell): the assembler
/// writes two half-precision instructions and an addition in its place. No published model has it;
/// the machine code and recorded results of H100, H200 and B200 do:
/// docs/notes/fp8-mma-sync-on-hopper.md.

#include "spec/algorithms/fused_dot_add.h"

namespace mmaspec {

/// The products with k mod 4 in {0, 1} (the low half) and in {2, 3} (the high half) go through the
/// fused dot-add `half` one after the other; c is added last, rounded to nearest even in d's
/// format.
struct SplitFp8 {
  FusedDotAdd half;
  /// True: the high half starts from the low half's sum (assemblers since CUDA 12.8). False: from
  /// zero, and the two sums are added, rounded to nearest even (CUDA 12.4 to 12.6).
  bool chained_halves = true;
};

Algorithm algorithm(const SplitFp8& design);

}  // namespace mmaspec
