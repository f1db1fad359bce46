#include "queries/matrix/classes.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "queries/ask/question.h"

namespace mmaspec {

Classes::Classes(const std::vector<DesignPair>& same, const std::vector<DesignPair>& open,
                 std::map<DesignPair, PairRow> rows)
    : open_(open), rows_(std::move(rows)) {
  for (const DesignPair& p : same) unite(p.first, p.second);
  for (const auto& [pair, row] : rows_) {
    if (row.verdict == PairVerdict::equal) unite(pair.first, pair.second);
  }
  choose();
}

std::size_t Classes::find(std::size_t design) const {
  for (auto it = parent_.find(design); it != parent_.end() && it->second != design;
       it = parent_.find(design)) {
    design = it->second;
  }
  return design;
}

void Classes::unite(std::size_t x, std::size_t y) {
  const auto [low, high] = std::minmax({find(x), find(y)});
  parent_[high] = low;
}

const std::pair<const DesignPair, PairRow>* Classes::between(std::size_t x, std::size_t y) const {
  const std::pair<const DesignPair, PairRow>* undecided = nullptr;
  for (const auto& entry : rows_) {
    const auto& [pair, row] = entry;
    if (row.verdict == PairVerdict::equal) continue;
    const std::size_t first = find(pair.first);
    const std::size_t second = find(pair.second);
    if (!(first == x && second == y) && !(first == y && second == x)) continue;
    if (row.verdict == PairVerdict::differ) return &entry;
    if (undecided == nullptr) undecided = &entry;
  }
  return undecided;
}

void Classes::choose() {
  to_ask_.clear();
  std::set<DesignPair> pending;  // classes, by their roots
  std::map<DesignPair, DesignPair> asked_as;
  for (const DesignPair& p : open_) {
    const auto [x, y] = std::minmax({find(p.first), find(p.second)});
    const DesignPair classes{x, y};
    if (x == y || pending.contains(classes) || between(x, y) != nullptr) continue;
    pending.insert(classes);
    asked_as.emplace(classes, p);
  }
  // The first class with all that nothing parts from it; those others whose answers that may give
  // wait.
  std::set<std::size_t> waits;
  for (const DesignPair& p : pending) {
    if (waits.contains(p.first) || waits.contains(p.second)) continue;
    to_ask_.push_back(asked_as.at(p));
    waits.insert(p.second);
  }
}

void Classes::take(const DesignPair& pair, const PairRow& row) {
  rows_[pair] = row;
  if (row.verdict == PairVerdict::equal) {
    const std::size_t x = find(pair.first);
    const std::size_t y = find(pair.second);
    const auto* parted = between(x, y);
    if (parted != nullptr && parted->second.verdict == PairVerdict::differ) {
      throw Contradiction("two designs are proved equal, and their equals differ on an input");
    }
    unite(pair.first, pair.second);
  } else if (row.verdict == PairVerdict::differ && find(pair.first) == find(pair.second)) {
    throw Contradiction("two designs differ on an input, and their equals are proved equal");
  }
  choose();
}

Classes::Known Classes::known(const DesignPair& pair) const {
  const std::size_t x = find(pair.first);
  const std::size_t y = find(pair.second);
  if (x == y) {
    // The root, unless it is one of the two.
    std::size_t through = x;
    for (const auto& [design, parent] : parent_) {
      if (through != pair.first && through != pair.second) break;
      if (find(design) == x) through = design;
    }
    return {PairVerdict::equal, {through, through}};
  }
  const auto* entry = between(x, y);
  if (entry == nullptr) throw std::logic_error("nobody asked of two designs");
  return {entry->second.verdict, entry->first};
}

}  // namespace mmaspec
