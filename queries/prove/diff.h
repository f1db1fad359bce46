#pragma once
/// Finds inputs on which two units differ, or proves that there are none.

#include <functional>
#include <string>
#include <vector>

#include "concrete/rows/row.h"
#include "queries/ask/condition.h"
#include "queries/ask/pairing.h"
#include "queries/ask/question.h"
#include "queries/ask/vacuity.h"
#include "queries/draw/fitting.h"
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
  bool exhausted = false;  ///< fewer than `count` because no further unlike witness exists
  Grounds grounds;
  Vacuity vacuity = Vacuity::none;  ///< proved: whether the proof is vacuous
  double seconds = 0;
  Pair pair;
  std::vector<AttemptReport> attempts;  ///< all, of all witnesses
};

/// Throws std::invalid_argument if the two cannot be compared, Contradiction.
DiffResult diff(const Instruction& first, const Instruction& second, const DiffOptions& options,
                const Portfolio& solvers);

/// The conditions that every input of the question satisfies, on the joint graph, which is the
/// current one.
std::vector<NodeId> premises_of(const Pair& pair, const JointGraph& joint,
                                const DiffOptions& options);

/// Candidates for inputs on which premises hold, patterns of `formats`; where options.pairing.match
/// is by values, of numbers that `others` holds too, the second one's. `fitting`: made of the
/// premises; nullptr: drawn operands need no more than their class.
Candidates draws(const DotFormats& formats, const DotFormats& others, const DiffOptions& options,
                 const Fitting* fitting, unsigned seed);

/// What is wanted of the patterns of two results besides.
using OfResults = std::function<bool(const Integer& d_first, const Integer& d_second)>;

/// A witness of operands that `who` found, simplified until the deadline as far as it stays one and
/// its results are `wanted`, if options.shrink. Throws Contradiction if it is none.
Witness witness_of(const Pair& pair, const DiffOptions& options, const DotValues& values,
                   const std::string& who, const OfResults& wanted, const Deadline& deadline,
                   const Progress& progress);

/// Whether any input satisfies the precondition; decided before options.strategies.deadline.
Vacuity vacuity_of(const Pair& pair, const DiffOptions& options, const Portfolio& solvers);

}  // namespace mmaspec
