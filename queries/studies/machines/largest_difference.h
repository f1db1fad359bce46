#pragma once
/// How far apart the results of two come on random data.

#include <functional>
#include <optional>
#include <vector>

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

/// Gets each block of rows: operands of the first one's formats, both results, and the rows that
/// count.
using EachBlock =
    std::function<void(const Lanes& inputs, const std::vector<double>& first,
                       const std::vector<double>& second, const std::vector<bool>& counts)>;

/// Draws `count` rows, fewer where the deadline passes, of the first one's formats, which are those
/// of `data`; the second gets the same values.
LargestDifference largest_difference(const Pair& pair, const Condition& where, TypicalData data,
                                     std::size_t count, const Deadline& deadline,
                                     const EachBlock& each_block = {});

}  // namespace mmaspec
