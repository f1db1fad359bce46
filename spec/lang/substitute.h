#pragma once
/// Copies expressions with some nodes replaced.

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "spec/lang/int.h"

namespace mmaspec {

/// Copies expressions of one graph into the current one, which must be a different graph, through
/// the language's own operations: substituted constants are folded, and ranges become narrower.
/// Inputs keep their names.
///
/// A replacement may have any range. If the copy of a node is not known to be in the range that the
/// node had, the copy claims it, and facts() lists the claim, which is a fact of the original. A
/// question copied with free variables in place of nodes is therefore implied by the original one
/// if the facts are assumed with it.
class Substitution {
 public:
  /// `from` must outlive this object.
  explicit Substitution(const Graph& from) : from_(from), copies_(from.size()) {}

  /// Replaces a node, and sums that differ from it or from its negation by a constant. Call it
  /// before anything that depends on the node is copied.
  void replace(NodeId node, Int by);
  void replace(NodeId node, Bool by);

  /// True if the node's copy exists, or follows from replacements.
  bool determines(NodeId node) const;

  /// The copy of an integer node. Throws CannotBuild if a replacement contradicts a range.
  Int integer(NodeId node);
  Bool boolean(NodeId node);

  /// The claims on which the copies so far rely.
  const std::vector<Bool>& facts() const { return facts_; }

 private:
  struct LinearCopy {
    Integer sign;      ///< of the first coefficient
    Integer constant;  ///< of the replaced sum
    NodeId copy;
  };
  using LinearKey = std::pair<std::vector<NodeId>, std::vector<Integer>>;

  NodeId copy(NodeId root);
  NodeId rebuild(const Node& node);
  std::optional<NodeId> replaced_sum(const Node& node) const;
  NodeId within(NodeId copy, const Range& range);
  static LinearKey key(const Node& sum);

  const Graph& from_;
  std::vector<std::optional<NodeId>> copies_;
  std::map<LinearKey, LinearCopy> sums_;
  std::vector<Bool> facts_;
};

}  // namespace mmaspec
