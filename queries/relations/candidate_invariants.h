#pragma once
/// Candidate invariants: functions of earlier nodes that agree with a node in all samples.

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "queries/relations/relational_invariant.h"

namespace mmaspec {

/// The values of a graph's nodes for samples of its inputs.
class SimulationSignatures {
 public:
  /// Evaluates all nodes on which the roots depend.
  SimulationSignatures(const Graph& graph, const std::vector<NodeId>& roots,
                       const std::vector<InputValues>& samples);

  const std::vector<NodeId>& nodes() const { return nodes_; }
  const std::vector<Integer>& values(NodeId n) const { return values_[n]; }

 private:
  std::vector<NodeId> nodes_;
  std::vector<std::vector<Integer>> values_;  ///< indexed by node, then by sample
};

/// The cases that a candidate invariant leaves out.
struct WhereNotAsked {
  NodeId holds;      ///< the Boolean that describes them
  NodeId condition;  ///< a node that is nonzero in them if `is`, and zero in them otherwise
  bool is;           ///< see `condition`
};

/// The relation y = x + constant if it holds in all samples outside of the cases left out; nullopt:
/// it does not hold, or there are no such samples.
std::optional<RelationalInvariant> equal_unless(const SimulationSignatures& sampled, NodeId y,
                                                NodeId x, const WhereNotAsked& unless);

/// Candidate invariants of nodes, which must be requested in ascending order.
class CandidateInvariants {
 public:
  CandidateInvariants(const Graph& graph, const SimulationSignatures& sampled,
                      const Format& result);

  /// Candidate relations of the node to kept nodes.
  std::vector<RelationalInvariant> of(NodeId node) const;
  /// Adds a node that can be the base of later nodes.
  void keep(NodeId node);
  /// Adds a difference bound by which later nodes can be shifted.
  void keep(const DifferenceBound& fall);
  /// Adds a number of places by which later nodes can be rounded to odd.
  void keep_rounding_to_odd(unsigned places) { rounded_to_odd_.insert(places); }
  /// Whether a kept node is this one rounded to odd.
  bool is_finer(NodeId node) const;

 private:
  /// The normalized values of a node: values = offset + scale * shape. The shape's first value is
  /// 0, its first nonzero value is positive, and not all of its values are even.
  struct Shape {
    std::vector<Integer> values;
    Integer offset;
    bool negative = false;
    unsigned places = 0;  ///< exponent of two of the scale
  };
  Shape shape_of(NodeId node) const;
  RelationalInvariant linear(NodeId node, const Shape& shape, NodeId base,
                             const Shape& of_base) const;
  bool is_marked(NodeId node) const;
  bool is_pattern(NodeId node) const;
  /// Whether a mark names the exponent of its unit.
  bool has_exponent(NodeId node) const;
  /// Whether both have marks with the same name.
  bool is_called_like(NodeId x, NodeId y) const;
  std::optional<RelationalInvariant> shifted(NodeId node) const;
  std::optional<RelationalInvariant> rounded_to_odd(NodeId node) const;
  std::optional<RelationalInvariant> shifted(NodeId node, NodeId base,
                                             const DifferenceBound& fall) const;
  std::optional<RelationalInvariant> of_patterns(NodeId node, NodeId base) const;

  const Graph& graph_;
  const SimulationSignatures& sampled_;
  const Format& result_;
  std::vector<bool> is_factor_;                                                ///< the node is a
                                                                               ///< factor of a
                                                                               ///< product
  std::map<std::pair<bool, std::vector<Integer>>, std::vector<NodeId>> kept_;  ///< by shape
  std::map<std::vector<Integer>, std::vector<NodeId>> odd_;  ///< kept nodes by their odd parts
  std::vector<NodeId> patterns_;
  std::vector<NodeId> with_exponent_;
  std::set<unsigned> rounded_to_odd_;
  std::vector<DifferenceBound> falls_;
  std::vector<std::vector<bool>> above_;  ///< for each fall: the nodes that depend on `to`
};

}  // namespace mmaspec
