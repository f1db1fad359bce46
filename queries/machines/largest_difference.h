#pragma once
/// How far apart the results of two come on random data.

#include <optional>

#include "concrete/dot/model.h"
#include "queries/ask/condition.h"
#include "queries/ask/pairing.h"
#include "queries/draw/typical.h"
#include "spec/formats/text.h"
#include "util/deadline.h"

namespace mmaspec {

struct LargestDifference {
  std::size_t rows = 0;  ///< of which the condition holds, and whose operands both formats hold
  Rational largest = 0;  ///< exact, of results that are both finite
  std::size_t not_finite = 0;      ///< rows of which a result is an infinity or a NaN
  std::optional<DotValues> worst;  ///< the first row with the largest difference, if that is not 0
};

/// Draws `count` rows (TypicalData, `seed`), fewer where the deadline passes, of the first one's
/// formats; the second gets the same values.
LargestDifference largest_difference(const Pair& pair, const Condition& where,
                                     Distribution distribution, std::size_t count, unsigned seed,
                                     const Deadline& deadline);

}  // namespace mmaspec
