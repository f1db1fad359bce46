#pragma once
/// Proves that a fused multiply-add has no witness, by cases: the class of each operand, and
/// the difference between the exponents of the product and of c. In a case, shift amounts are
/// constants, and the product of the significands is a fresh variable. C. Jacobi, K. Weber, V.
/// Paruthi, J. Baumgartner: Automatic formal verification of fused-multiply-add FPUs (DATE 2005).

#include <array>
#include <string>

#include "encoder/bitvector.h"
#include "hardware/rtl/cases/operand_classes.h"
#include "solver/solver.h"
#include "util/deadline.h"

namespace mmaspec::rtl {

struct CaseReport {
  bool proved = false;    ///< the condition is false for all values
  std::size_t cases = 0;  ///< that were proved
  std::string reason;     ///< if it is not proved
};

/// Tries to prove that `condition` is false for all values of its variables. `operands`: a, b and
/// c. At most `jobs` processes; 0: as many as the machine has cores. Terms are added to `terms`.
CaseReport prove_by_cases(BvTerms& terms, TermId condition,
                          const std::array<SplitOperand, 3>& operands, const Portfolio& solvers,
                          int jobs, const Deadline& deadline);

}  // namespace mmaspec::rtl
