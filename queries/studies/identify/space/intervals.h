#pragma once
/// What a graph's result can be where its inputs lie in intervals, narrowed step by step.

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "spec/lang/graph.h"

namespace mmaspec {

/// Evaluates one root in interval arithmetic. Inputs are narrowed in levels, each within the one
/// before it: only what is open at a level is looked at again at the next one, so that leaving a
/// level and entering it anew with other intervals costs little.
///
/// The interval of a root holds every value that it takes, and where all inputs are points it is a
/// point, the value.
class Intervals {
 public:
  virtual ~Intervals() = default;

  /// Compiles. An input counts for `axis_of[its number]`, below 64. `graph` need not outlive it.
  static std::unique_ptr<Intervals> make(const Graph& graph, NodeId root,
                                         const std::vector<std::size_t>& axis_of);

  /// Evaluates at `level`, 0 the first one, each input within its interval (low and high, by its
  /// number), which lies within that of the level before, entered last. Whether the root is
  /// settled.
  virtual bool enter(std::size_t level, const std::vector<std::array<std::int64_t, 2>>& inputs) = 0;

  /// Of the level that was entered last. The root's bounds, which are patterns of 64 bits at most.
  virtual std::uint64_t low() const = 0;
  virtual std::uint64_t high() const = 0;
  /// For each axis how many open nodes depend on it that the root may depend on.
  virtual void count(std::size_t level, std::vector<std::uint32_t>& axes) const = 0;

  /// Nodes that were looked at since the beginning: what it has cost.
  std::uint64_t looked_at() const { return looked_at_; }

 protected:
  std::uint64_t looked_at_ = 0;
};

}  // namespace mmaspec
