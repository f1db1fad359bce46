#pragma once
/// Long work as parts that several machines do.

#include <cstddef>
#include <vector>

namespace mmaspec {

/// A part of a campaign: `number`, from 0, of `count`.
struct Shard {
  std::size_t number = 0;
  std::size_t count = 1;
};

/// Which of `shards` does each task: the most expensive first, each to the shard with the least to
/// do so far. The same everywhere for the same costs.
std::vector<std::size_t> share_out(const std::vector<double>& costs, std::size_t shards);

}  // namespace mmaspec
