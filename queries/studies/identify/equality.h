#pragma once
/// Decides whether all designs that fit compute the same function.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "queries/ask/question.h"
#include "queries/studies/identify/space/version_space.h"
#include "solver/solver.h"

namespace mmaspec {

struct EqualityOptions {
  Strategies strategies;
  Deadline deadline;
  double pair_seconds = 10;  ///< time limit for a pair of designs that are not the same expression
};

struct Equality {
  bool proved = false;
  std::optional<DotValues> witness;    ///< an input on which two fitting designs differ
  std::size_t expressions = 0;         ///< number of classes of designs that are the same
                                       ///< expression
  std::vector<std::string> by;         ///< what proved that two classes are equal
  std::vector<std::string> undecided;  ///< undecided designs, or why there are more
};

/// Whether every survivor gives the results of `representative` on all inputs (with c = +0 if the
/// space has no c). All NaNs are equal. Stops at the first input on which one does not.
Equality all_equal(const VersionSpace& survivors, const Algorithm& representative,
                   const EqualityOptions& options, const Portfolio& solvers);

/// The same for two designs of the same formats.
Equality two_equal(const Algorithm& first, const Algorithm& second, const DotFormats& formats,
                   const EqualityOptions& options, const Portfolio& solvers);

}  // namespace mmaspec
