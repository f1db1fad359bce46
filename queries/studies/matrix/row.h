#pragma once
/// The result for one pair of designs.

#include <optional>
#include <string>
#include <string_view>

#include "concrete/rows/row.h"
#include "queries/statement/justification.h"
#include "queries/statement/pairing.h"
#include "util/json.h"

namespace mmaspec {

enum class PairVerdict { equal, differ, undecided };
std::string_view to_string(PairVerdict verdict);

/// The most ordinary kind of inputs on which two designs were found to differ. More ordinary inputs
/// were tried; some that differ may exist.
enum class Takes {
  ordinary,      ///< ordinary data in [0, 1)
  both_signs,    ///< ordinary data of both signs
  unlike_sizes,  ///< terms of different magnitudes
  cancellation,  ///< the sum is less than 1/16 of the sum of its terms' magnitudes
  subnormal,     ///< a subnormal operand or result
  overflow,      ///< a result that is not finite
};
std::string_view to_string(Takes takes);
Takes takes_named(std::string_view text);

struct PairRow {
  PairVerdict verdict = PairVerdict::undecided;
  /// equal: the justification, as by() prints it (what follows from proofs of other pairs of the
  /// frame is a derivation, or an argument if it follows by arguments only); differ: what found the
  /// witness.
  std::string by;
  std::string through = {};     ///< if it follows from other pairs: a design that both equal
  double before_arguments = 0;  ///< if by argument: MatrixOptions::before_arguments when it was
                                ///< asked
  std::string how = {};         ///< undecided: the reason
  double timeout = 0;           ///< undecided: the time limit in seconds
  std::string solver = {};      ///< undecided: the solver
  bool contradiction = false;

  // For pairs that differ:
  Takes takes = Takes::overflow;
  /// The largest difference found between two numbers, in ulp of the first one's results
  /// (queries/numbers/difference.h); "0" if the results never were two numbers.
  std::string ulp;
  /// The largest value found of |d - d_other| / (|c| + sum |a||b|), rounded.
  double relative = 0;
  bool unbounded = false;            ///< on some input exactly one result was a number
  std::optional<VectorRow> witness;  ///< of the most ordinary inputs
  std::optional<VectorRow> worst;    ///< with the largest ulp, if that is another input
};

bool rests_on_argument(const PairRow& row);
/// Equal by an analytical proof before which solvers had less than `before_arguments` seconds.
bool rests_on_argument(const PairRow& row, double before_arguments);

/// The members of the row as an object. `pair`: the instructions named `first` and `second`, with
/// equal K.
Json to_json(const PairRow& row, const Pair& pair);
/// Throws std::exception if the object is not a row of this pair.
PairRow pair_row_of(const Json& object, const Pair& pair);

/// True if exact evaluation of both designs gives the row's results, and these differ as values.
bool is_confirmed(const PairRow& row, const Pair& pair);

}  // namespace mmaspec
