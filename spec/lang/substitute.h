#pragma once
/// Copies of expressions with some nodes replaced: what strategies make of a question.

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "spec/lang/int.h"

namespace mmaspec {

/// Copies expressions of one graph into the current one, which must be another, through the
/// language's own operations: constants put in fold, ranges become narrower. Inputs keep their
/// names.
///
/// A node may be replaced by an expression of any range: where the copy of a node cannot be seen to
/// lie in the range that the node had, that it does is a fact of the original, which the copy takes
/// as a claim, and facts() lists. A question copied with free variables in the place of nodes thus
/// is implied by the original one as long as the facts are assumed with it.
class Substitution {
 public:
  /// `from` must outlive this object.
  explicit Substitution(const Graph& from) : from_(from), copies_(from.size()) {}

  /// Replaces a node, and sums that are its negation or differ from it (or from that) by a
  /// constant. To be called before anything that depends on the node is copied.
  void replace(NodeId node, Int by);
  void replace(NodeId node, Bool by);

  /// True if the node's copy is made, or follows from replacements.
  bool determines(NodeId node) const;

  /// The copy of an integer node. Throws std::logic_error if a replacement contradicts a range.
  Int integer(NodeId node);
  Bool boolean(NodeId node);

  /// What the copies made so far rely on.
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
