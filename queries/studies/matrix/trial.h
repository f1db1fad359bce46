#pragma once
/// Tries inputs on all designs of a unit at once, which separates most pairs.

#include <vector>

#include "queries/studies/matrix/plan.h"
#include "queries/studies/matrix/row.h"

namespace mmaspec {

/// The result of a trial for a pair: equal as one expression, or different on inputs that the exact
/// evaluator confirmed.
struct TriedPair {
  DesignPair pair;
  PairRow row;  ///< its witnesses do not name instructions
};

struct TrialResult {
  std::vector<TriedPair> decided;
  std::vector<DesignPair> open;  ///< undecided pairs; for equal expressions only the first pair
  /// For every design of the unit, the first one with the same expression (and result format).
  std::vector<DesignPair> same;
};

/// Depends only on the unit's designs and the seed. Throws Contradiction if the batch evaluator and
/// the exact one disagree.
TrialResult try_inputs(const std::vector<MatrixDesign>& designs, const Unit& unit, unsigned seed);

/// The design with the K of the frame.
Instruction in_frame(const MatrixDesign& design, const Frame& frame);

}  // namespace mmaspec
