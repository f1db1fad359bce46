#include "queries/studies/suite/cover.h"

#include <algorithm>
#include <numeric>

namespace mmaspec {
namespace {

using Chosen = std::vector<std::size_t>;

class Covers {
 public:
  Covers(const std::vector<Partition>& inputs, std::size_t steps, const Deadline& deadline)
      : inputs_(inputs), steps_(steps), deadline_(deadline) {
    for (const Partition& p : inputs) {
      parted_.push_back(parted_by(p));
      most_blocks_ = std::max(most_blocks_, blocks_of(p));
      if (parted_.size() == 1) all_.resize(parted_[0].size());
      all_ |= parted_.back();
    }
    covering_.resize(all_.size());
    for (std::size_t i = 0; i < parted_.size(); ++i) {
      for (auto p = parted_[i].find_first(); p != PairSet::npos; p = parted_[i].find_next(p)) {
        covering_[p].push_back(i);
      }
    }
    excluded_.resize(parted_.size());
  }

  bool is_empty() const { return all_.none(); }
  bool was_cut_short() const { return cut_short_; }

  /// Repeatedly takes the input that separates most of the remaining pairs.
  Chosen greedy() const {
    Chosen chosen;
    for (PairSet left = all_; left.any();) {
      std::size_t best = 0;
      std::size_t most = 0;
      for (std::size_t i = 0; i < parted_.size(); ++i) {
        const std::size_t parts = (parted_[i] & left).count();
        if (parts > most) {
          most = parts;
          best = i;
        }
      }
      chosen.push_back(best);
      left -= parted_[best];
    }
    return chosen;
  }

  /// Lower bound from the number of answers: the number of classes that a sequence of inputs can
  /// distinguish, and at each step at most as many pairs as the best input separates.
  std::size_t bound() const {
    if (is_empty()) return 0;
    return at_least(Partition(inputs_[0].size(), 0), all_);
  }

  /// Calls `each` for the sets of `size` inputs; false if it stopped.
  bool choose(std::size_t size, const std::function<bool(const Chosen&)>& each) {
    if (is_empty()) return size != 0 || each({});
    Chosen chosen;
    return branch(chosen, Partition(inputs_[0].size(), 0), all_, size, each);
  }

 private:
  /// A lower bound for the number of inputs that the pairs `left` still need, if classes are
  /// distinguished as in `so_far`.
  std::size_t at_least(const Partition& so_far, const PairSet& left) const {
    if (left.none()) return 0;
    std::size_t most = 1;
    for (const PairSet& p : parted_) most = std::max(most, (p & left).count());
    const std::size_t by_pairs = (left.count() + most - 1) / most;
    return std::max(by_pairs, ceil_log(largest_clique(so_far, left), most_blocks_));
  }

  /// The largest set of classes in one block that must still be distinguished pairwise: all of its
  /// classes except those that no input separates from an earlier one. Not being separated by any
  /// input is an equivalence relation.
  std::size_t largest_clique(const Partition& so_far, const PairSet& left) const {
    std::vector<std::size_t> of_block(blocks_of(so_far), 0);
    for (std::size_t j = 0; j < so_far.size(); ++j) {
      bool counts = true;
      for (std::size_t i = 0; counts && i < j; ++i) {
        counts = so_far[i] != so_far[j] || left[pair_index(i, j)];
      }
      if (counts) ++of_block[so_far[j]];
    }
    return *std::max_element(of_block.begin(), of_block.end());
  }

  bool branch(Chosen& chosen, const Partition& so_far, const PairSet& left, std::size_t size,
              const std::function<bool(const Chosen&)>& each) {
    if (cut_short_) return false;
    if (left.none()) {
      if (chosen.size() != size) return true;
      Chosen sorted = chosen;
      std::sort(sorted.begin(), sorted.end());
      return each(sorted);
    }
    if (steps_ == 0 || (steps_ % 256 == 0 && deadline_.passed())) {
      cut_short_ = true;
      return false;
    }
    --steps_;
    if (chosen.size() + at_least(so_far, left) > size) return true;
    // The remaining pair that the fewest inputs separate; one of these must be chosen.
    const std::vector<std::size_t> candidates = fewest(left);
    bool goes_on = true;
    std::size_t tried = 0;
    for (; goes_on && tried < candidates.size(); ++tried) {
      const std::size_t i = candidates[tried];
      chosen.push_back(i);
      goes_on = branch(chosen, refined(so_far, inputs_[i]), left - parted_[i], size, each);
      chosen.pop_back();
      excluded_.set(i);  // all sets with it were enumerated
    }
    for (std::size_t t = 0; t < tried; ++t) excluded_.reset(candidates[t]);
    return goes_on;
  }

  std::vector<std::size_t> fewest(const PairSet& left) const {
    std::vector<std::size_t> best;
    bool found = false;
    for (auto p = left.find_first(); p != PairSet::npos; p = left.find_next(p)) {
      if (found &&
          covering_[p].size() - std::min(covering_[p].size(), excluded_.count()) >= best.size()) {
        continue;  // even if all excluded ones are among these
      }
      std::vector<std::size_t> open;
      for (std::size_t i : covering_[p]) {
        if (!excluded_[i]) open.push_back(i);
      }
      if (!found || open.size() < best.size()) best = std::move(open);
      found = true;
    }
    std::vector<std::size_t> parts(parted_.size(), 0);
    for (std::size_t i : best) parts[i] = (parted_[i] & left).count();
    std::stable_sort(best.begin(), best.end(),
                     [&](std::size_t x, std::size_t y) { return parts[x] > parts[y]; });
    return best;
  }

  const std::vector<Partition>& inputs_;
  std::size_t steps_;
  const Deadline deadline_;
  std::vector<PairSet> parted_;
  PairSet all_;
  std::vector<std::vector<std::size_t>> covering_;  ///< indexed by pair
  PairSet excluded_;                                ///< inputs
  std::size_t most_blocks_ = 2;
  bool cut_short_ = false;
};

}  // namespace

Cover least_cover(const std::vector<Partition>& inputs, std::size_t steps,
                  const Deadline& deadline) {
  Covers covers(inputs, steps, deadline);
  Cover result;
  if (covers.is_empty()) return result;
  result.chosen = covers.greedy();
  std::sort(result.chosen.begin(), result.chosen.end());
  for (result.least = covers.bound(); result.least < result.chosen.size(); ++result.least) {
    covers.choose(result.least, [&](const Chosen& found) {
      result.chosen = found;
      return false;
    });
    if (covers.was_cut_short() || result.chosen.size() == result.least) break;
  }
  return result;
}

bool each_cover(const std::vector<Partition>& inputs, std::size_t size,
                const std::function<bool(const Chosen&)>& each, std::size_t steps,
                const Deadline& deadline) {
  Covers covers(inputs, steps, deadline);
  return covers.choose(size, each);
}

}  // namespace mmaspec
