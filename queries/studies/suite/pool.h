#pragma once
/// Candidate inputs for a suite. An input is kept only if it separates pairs that no other input
/// separates.

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
  /// `most`: largest number of inputs kept.
  explicit Pool(std::size_t classes, std::size_t most = 600);

  /// True if an input with this partition would probably be kept (a fast test).
  bool is_new(const Partition& partition) const;
  /// Keeps the input unless a kept one separates all its pairs, and drops inputs whose pairs it
  /// covers. If there are too many, an input that separates few pairs is dropped, but never the
  /// only one that separates some pair.
  void add(InputValues inputs, const Partition& partition);

  const std::vector<PooledInput>& all() const { return all_; }
  std::vector<Partition> partitions() const;
  /// The pairs that some input separates.
  const PairSet& parted() const { return parted_; }
  /// At most `count` kept inputs that separate most of these pairs, the best first.
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
