#pragma once
/// Candidates for a suite: inputs, each for what it tells of the designs. Only those are kept that
/// tell something that no other one does.

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "queries/ask/question.h"
#include "queries/studies/suite/partition.h"

namespace mmaspec {

struct PooledInput {
  InputValues inputs;
  Partition partition;
  PairSet parted;
};

class Pool {
 public:
  /// `most`: inputs kept at most.
  explicit Pool(std::size_t classes, std::size_t most = 600);

  /// True if an input of this partition would be kept, as far as can be said quickly.
  bool is_new(const Partition& partition) const;
  /// Keeps the input unless a kept one parts all the pairs that it parts, and drops those that part
  /// no more than it. Where there are too many, one that parts few pairs is dropped, but none that
  /// alone parts some pair.
  void add(InputValues inputs, const Partition& partition);

  const std::vector<PooledInput>& all() const { return all_; }
  std::vector<Partition> partitions() const;
  /// The pairs that some input parts.
  const PairSet& parted() const { return parted_; }
  /// Those kept that part most of these pairs, the best first; at most `count`.
  std::vector<const PooledInput*> best_for(const PairSet& pairs, std::size_t count) const;

 private:
  struct Hash {
    std::size_t operator()(const Partition& p) const;
  };

  void drop_one();

  std::size_t most_;
  std::vector<PooledInput> all_;
  PairSet parted_;
  std::unordered_set<Partition, Hash> met_;
};

}  // namespace mmaspec
