#pragma once
/// Partitions long work among several machines.

#include <cstddef>
#include <vector>

namespace mmaspec {

/// One part of a campaign: `number`, counted from 0, out of `count` parts.
struct Shard {
  std::size_t number = 0;
  std::size_t count = 1;
};

/// The shard of each task: the tasks are taken in descending order of cost, and each goes to the
/// shard with the least work so far. Equal costs give equal results on every machine.
std::vector<std::size_t> share_out(const std::vector<double>& costs, std::size_t shards);

}  // namespace mmaspec
