#pragma once
/// Interval evaluation of a graph whose inputs are narrowed step by step.

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "spec/lang/graph.h"

namespace mmaspec {

/// Evaluates one root in interval arithmetic. Inputs are narrowed in levels, each within the
/// previous one. Each level re-evaluates only nodes that the previous level left open, so entering
/// a level again with other intervals costs little.
///
/// The root's interval contains every value that it takes. If all inputs are points, it is a point,
/// the value.
class Intervals {
 public:
  virtual ~Intervals() = default;

  /// Compiles the graph, which need not outlive this object. An input is counted for the axis
  /// `axis_of[its number]`, which is below 64.
  static std::unique_ptr<Intervals> make(const Graph& graph, NodeId root,
                                         const std::vector<std::size_t>& axis_of);

  /// Evaluates at `level` (0 is the first), with each input in its interval (low and high, by its
  /// number). The interval must be within that of the previous level as entered last. Returns
  /// whether the root is determined.
  virtual bool enter(std::size_t level, const std::vector<std::array<std::int64_t, 2>>& inputs) = 0;

  /// The root's bounds at the level entered last: patterns of at most 64 bits.
  virtual std::uint64_t low() const = 0;
  virtual std::uint64_t high() const = 0;
  /// Adds for each axis the number of open nodes that depend on it and on which the root may
  /// depend.
  virtual void count(std::size_t level, std::vector<std::uint32_t>& axes) const = 0;

  /// Number of nodes evaluated so far, a measure of cost.
  std::uint64_t looked_at() const { return looked_at_; }

 protected:
  std::uint64_t looked_at_ = 0;
};

}  // namespace mmaspec
