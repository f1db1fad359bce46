#pragma once
/// The smallest set of inputs that separates classes: set cover over the pairs of classes, by
/// branch and bound.

#include <functional>
#include <vector>

#include "queries/studies/suite/partition.h"
#include "util/deadline.h"

namespace mmaspec {

struct Cover {
  std::vector<std::size_t> chosen;  ///< indices of inputs, ascending
  std::size_t least = 0;            ///< proved lower bound for the size of a set that separates as
                                    ///< many pairs
  bool is_least() const { return chosen.size() == least; }
};

/// A smallest subset of `inputs` that separates every pair that all of them together separate. If
/// the deadline or the limit of `steps` ends the search, it is the smallest one found, with the
/// proved lower bound.
Cover least_cover(const std::vector<Partition>& inputs, std::size_t steps = 5'000'000,
                  const Deadline& deadline = {});

/// Calls `each` for every subset of `size` inputs that separates all pairs that least_cover()
/// separates, once each, until it returns false. Returns whether the enumeration is complete: false
/// if the limit of `steps` or the deadline ended it.
bool each_cover(const std::vector<Partition>& inputs, std::size_t size,
                const std::function<bool(const std::vector<std::size_t>&)>& each,
                std::size_t steps = 5'000'000, const Deadline& deadline = {});

}  // namespace mmaspec
