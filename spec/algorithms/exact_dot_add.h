#pragma once
/// Exact dot-add: the sum as by a Kulisch accumulator, rounded once. An ideal to compare with, and
/// Khattak and Mikaitis's model of MI100.

#include "spec/algorithms/terms.h"

namespace mmaspec {

/// d = round(c + sum a[k] * b[k]) with nothing lost before the one rounding; a K beyond `block` is
/// a chain. The accumulator has one zero: an exact zero is +0; a negative sum that rounds to zero
/// is -0. U. Kulisch, Computer Arithmetic and Validity, 2nd ed., chapter 8.
struct ExactDotAdd {
  int block;
  ResultFormat result;
};

Algorithm algorithm(const ExactDotAdd& design);

}  // namespace mmaspec
