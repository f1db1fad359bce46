#pragma once
/// How a node may be a function of an earlier one, and what samples say of it.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "queries/ask/question.h"
#include "spec/formats/format.h"

namespace mmaspec {

/// By how much a node is less than another one's value and a constant: from 0 to `most`.
struct Fall {
  NodeId from;
  Integer constant;
  NodeId to;
  unsigned most;
  std::optional<Integer> below = {};  ///< it is zero where `from` is larger than this

  friend bool operator==(const Fall&, const Fall&) = default;
};

/// A node is a function of an earlier one, its base, whatever the inputs that the premises allow.
struct NodeRelation {
  enum class Kind {
    constant,         ///< it is `constant`; of a Boolean 0 or 1
    linear,           ///< floor(factor * base / 2^places) + constant; of Booleans equal or negated
    falls,            ///< the base less a number within `fall`: no function, but a bound
    shifted,          ///< floor(factor * base * 2^(the fall of other nodes) / 2^places)
    limited,          ///< the base, but no more than `constant`
    rounded_to_odd,   ///< base / 2^places, an odd one of the integers beside it if it is none
    equal_pattern,    ///< the same but for the sign of a zero
    negated_pattern,  ///< its negative but for the sign of a zero; of a NaN that NaN
    doubled_pattern,  ///< finite numbers, twice the base
  };
  NodeId node;
  Kind kind;
  NodeId base = 0;
  Integer factor = 1;
  unsigned places = 0;
  Integer constant = 0;
  Fall fall = {};
  std::optional<NodeId> unless = {};  ///< linear: a Boolean that is not of the second run; where it
                                      ///< holds the node may be anything
  bool is_exact = false;              ///< linear: the base is a multiple of 2^places
  bool is_never_nan = false;          ///< known of the base, a pattern
};

/// That it holds, in the current graph, of which both nodes are. `f`: the patterns' format.
Bool holds(const NodeRelation& r, const Format& f);

/// For people; nodes by their marks.
std::string description_of(const NodeRelation& r, const Graph& graph);

/// Puts into a copy what the relation makes of the base's copy; returns what holds of that besides.
Bool put_in(const NodeRelation& r, const Graph& graph, const Format& f, Substitution& copy);

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
