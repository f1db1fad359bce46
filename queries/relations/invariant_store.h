#pragma once
/// The store of proved relations, and lemmas that use them.

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "queries/derive/lemmas.h"
#include "queries/relations/relational_invariant.h"

namespace mmaspec {

/// How deep the formula of a lemma goes. Nodes at its border become variables.
enum class Depth {
  shared,   ///< down to nodes of share() and bases of other nodes
  nearest,  ///< down to bases of other nodes
  stages,   ///< the same, if the node or its base is marked
  maxima,   ///< down to largest exponents, through everything else
  inputs,
};

class InvariantStore {
 public:
  /// `premises`: Booleans of the graph that depend on inputs only and hold in every query.
  /// `result`: the format of intermediate patterns. The graph, the format and the lemmas must
  /// outlive this object.
  InvariantStore(Graph& graph, std::vector<NodeId> premises, const Format& result, Lemmas& lemmas);

  /// Stores a relation. All later queries substitute it for its node.
  void keep(const RelationalInvariant& relation);
  /// Records that a relation follows from facts about the nodes below it, without a query.
  void record_by_facts(const RelationalInvariant& relation, const std::vector<NodeId>& facts,
                       const std::vector<NodeId>& free);
  /// The same for a Boolean.
  void record_by_facts(NodeId holds, const std::vector<NodeId>& facts,
                       const std::vector<NodeId>& free);
  /// Records that a relation follows from the relations of the terms of its node.
  void record_by_relations(const RelationalInvariant& relation);
  /// Stores a Boolean of the graph about a node. Queries that contain the node assume it.
  void keep_fact(NodeId node, NodeId fact) { facts_.emplace_back(node, fact); }
  /// Stores a proved range of an integer that is narrower than its node's. Returns the fact.
  NodeId keep_range(NodeId node, const Range& range);
  /// Further nodes at which Depth::shared stops, except those that constants decide. Replaces the
  /// nodes of the last call.
  void share(const std::vector<NodeId>& nodes);

  const RelationalInvariant* of(NodeId n) const {
    return n < relation_of_.size() && relation_of_[n] ? &*relation_of_[n] : nullptr;
  }

  /// True if a solver proves the conditions unsatisfiable, with relations substituted and the nodes
  /// at the border of the depth as variables. The assumed premises are those whose inputs the
  /// conditions then depend on, or all with `every_premise`.
  bool is_unsat(const std::string& name, const std::vector<NodeId>& conditions, Depth depth,
                bool every_premise, double seconds);

  /// The same at Depth::nearest, except that these nodes are not variables but computed.
  bool excluded_opening(const std::string& name, const std::vector<NodeId>& conditions,
                        const std::vector<NodeId>& opened, double seconds);

  /// The same at Depth::nearest, split by the leading bit of a node; false if the node is not a
  /// variable there.
  bool excluded_by_lengths(const std::string& name, const std::vector<NodeId>& conditions,
                           NodeId node, double seconds);

  /// The same for one condition, together with others that are assumed, without assumptions about
  /// arithmetic: for what NaNs and infinities decide.
  bool excluded_whatever_arithmetic(const std::string& name, NodeId condition,
                                    const std::vector<NodeId>& assumed, double seconds);

  /// The same if both integers x and y depend on a sum in units of a power of two. Proved facts are
  /// substituted; the sum, its exponent, and other nodes that x and y share become variables.
  struct Sum {
    NodeId units;
    NodeId exponent;
  };
  bool excluded_of_sum(const std::string& name, const std::vector<NodeId>& conditions, NodeId x,
                       NodeId y, const Sum& sum, double seconds);

  /// All nodes that a copy of the roots contains. The base replaces a related node, and the search
  /// stops at variables.
  std::vector<NodeId> reached(std::vector<NodeId> pending, Depth depth) const;
  bool is_variable(NodeId n, Depth depth) const;
  /// True for a largest exponent, and for nodes that behave like one.
  bool is_largest(NodeId n) const;

 private:
  /// Whether a copy of that depth substitutes this relation.
  bool is_put_in(const RelationalInvariant& r, Depth depth) const;
  /// Whether constants that are known decide the Boolean.
  bool is_decided(NodeId n) const;

  /// The largest exponents among these nodes, down to Depth::maxima, each with members that depend
  /// on others of them. The members are at most as large.
  std::vector<std::pair<NodeId, NodeId>> members_of_maxima(const std::vector<NodeId>& below) const;

  /// Records that the fields of a pattern without its sign are those of its base.
  void rewrite_fields(const RelationalInvariant& r, const std::vector<NodeId>& below,
                      LemmaRecord& record) const;
  /// Records that the magnitude of a negated node is that of its base.
  void rewrite_magnitude(const RelationalInvariant& r, const std::vector<NodeId>& below,
                         LemmaRecord& record) const;
  /// The record of a lemma at that depth.
  LemmaRecord record_of(const std::vector<NodeId>& conditions, const std::vector<NodeId>& below,
                        const std::vector<NodeId>& premises, Depth depth) const;

  enum class BaseOf : unsigned char { nothing, node, stage };

  /// The premises that depend only on nodes of the conditions at that depth, or all premises.
  std::vector<NodeId> premises_for(const std::vector<NodeId>& below, bool all) const;
  struct Narrowed {
    NodeId node;
    Range range;
  };
  /// Whether the node compares variables, so that a variable in its place would be weaker.
  bool compares_variables(NodeId n, Depth depth) const;
  /// A variable that replaces an integer which is a multiple of a power of two.
  Int variable_multiple(NodeId n, std::vector<Bool>& facts) const;
  Change cut_at(const std::vector<NodeId>& below, const std::vector<NodeId>& premises, Depth depth,
                const std::optional<Narrowed>& narrowed = std::nullopt) const;

  Graph& graph_;
  const Format& result_;
  Lemmas& lemmas_;
  std::vector<NodeId> premises_;
  std::vector<std::vector<NodeId>> inputs_of_;  ///< for each premise
  std::vector<bool> is_stage_;                  ///< the node is marked
  std::vector<bool> is_shared_;
  std::vector<std::optional<RelationalInvariant>> relation_of_;
  struct Stated {
    NodeId holds;              ///< the Boolean that says that the relation holds
    std::optional<NodeId> by;  ///< the function of the base, if it determines the node
  };
  std::map<NodeId, Stated> stated_;  ///< for each node with a relation
  std::map<NodeId, NodeId> fact_of_range_;
  std::map<NodeId, NodeId> fact_of_multiple_;
  std::vector<BaseOf> base_of_;                   ///< what is a function of the node
  std::vector<bool> is_opened_;                   ///< not a variable in the current query
  std::vector<unsigned> multiple_of_;             ///< the exponent of two, if the node is an exact
                                                  ///< base
  std::vector<std::pair<NodeId, NodeId>> facts_;  ///< pairs of node and fact
  std::map<NodeId, Range> range_of_;              ///< where narrower than the node's own range
};

}  // namespace mmaspec
