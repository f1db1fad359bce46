#pragma once
/// The only generator of the fuzz tests, so that a seed determines the run.

#include <cstdint>
#include <random>
#include <vector>

namespace mmaspec::fuzz {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t bits(int count) { return count == 0 ? 0 : engine_() >> (64 - count); }
  int below(int bound) {
    return static_cast<int>(engine_() % static_cast<std::uint64_t>(bound > 0 ? bound : 1));
  }
  int between(int low, int high) { return low + below(high - low + 1); }
  /// True with probability 1 / n.
  bool one_in(int n) { return below(n) == 0; }
  bool coin() { return one_in(2); }
  template <typename T>
  const T& of(const std::vector<T>& all) {
    return all[static_cast<std::size_t>(below(static_cast<int>(all.size())))];
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace mmaspec::fuzz
