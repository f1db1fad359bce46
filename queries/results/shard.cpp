#include "queries/results/shard.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>

namespace mmaspec {

std::vector<std::size_t> share_out(const std::vector<double>& costs, std::size_t shards) {
  std::vector<std::size_t> order(costs.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t x, std::size_t y) { return costs[x] > costs[y]; });
  using Load = std::pair<double, std::size_t>;
  std::priority_queue<Load, std::vector<Load>, std::greater<>> loads;
  for (std::size_t s = 0; s < shards; ++s) loads.emplace(0, s);
  std::vector<std::size_t> shard_of(costs.size());
  for (const std::size_t task : order) {
    const auto [load, shard] = loads.top();
    loads.pop();
    shard_of[task] = shard;
    loads.emplace(load + costs[task], shard);
  }
  return shard_of;
}

}  // namespace mmaspec
