#pragma once
/// One input tried on all designs of a unit at once, which parts most pairs.

#include <vector>

#include "queries/studies/matrix/plan.h"
#include "queries/studies/matrix/row.h"

namespace mmaspec {

/// What a trial says of a pair: equal as one expression, or different on inputs that the exact
/// evaluator confirmed.
struct TriedPair {
  DesignPair pair;
  PairRow row;  ///< witnesses name no instructions
};

struct TrialResult {
  std::vector<TriedPair> decided;
  std::vector<DesignPair> open;  ///< of each two expressions the first pair
  /// For every design of the unit, the first one that is the same expression (and result format).
  std::vector<DesignPair> same;
};

/// Follows from the unit's designs and the seed alone. Throws Contradiction if the batch evaluator
/// and the exact one disagree.
TrialResult try_inputs(const std::vector<MatrixDesign>& designs, const Unit& unit, unsigned seed);

/// The design of a pair's frame: brought to its K.
Instruction in_frame(const MatrixDesign& design, const Frame& frame);

}  // namespace mmaspec
