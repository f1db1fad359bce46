#pragma once
/// Which patterns each operand may take where conditions hold: what they say of one operand alone.
///
/// Of an operand of 16 bits or less every pattern is tried, and the set is exact. Of a wider one
/// the patterns with all highest 16 bits are tried, and those about the constants of the
/// conditions; between two unlike neighbours the limit is found by halving. That finds all that
/// comparisons, exponents and classes can say; but nothing here is a proof for such an operand, and
/// the sets only serve to draw from them.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "queries/numbers/ordinals.h"
#include "spec/lang/graph.h"

namespace mmaspec {

/// A condition, or its opposite.
struct Literal {
  NodeId node;
  bool holds = true;
};

/// Ordinals low .. high.
struct OrdinalRange {
  std::int64_t low;
  std::int64_t high;
  friend bool operator==(const OrdinalRange&, const OrdinalRange&) = default;
};

/// A set of patterns of one format.
class OperandSet {
 public:
  /// `ranges`: ascending, and no two of them touch.
  OperandSet(const Format& format, std::vector<OrdinalRange> ranges);

  const Format& format() const { return *format_; }
  const Ordinals& ordinals() const { return ordinals_; }
  const std::vector<OrdinalRange>& ranges() const { return ranges_; }
  bool empty() const { return ranges_.empty(); }
  /// Every pattern was tried.
  bool is_exact() const { return ordinals_.used_bits() <= kTriedBits; }

  bool holds(std::int64_t ordinal) const;
  /// The member next to it, itself if it is one. Not of an empty set.
  std::int64_t nearest(std::int64_t ordinal) const;
  /// Some members by number, from 0 to count() - 1, in ascending order; of a set of 2^63 or more
  /// the first so many.
  std::uint64_t count() const { return count_; }
  std::int64_t member(std::uint64_t number) const;

  static constexpr int kTriedBits = 16;

 private:
  const Format* format_;
  Ordinals ordinals_;
  std::vector<OrdinalRange> ranges_;
  std::vector<std::uint64_t> before_;  ///< members in the ranges before each
  std::uint64_t count_ = 0;
};

/// The inputs that a literal depends on.
std::vector<NodeId> inputs_of(const Graph& graph, const Literal& literal);

/// The set of what literals on one input alone leave it. `format`: the input's.
OperandSet operand_set(const Graph& graph, NodeId input, const Format& format,
                       const std::vector<Literal>& literals);

/// Sets of many operands of which the same is said, such as all a[k]: each is found once.
class OperandSets {
 public:
  explicit OperandSets(const Graph& graph) : graph_(graph) {}
  std::shared_ptr<const OperandSet> of(NodeId input, const Format& format,
                                       const std::vector<Literal>& literals);

 private:
  const Graph& graph_;
  std::map<std::string, std::shared_ptr<const OperandSet>> known_;
};

/// Ways to satisfy all conditions: in each all literals are to hold. Conjunctions are taken apart,
/// and disjunctions too as long as that makes no more than `most` ways; others are literals.
std::vector<std::vector<Literal>> ways_to_satisfy(const Graph& graph,
                                                  const std::vector<NodeId>& conditions,
                                                  std::size_t most);

}  // namespace mmaspec
