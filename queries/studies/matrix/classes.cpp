#include "queries/studies/matrix/classes.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "queries/ask/question.h"

namespace mmaspec {

std::size_t DesignSets::root(std::size_t design) const {
  for (auto it = parent_.find(design); it != parent_.end() && it->second != design;
       it = parent_.find(design)) {
    design = it->second;
  }
  return design;
}

void DesignSets::unite(std::size_t x, std::size_t y) {
  const auto [low, high] = std::minmax({root(x), root(y)});
  parent_[high] = low;
}

std::size_t DesignSets::third(const DesignPair& pair) const {
  const std::size_t least = root(pair.first);
  if (least != pair.first && least != pair.second) return least;
  for (const auto& [design, parent] : parent_) {
    if (root(design) == least && design != pair.first && design != pair.second) return design;
  }
  return least;
}

Classes::Classes(const std::vector<DesignPair>& same, const std::vector<DesignPair>& open,
                 std::map<DesignPair, PairRow> rows, bool without_arguments)
    : without_arguments_(without_arguments), open_(open), rows_(std::move(rows)) {
  for (const DesignPair& p : same) {
    equal_.unite(p.first, p.second);
    unargued_.unite(p.first, p.second);
  }
  for (const auto& [pair, row] : rows_) {
    if (row.verdict == PairVerdict::equal) unite(pair, row);
  }
  choose();
}

void Classes::unite(const DesignPair& pair, const PairRow& row) {
  equal_.unite(pair.first, pair.second);
  if (!rests_on_argument(row)) unargued_.unite(pair.first, pair.second);
}

const std::pair<const DesignPair, PairRow>* Classes::between(std::size_t x, std::size_t y) const {
  const std::pair<const DesignPair, PairRow>* undecided = nullptr;
  for (const auto& entry : rows_) {
    const auto& [pair, row] = entry;
    if (row.verdict == PairVerdict::equal) continue;
    const std::size_t first = equal_.root(pair.first);
    const std::size_t second = equal_.root(pair.second);
    if (!(first == x && second == y) && !(first == y && second == x)) continue;
    if (row.verdict == PairVerdict::differ) return &entry;
    if (undecided == nullptr) undecided = &entry;
  }
  return undecided;
}

void Classes::choose() {
  to_ask_.clear();
  std::set<DesignPair> pending;  // pairs of classes, by their roots
  std::map<DesignPair, DesignPair> asked_as;
  for (const DesignPair& p : open_) {
    const auto [x, y] = std::minmax({equal_.root(p.first), equal_.root(p.second)});
    const DesignPair classes{x, y};
    if (x == y || pending.contains(classes) || between(x, y) != nullptr) continue;
    pending.insert(classes);
    asked_as.emplace(classes, p);
  }
  // Ask the first class with every class that is not known to differ from it. Other pairs whose
  // answers may follow from these wait.
  std::set<std::size_t> waits;
  for (const DesignPair& p : pending) {
    if (waits.contains(p.first) || waits.contains(p.second)) continue;
    to_ask_.push_back(asked_as.at(p));
    waits.insert(p.second);
  }
  if (without_arguments_ && to_ask_.empty()) choose_without_arguments();
}

/// A class whose parts are connected by proofs other than analytical ones: each two parts, by their
/// roots, are joined by the first pair of theirs that was not asked, until a few have failed.
void Classes::choose_without_arguments() {
  constexpr int kMostTries = 4;
  const auto parts_of = [&](const DesignPair& p) {
    const auto [x, y] = std::minmax({unargued_.root(p.first), unargued_.root(p.second)});
    return DesignPair{x, y};
  };
  std::map<DesignPair, int> tries;
  for (const auto& [pair, row] : rows_) {
    if (rests_on_argument(row)) ++tries[parts_of(pair)];
  }
  std::set<std::size_t> chosen;  // classes
  for (const DesignPair& p : open_) {
    const DesignPair parts = parts_of(p);
    if (parts.first == parts.second || !equal_.has(p) || rows_.contains(p)) continue;
    if (tries[parts] < kMostTries && chosen.insert(equal_.root(p.first)).second) {
      to_ask_.push_back(p);
    }
  }
}

void Classes::take(const DesignPair& pair, const PairRow& row) {
  rows_[pair] = row;
  if (row.verdict == PairVerdict::equal) {
    const std::size_t x = equal_.root(pair.first);
    const std::size_t y = equal_.root(pair.second);
    const auto* parted = between(x, y);
    if (parted != nullptr && parted->second.verdict == PairVerdict::differ) {
      throw Contradiction(
          "two designs are proved equal, but a design equal to one differs from a design equal to "
          "the other on an input");
    }
    unite(pair, row);
  } else if (row.verdict == PairVerdict::differ &&
             equal_.root(pair.first) == equal_.root(pair.second)) {
    throw Contradiction(
        "two designs differ on an input, but designs equal to them are proved equal");
  }
  choose();
}

Classes::Known Classes::known(const DesignPair& pair) const {
  const std::size_t x = equal_.root(pair.first);
  const std::size_t y = equal_.root(pair.second);
  if (x == y) {
    const bool by_argument = !unargued_.has(pair);
    const std::size_t through = (by_argument ? equal_ : unargued_).third(pair);
    return {PairVerdict::equal, {through, through}, by_argument};
  }
  const auto* entry = between(x, y);
  if (entry == nullptr) throw std::logic_error("no question was asked about two designs");
  return {entry->second.verdict, entry->first, false};
}

}  // namespace mmaspec
