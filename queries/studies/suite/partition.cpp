#include "queries/studies/suite/partition.h"

#include <algorithm>
#include <utility>

namespace mmaspec {

std::size_t blocks_of(const Partition& p) {
  return p.empty() ? 0 : std::size_t{*std::max_element(p.begin(), p.end())} + 1;
}

PairSet parted_by(const Partition& p) {
  PairSet pairs(pair_count(p.size()));
  for (std::size_t j = 1; j < p.size(); ++j) {
    for (std::size_t i = 0; i < j; ++i) {
      if (p[i] != p[j]) pairs.set(pair_index(i, j));
    }
  }
  return pairs;
}

Partition refined(const Partition& x, const Partition& y) {
  std::vector<std::pair<std::uint16_t, std::uint16_t>> both;
  for (std::size_t i = 0; i < x.size(); ++i) both.emplace_back(x[i], y[i]);
  return partition_by(both, both.size());
}

std::size_t ceil_log(std::size_t x, std::size_t base) {
  std::size_t n = 0;
  for (std::size_t reached = 1; reached < x; reached *= base) ++n;
  return n;
}

}  // namespace mmaspec
