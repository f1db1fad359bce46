#include "queries/studies/suite/pool.h"

#include <algorithm>
#include <string_view>

namespace mmaspec {

std::size_t Pool::Hash::operator()(const Partition& p) const {
  return std::hash<std::string_view>()(
      {reinterpret_cast<const char*>(p.data()), p.size() * sizeof(Partition::value_type)});
}

Pool::Pool(std::size_t classes, std::size_t most) : most_(most), parted_(pair_count(classes)) {}

bool Pool::is_new(const Partition& partition) const { return !met_.contains(partition); }

void Pool::add(InputValues inputs, const Partition& partition) {
  if (!met_.insert(partition).second) return;
  PairSet parted = parted_by(partition);
  if (parted.none()) return;
  for (const PooledInput& known : all_) {
    if (parted.is_subset_of(known.parted)) return;
  }
  std::erase_if(all_, [&](const PooledInput& known) { return known.parted.is_subset_of(parted); });
  parted_ |= parted;
  all_.push_back({std::move(inputs), partition, std::move(parted)});
  if (all_.size() > most_) drop_one();
}

void Pool::drop_one() {
  PairSet once(parted_.size());
  PairSet often(parted_.size());
  for (const PooledInput& known : all_) {
    often |= once & known.parted;
    once |= known.parted;
  }
  auto least = all_.end();
  for (auto it = all_.begin(); it != all_.end(); ++it) {
    if (!it->parted.is_subset_of(often)) continue;
    if (least == all_.end() || it->parted.count() < least->parted.count()) least = it;
  }
  if (least != all_.end()) all_.erase(least);
}

std::vector<Partition> Pool::partitions() const {
  std::vector<Partition> all;
  for (const PooledInput& known : all_) all.push_back(known.partition);
  return all;
}

std::vector<const PooledInput*> Pool::best_for(const PairSet& pairs, std::size_t count) const {
  std::vector<std::pair<std::size_t, const PooledInput*>> ranked;
  for (const PooledInput& known : all_) ranked.emplace_back((known.parted & pairs).count(), &known);
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& x, const auto& y) { return x.first > y.first; });
  std::vector<const PooledInput*> best;
  for (const auto& [parts, known] : ranked) {
    if (best.size() == count || parts == 0) break;
    best.push_back(known);
  }
  return best;
}

}  // namespace mmaspec
