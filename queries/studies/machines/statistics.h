#pragma once
/// How often two instructions differ on given data.

#include <cstddef>
#include <functional>
#include <vector>

#include "queries/statement/condition.h"
#include "queries/statement/pairing.h"
#include "util/deadline.h"

namespace mmaspec {

struct Statistics {
  std::size_t results = 0;   ///< number of dot products whose operands both sets of formats hold
  std::size_t left_out = 0;  ///< number of other rows: some format does not hold the operands
  std::size_t unmet = 0;     ///< number of other rows: they do not satisfy the condition
  std::size_t differ = 0;
  bool out_of_time = false;  ///< the deadline passed before all rows were evaluated
  /// Median and maximum of the distances that are not zero, in ulp of the first one's results.
  /// Infinite if the distance exceeds every bound.
  double median_ulp = 0;
  double largest_ulp = 0;
  /// The largest |d - d_other| / (|c| + sum |a||b|) over results that are both numbers.
  double largest_relative = 0;

  double share() const {
    return results == 0 ? 0 : static_cast<double>(differ) / static_cast<double>(results);
  }
};

/// Returns at most `most` further dot products; empty: there are no more.
using NextProducts = std::function<std::vector<DotValues>(std::size_t most)>;

/// Statistics of operands in the first one's formats, one block at a time. An operand that the
/// second one's formats do not hold is rounded into them and back. `where` is a condition on these
/// operands and the first one's result; empty: all rows count.
Statistics statistics(const Pair& pair, const NextProducts& next, const Condition& where = {},
                      const Deadline& deadline = {});

}  // namespace mmaspec
