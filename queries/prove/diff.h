#pragma once
/// "On which inputs do these two differ?"

#include <functional>
#include <string>
#include <vector>

#include "queries/ask/condition.h"
#include "queries/ask/pairing.h"
#include "queries/ask/question.h"
#include "queries/ask/vacuity.h"
#include "queries/draw/fitting.h"
#include "queries/numbers/difference.h"
#include "spec/formats/unpack.h"
#include "vectors/row.h"

namespace mmaspec {

struct DiffOptions {
  Difference difference;
  InputClass inputs = InputClass::finite;
  PairOptions pairing;
  /// What inputs must satisfy besides: a condition on the first one's operands and result.
  Condition where = {};
  int count = 1;  ///< witnesses wanted; each two of them differ in the sign or exponent of a result
  Strategies strategies;
  bool shrink = true;   ///< make witnesses simple
  bool vacuity = true;  ///< of a proof, look whether there is anything of which it is
};

/// An input on which the two differ, confirmed by the exact evaluator.
struct Witness {
  VectorRow row;  ///< values in the first one's formats; instruction, d, other, d_other, ulp set
};

struct DiffResult {
  Verdict verdict = Verdict::unknown;  ///< unsatisfiable: proved that they never differ so
  std::vector<Witness> witnesses;
  bool exhausted = false;  ///< fewer than `count` because no further unlike witness exists
  Grounds grounds;
  Vacuity vacuity = Vacuity::none;  ///< proved: whether there is any input of which it is
  double seconds = 0;
  Pair pair;
  std::vector<AttemptReport> attempts;  ///< all, of all witnesses
};

/// Throws std::invalid_argument if the two cannot be compared, Contradiction.
DiffResult diff(const Instruction& first, const Instruction& second, const DiffOptions& options,
                const Portfolio& solvers);

/// What holds of every input that is asked about, on the joint graph, which is the current one.
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

/// Whether any input satisfies the condition; asked before options.strategies.deadline.
Vacuity vacuity_of(const Pair& pair, const DiffOptions& options, const Portfolio& solvers);

}  // namespace mmaspec
