#pragma once
/// The smallest choice of inputs that tells classes apart: set cover over the pairs of classes, by
/// branch and bound.

#include <functional>
#include <vector>

#include "queries/studies/suite/partition.h"
#include "util/deadline.h"

namespace mmaspec {

struct Cover {
  std::vector<std::size_t> chosen;  ///< numbers of inputs, ascending
  std::size_t least = 0;            ///< no choice of fewer among those given tells as much
  bool is_least() const { return chosen.size() == least; }
};

/// A smallest choice of `inputs` that parts every pair that all of them together part; as small as
/// was found, with the bound that is proved, where the search is cut short by the deadline or after
/// so many steps.
Cover least_cover(const std::vector<Partition>& inputs, std::size_t steps = 5'000'000,
                  const Deadline& deadline = {});

/// Calls `each` for the choices of `size` inputs that part all that least_cover() parts, each
/// choice once, until it returns false. Returns whether all were given: false if it was cut short.
bool each_cover(const std::vector<Partition>& inputs, std::size_t size,
                const std::function<bool(const std::vector<std::size_t>&)>& each,
                std::size_t steps = 5'000'000, const Deadline& deadline = {});

}  // namespace mmaspec
