#pragma once
/// "On which inputs do these two differ?"

#include <functional>
#include <string>
#include <vector>

#include "queries/condition.h"
#include "queries/design.h"
#include "queries/difference.h"
#include "queries/question.h"
#include "queries/vacuity.h"
#include "queries/vectors.h"
#include "spec/formats/unpack.h"

namespace mmaspec {

struct DiffOptions {
  Difference difference;
  InputClass inputs = InputClass::finite;
  PairOptions pairing;
  /// What inputs must satisfy besides: a condition on the first one's operands and result.
  Condition where = {};
  int count = 1;  ///< witnesses wanted; each two of them differ in the sign or exponent of a result
  Strategies strategies;
  bool shrink = true;  ///< make witnesses simple
};

/// An input on which the two differ, confirmed by the exact evaluator.
struct Witness {
  VectorRow row;  ///< values in the first one's formats; instruction, d, other, d_other, ulp set
};

struct DiffResult {
  Verdict verdict = Verdict::unknown;  ///< unsatisfiable: proved that they never differ so
  std::vector<Witness> witnesses;
  bool exhausted = false;           ///< fewer than `count` because no further unlike witness exists
  std::string how;                  ///< who decided it, or why it is undecided
  Vacuity vacuity = Vacuity::none;  ///< proved: whether there is any input of which it is
  double seconds = 0;
  Pair pair;
  std::vector<AttemptReport> attempts;  ///< all, of all witnesses
};

/// Throws std::invalid_argument if the two cannot be compared, Contradiction.
DiffResult diff(const Instruction& first, const Instruction& second, const DiffOptions& options,
                const Portfolio& solvers);

/// Whether any input satisfies the condition; asked before options.strategies.deadline.
Vacuity vacuity_of(const Pair& pair, const DiffOptions& options, const Portfolio& solvers);

/// The witness simplified as far as it stays one.
Witness shrunk(const Instruction& first, const Instruction& second, const DiffOptions& options,
               const Witness& witness);

}  // namespace mmaspec
