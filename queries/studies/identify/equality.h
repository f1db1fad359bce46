#pragma once
/// Whether all designs that fit are one computation.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "queries/ask/question.h"
#include "queries/studies/identify/space/survivors.h"
#include "solver/solver.h"

namespace mmaspec {

struct EqualityOptions {
  Strategies strategies;
  Deadline deadline;
  double pair_seconds = 10;  ///< of one pair of designs that are not one expression
};

struct Equality {
  bool proved = false;
  std::optional<DotValues> witness;    ///< an input on which two that fit differ
  std::size_t expressions = 0;         ///< classes of designs that are each one expression
  std::vector<std::string> by;         ///< who proved that two classes are equal
  std::vector<std::string> undecided;  ///< designs of which it is not known, or why there are more
};

/// Whether every survivor gives the results of `representative`, on all inputs (with c = +0 if the
/// space has no c), any NaN being equal to any. Stops at the first input on which one does not.
Equality all_equal(const Survivors& survivors, const Algorithm& representative,
                   const EqualityOptions& options, const Portfolio& solvers);

/// The same of two designs of the same formats.
Equality two_equal(const Algorithm& first, const Algorithm& second, const DotFormats& formats,
                   const EqualityOptions& options, const Portfolio& solvers);

}  // namespace mmaspec
