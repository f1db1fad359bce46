#pragma once
/// How often two differ on given data: statistics beside what is possible.

#include <cstddef>
#include <functional>
#include <vector>

#include "queries/ask/condition.h"
#include "queries/ask/pairing.h"
#include "util/deadline.h"

namespace mmaspec {

struct Statistics {
  std::size_t results = 0;   ///< dot products that both sets of formats hold the operands of
  std::size_t left_out = 0;  ///< others that were given: one's formats do not hold the operands
  std::size_t unmet = 0;     ///< others that were given: the condition does not hold of them
  std::size_t differ = 0;
  bool out_of_time = false;  ///< the deadline passed before all that was given was looked at
  /// Of those that differ, in steps of the first one's results: half are at most so far apart, and
  /// all. Infinite where the results are farther apart than any bound.
  double median_ulp = 0;
  double largest_ulp = 0;
  /// The largest |d - d_other| / (|c| + sum |a||b|) of two numbers.
  double largest_relative = 0;

  double share() const {
    return results == 0 ? 0 : static_cast<double>(differ) / static_cast<double>(results);
  }
};

/// The next dot products, as many or fewer; none: there are no more.
using NextProducts = std::function<std::vector<DotValues>(std::size_t most)>;

/// Of operands in the first one's formats, block by block: each is rounded into the second one's
/// where these do not hold it, and back. `where`: of these operands and the first one's result;
/// empty: all count.
Statistics statistics(const Pair& pair, const NextProducts& next, const Condition& where = {},
                      const Deadline& deadline = {});

}  // namespace mmaspec
