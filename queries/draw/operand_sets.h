#pragma once
/// The set of patterns that each operand may take under the conditions on that operand alone.
///
/// For an operand of at most 16 bits every pattern is tried, and the set is exact. For a wider
/// operand, patterns with all values of the highest 16 bits are tried, and those near the constants
/// of the conditions; bisection finds the limit between two different neighbours. That finds the
/// sets of comparisons, exponents and classes. It is not a proof for such an operand: the sets
/// serve only to draw from them.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "queries/values/ordinals.h"
#include "spec/lang/graph.h"

namespace mmaspec {

/// A condition or its negation.
struct Literal {
  NodeId node;
  bool holds = true;
};

/// The ordinals low .. high.
struct OrdinalRange {
  std::int64_t low;
  std::int64_t high;
  friend bool operator==(const OrdinalRange&, const OrdinalRange&) = default;
};

/// A set of patterns of one format.
class OperandSet {
 public:
  /// `ranges`: ascending and separated by gaps.
  OperandSet(const Format& format, std::vector<OrdinalRange> ranges);

  const Format& format() const { return *format_; }
  const Ordinals& ordinals() const { return ordinals_; }
  const std::vector<OrdinalRange>& ranges() const { return ranges_; }
  bool empty() const { return ranges_.empty(); }
  /// True if every pattern was tried.
  bool is_exact() const { return ordinals_.used_bits() <= kTriedBits; }

  bool holds(std::int64_t ordinal) const;
  /// The nearest member, which is `ordinal` itself if it is a member. The set must not be empty.
  std::int64_t nearest(std::int64_t ordinal) const;
  /// Members by index, from 0 to count() - 1, in ascending order. If the set has 2^63 members or
  /// more, the first ones only.
  std::uint64_t count() const { return count_; }
  std::int64_t member(std::uint64_t number) const;

  static constexpr int kTriedBits = 16;

 private:
  const Format* format_;
  Ordinals ordinals_;
  std::vector<OrdinalRange> ranges_;
  std::vector<std::uint64_t> before_;  ///< number of members in the ranges before each range
  std::uint64_t count_ = 0;
};

/// The inputs that a literal depends on.
std::vector<NodeId> inputs_of(const Graph& graph, const Literal& literal);

/// The set of patterns that satisfy these literals on one input. `format`: the input's.
OperandSet operand_set(const Graph& graph, NodeId input, const Format& format,
                       const std::vector<Literal>& literals);

/// Computes the sets of many operands, and computes the set of equal conditions, such as those on
/// all a[k], once.
class OperandSets {
 public:
  explicit OperandSets(const Graph& graph) : graph_(graph) {}
  std::shared_ptr<const OperandSet> of(NodeId input, const Format& format,
                                       const std::vector<Literal>& literals);

 private:
  const Graph& graph_;
  std::map<std::string, std::shared_ptr<const OperandSet>> known_;
};

/// A disjunctive form of the conditions: a list of cases, each a conjunction of literals.
/// Conjunctions are split. Disjunctions are split as long as there are at most `most` cases; other
/// conditions are literals.
std::vector<std::vector<Literal>> ways_to_satisfy(const Graph& graph,
                                                  const std::vector<NodeId>& conditions,
                                                  std::size_t most);

}  // namespace mmaspec
