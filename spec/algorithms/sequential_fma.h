#pragma once
/// Sequential fused multiply-add (SFMA): f64 tensor cores, AMD's f64 and f32 matrix cores.

#include "spec/algorithms/dot_add.h"
#include "spec/formats/round.h"

namespace mmaspec {

/// d = fma(a[K-1], b[K-1], ... fma(a[0], b[0], c)), each rounded once. MMA-Sim section IV-A.
struct SequentialFma {
  ResultFormat result;  ///< of every step
};

Algorithm algorithm(const SequentialFma& design);

}  // namespace mmaspec
