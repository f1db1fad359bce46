#pragma once
/// What is known of one pair of designs.

#include <optional>
#include <string>
#include <string_view>

#include "concrete/rows/row.h"
#include "queries/ask/grounds.h"
#include "queries/ask/pairing.h"
#include "util/json.h"

namespace mmaspec {

enum class PairVerdict { equal, differ, undecided };
std::string_view to_string(PairVerdict verdict);

/// The mildest inputs on which two were seen to differ; milder ones were tried, and may exist.
enum class Takes {
  ordinary,      ///< ordinary data in [0, 1)
  both_signs,    ///< ordinary data of both signs
  unlike_sizes,  ///< terms of unlike sizes
  cancellation,  ///< the sum is less than 1/16 of the sum of its terms' magnitudes
  subnormal,     ///< a subnormal operand or result
  overflow,      ///< a result that is no finite number
};
std::string_view to_string(Takes takes);
Takes takes_named(std::string_view text);

struct PairRow {
  PairVerdict verdict = PairVerdict::undecided;
  /// equal: what stands behind the proof, as by() has it; what follows from proofs of other pairs
  /// of the same frame is a derivation, or an argument where it follows by arguments only; differ:
  /// who found the witness.
  std::string by;
  std::string through = {};     ///< where it follows so: a design that both equal
  double before_arguments = 0;  ///< by argument: MatrixOptions::before_arguments when it was asked
  std::string how = {};         ///< undecided: why
  double timeout = 0;           ///< undecided: what it was asked with
  std::string solver = {};      ///< undecided: by whom
  bool contradiction = false;

  // Of pairs that differ:
  Takes takes = Takes::overflow;
  /// The largest difference found of two numbers, in steps of the first one's results
  /// (queries/numbers/difference.h); "0" if they never were two numbers.
  std::string ulp;
  /// The largest found of |d - d_other| / (|c| + sum |a||b|), rounded.
  double relative = 0;
  bool unbounded = false;            ///< on some input one result was a number and the other none
  std::optional<VectorRow> witness;  ///< of the mildest inputs
  std::optional<VectorRow> worst;    ///< with the largest ulp, where that is another input
};

bool rests_on_argument(const PairRow& row);
/// Equal by an argument before which solvers had less than so many seconds.
bool rests_on_argument(const PairRow& row, double before_arguments);

/// The row's members; `pair` is what the names of `first` and `second` mean, brought to one K.
Json to_json(const PairRow& row, const Pair& pair);
/// Throws std::exception if the object is no row of this pair.
PairRow pair_row_of(const Json& object, const Pair& pair);

/// True if exact evaluation of both gives the row's results, and they are unlike values.
bool is_confirmed(const PairRow& row, const Pair& pair);

}  // namespace mmaspec
