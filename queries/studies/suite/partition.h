#pragma once
/// What an input reveals about classes of designs: which of them give the same answer.

#include <boost/dynamic_bitset.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mmaspec {

/// The block of each class. Classes in one block give the same answer. Blocks are numbered from 0
/// in the order of first occurrence, so that equal partitions are equal vectors.
using Partition = std::vector<std::uint16_t>;

/// A set of pairs of classes.
using PairSet = boost::dynamic_bitset<std::uint64_t>;

/// The index of the pair i < j in a PairSet.
constexpr std::size_t pair_index(std::size_t i, std::size_t j) { return j * (j - 1) / 2 + i; }
constexpr std::size_t pair_count(std::size_t classes) {
  return classes < 2 ? 0 : classes * (classes - 1) / 2;
}

/// The partition of classes by their answers. `Answers`: indexable, compared by ==.
template <typename Answers>
Partition partition_by(const Answers& answers, std::size_t classes) {
  Partition p(classes);
  std::vector<std::size_t> first;  // the first class of each block
  for (std::size_t i = 0; i < classes; ++i) {
    std::size_t block = 0;
    while (block < first.size() && !(answers[first[block]] == answers[i])) ++block;
    if (block == first.size()) first.push_back(i);
    p[i] = static_cast<std::uint16_t>(block);
  }
  return p;
}

/// The number of different answers.
std::size_t blocks_of(const Partition& p);

/// The pairs with different answers.
PairSet parted_by(const Partition& p);

/// The common refinement of both partitions.
Partition refined(const Partition& x, const Partition& y);

/// The least n with base^n >= x: a lower bound for the number of questions with `base` answers that
/// distinguish x things. x >= 1, base >= 2.
std::size_t ceil_log(std::size_t x, std::size_t base);

}  // namespace mmaspec
