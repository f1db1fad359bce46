#pragma once
/// The largest difference between the results of two instructions on random data.

#include <functional>
#include <optional>
#include <vector>

#include "concrete/dot/model.h"
#include "queries/draw/typical.h"
#include "queries/statement/condition.h"
#include "queries/statement/pairing.h"
#include "spec/formats/text.h"
#include "util/deadline.h"

namespace mmaspec {

struct LargestDifference {
  std::size_t rows = 0;  ///< number of rows that satisfy the condition and whose operands both
                         ///< formats hold
  Rational largest = 0;  ///< exact; over results that are both finite
  std::size_t not_finite = 0;      ///< number of rows with an infinite or NaN result
  std::optional<DotValues> worst;  ///< the first row with the largest difference; nullopt if that
                                   ///< is 0
};

/// Called for each block of rows: operands in the first one's formats, both results, and which rows
/// count.
using EachBlock =
    std::function<void(const Lanes& inputs, const std::vector<double>& first,
                       const std::vector<double>& second, const std::vector<bool>& counts)>;

/// Draws `count` rows, or fewer if the deadline passes. Rows have the formats of the first
/// instruction, which must be those of `data`; the second gets the same values.
LargestDifference largest_difference(const Pair& pair, const Condition& where, TypicalData data,
                                     std::size_t count, const Deadline& deadline,
                                     const EachBlock& each_block = {});

}  // namespace mmaspec
