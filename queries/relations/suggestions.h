#pragma once
/// What samples say of how a node may be a function of an earlier one.

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "queries/relations/node_relation.h"

namespace mmaspec {

/// The values that a graph's nodes have for samples of its inputs.
class SampledNodes {
 public:
  /// Of all nodes on which the roots depend.
  SampledNodes(const Graph& graph, const std::vector<NodeId>& roots,
               const std::vector<InputValues>& samples);

  const std::vector<NodeId>& nodes() const { return nodes_; }
  const std::vector<Integer>& values(NodeId n) const { return values_[n]; }

 private:
  std::vector<NodeId> nodes_;
  std::vector<std::vector<Integer>> values_;  ///< by node, then by sample
};

/// Where nothing is asked of two nodes.
struct WhereNotAsked {
  NodeId holds;      ///< the Boolean that says so
  NodeId condition;  ///< a node that is not zero there, or is
  bool is;           ///< not zero
};

/// y is x and a constant in all samples but those where nothing is asked; nullopt: it is not so, or
/// there are no others.
std::optional<NodeRelation> equal_unless(const SampledNodes& sampled, NodeId y, NodeId x,
                                         const WhereNotAsked& unless);

/// What samples suggest of nodes that are asked for in ascending order.
class Suggestions {
 public:
  Suggestions(const Graph& graph, const SampledNodes& sampled, const Format& result);

  /// Relations of the node to nodes that were kept.
  std::vector<NodeRelation> of(NodeId node) const;
  /// Later nodes may be functions of this one.
  void keep(NodeId node);
  /// Later nodes may be shifted by this.
  void keep(const Fall& fall);
  /// Later nodes may be rounded to odd by so many places.
  void keep_rounding_to_odd(unsigned places) { rounded_to_odd_.insert(places); }
  /// What was kept is this one rounded to odd.
  bool is_finer(NodeId node) const;

 private:
  /// A node's values are offset + scale * shape, the first of shape 0, the first other one
  /// positive, and not all even.
  struct Shape {
    std::vector<Integer> values;
    Integer offset;
    bool negative = false;
    unsigned places = 0;  ///< of the scale
  };
  Shape shape_of(NodeId node) const;
  NodeRelation linear(NodeId node, const Shape& shape, NodeId base, const Shape& of_base) const;
  bool is_marked(NodeId node) const;
  bool is_pattern(NodeId node) const;
  /// In units of a power of two that the text names.
  bool has_exponent(NodeId node) const;
  /// Both are marked, with one name.
  bool is_called_like(NodeId x, NodeId y) const;
  std::optional<NodeRelation> shifted(NodeId node) const;
  std::optional<NodeRelation> rounded_to_odd(NodeId node) const;
  std::optional<NodeRelation> shifted(NodeId node, NodeId base, const Fall& fall) const;
  std::optional<NodeRelation> of_patterns(NodeId node, NodeId base) const;

  const Graph& graph_;
  const SampledNodes& sampled_;
  const Format& result_;
  std::vector<bool> is_factor_;                                                ///< of a product
  std::map<std::pair<bool, std::vector<Integer>>, std::vector<NodeId>> kept_;  ///< by shape
  std::map<std::vector<Integer>, std::vector<NodeId>> odd_;  ///< kept nodes by their odd parts
  std::vector<NodeId> patterns_;
  std::vector<NodeId> with_exponent_;
  std::set<unsigned> rounded_to_odd_;
  std::vector<Fall> falls_;
  std::vector<std::vector<bool>> above_;  ///< of each fall: the nodes that depend on `to`
};

}  // namespace mmaspec
