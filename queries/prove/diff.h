#pragma once
/// Finds inputs on which two units differ, or proves that there are none.

#include <functional>
#include <string>
#include <vector>

#include "concrete/rows/row.h"
#include "queries/ask/question.h"
#include "queries/ask/vacuity.h"
#include "queries/draw/fitting.h"
#include "queries/goals/stated_difference.h"
#include "queries/numbers/difference.h"
#include "spec/formats/unpack.h"

namespace mmaspec {

struct DiffOptions {
  Difference difference;
  InputClass inputs = InputClass::finite;
  PairOptions pairing;
  /// The precondition: a condition on the first unit's operands and result.
  Condition where = {};
  int count = 1;  ///< number of witnesses; any two differ in the sign or exponent of a result
  Strategies strategies;
  bool shrink = true;   ///< simplify witnesses
  bool vacuity = true;  ///< check whether a proof is vacuous
};

/// An input on which the two differ, confirmed by the exact evaluator.
struct Witness {
  VectorRow row;  ///< values in the first one's formats; instruction, d, other, d_other, ulp set
};

struct DiffResult {
  Verdict verdict = Verdict::unknown;  ///< unsatisfiable: proved that they never differ
  std::vector<Witness> witnesses;
  bool exhausted = false;  ///< fewer than `count` because there are no further different witnesses
  Justification justification;
  Vacuity vacuity = Vacuity::none;  ///< if proved: whether the proof is vacuous
  double seconds = 0;
  Pair pair;
  std::vector<AttemptReport> attempts;  ///< all attempts for all witnesses
};

/// Throws std::invalid_argument if the two cannot be compared, and Contradiction.
DiffResult diff(const Instruction& first, const Instruction& second, const DiffOptions& options,
                const Portfolio& solvers);

/// Candidates for inputs that satisfy the premises, as patterns of `formats`. If
/// options.pairing.match is by values, they are numbers that `others`, the second one's formats,
/// hold too. `fitting` is made from the premises; nullptr: drawn operands only have to belong to
/// the class.
Candidates draws(const DotFormats& formats, const DotFormats& others, const DiffOptions& options,
                 const Fitting* fitting, unsigned seed);

/// An additional condition on the patterns of two results.
using OfResults = std::function<bool(const Integer& d_first, const Integer& d_second)>;

/// The witness for operands that `who` found. If options.shrink, it is simplified until the
/// deadline while it stays a witness with `wanted` results. Throws Contradiction if it is not a
/// witness.
Witness witness_of(const Pair& pair, const DiffOptions& options, const DotValues& values,
                   const std::string& who, const OfResults& wanted, const Deadline& deadline,
                   const Progress& progress);

/// Whether any input satisfies the precondition; decided before options.strategies.deadline.
Vacuity vacuity_of(const Pair& pair, const DiffOptions& options, const Portfolio& solvers);

}  // namespace mmaspec
