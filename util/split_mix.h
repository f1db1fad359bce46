#pragma once
/// SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014): a fast
/// generator, because a search draws a hundred numbers for each input. It gives the same numbers on
/// every platform.

#include <cstdint>

namespace mmaspec {

class SplitMix {
 public:
  explicit SplitMix(unsigned seed) : state_(std::uint64_t{seed} << 32) {}

  std::uint64_t operator()() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }
  /// 0 .. bound - 1.
  int below(int bound) {
    return static_cast<int>((((*this)() >> 32) * static_cast<std::uint64_t>(bound)) >> 32);
  }
  std::size_t index(std::size_t count) {
    return static_cast<std::size_t>((((*this)() >> 32) * static_cast<std::uint64_t>(count)) >> 32);
  }
  int between(int low, int high) { return low + below(high - low + 1); }
  bool one_in(int n) { return below(n) == 0; }
  /// 0 <= x < 1.
  double fraction() { return static_cast<double>((*this)() >> 11) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

}  // namespace mmaspec
