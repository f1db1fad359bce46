#pragma once
/// The relations that were proved so far, and lemmas that rest on them.

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "queries/derive/lemmas.h"
#include "queries/relations/node_relation.h"

namespace mmaspec {

/// Down to where a lemma looks.
enum class Depth {
  shared,   ///< nodes of share(), and what other nodes are functions of
  nearest,  ///< what other nodes are functions of
  stages,   ///< the same where either is marked
  maxima,   ///< largest exponents; past all else
  inputs,
};

class ProvedRelations {
 public:
  /// `premises`: Booleans of the graph, of inputs alone, that hold whatever is asked. `result`: the
  /// format of patterns on the way. The graph, the format and the lemmas must outlive this object.
  ProvedRelations(const Graph& graph, std::vector<NodeId> premises, const Format& result,
                  Lemmas& lemmas);

  /// From now on the relation is put in wherever its node is met.
  void keep(const NodeRelation& relation);
  /// A Boolean of the graph, about a node, that is assumed wherever the node is met.
  void keep_fact(NodeId node, NodeId fact) { facts_.emplace_back(node, fact); }
  /// An integer is proved to lie in a part of its node's range.
  void keep_range(NodeId node, const Range& range) { range_of_[node] = range; }
  /// What Depth::shared stops at besides, until the next call, but for what constants decide.
  void share(const std::vector<NodeId>& nodes);

  const NodeRelation* of(NodeId n) const {
    return n < relation_of_.size() && relation_of_[n] ? &*relation_of_[n] : nullptr;
  }

  /// True if a solver says that no input satisfies all conditions: with the relations put in, what
  /// the depth stops at as variables, and the premises that speak of inputs which the conditions
  /// depend on then, or every premise.
  bool excluded(const std::string& name, const std::vector<NodeId>& conditions, Depth depth,
                bool every_premise, double seconds);

  /// The same at Depth::nearest, with these nodes as they are computed.
  bool excluded_opening(const std::string& name, const std::vector<NodeId>& conditions,
                        const std::vector<NodeId>& opened, double seconds);

  /// The same at Depth::nearest, asked of each length in bits that a node may have there; false
  /// where it is no variable.
  bool excluded_by_lengths(const std::string& name, const std::vector<NodeId>& conditions,
                           NodeId node, double seconds);

  /// The same whatever arithmetic makes of numbers: of what NaNs and infinities decide.
  bool excluded_whatever_arithmetic(const std::string& name, const std::vector<NodeId>& conditions,
                                    double seconds);

  /// The same where both x and y, integers, are made of a sum, in units of a power of two: with
  /// what is proved of the nodes before put in, the sum and its exponent become variables, and what
  /// both x and y share besides.
  struct Sum {
    NodeId units;
    NodeId exponent;
  };
  bool excluded_of_sum(const std::string& name, const std::vector<NodeId>& conditions, NodeId x,
                       NodeId y, const Sum& sum, double seconds);

  /// All nodes that a copy of the roots needs: past a related node its base, past a variable
  /// nothing.
  std::vector<NodeId> reached(std::vector<NodeId> pending, Depth depth) const;
  bool is_variable(NodeId n, Depth depth) const;
  /// A largest exponent, or like one.
  bool is_largest(NodeId n) const;

 private:
  /// A copy down to that depth has in the place of its node what it says.
  bool is_put_in(const NodeRelation& r, Depth depth) const;
  /// What is known to be constant decides the Boolean.
  bool is_decided(NodeId n) const;

  /// The largest exponents of these nodes, down to Depth::maxima, and members that are made of
  /// others of them: which are no larger.
  std::vector<std::pair<NodeId, NodeId>> members_of_maxima(const std::vector<NodeId>& below) const;

  enum class BaseOf : unsigned char { nothing, node, stage };

  /// The premises that speak of nothing but what the conditions depend on then, or all.
  std::vector<NodeId> premises_for(const std::vector<NodeId>& below, bool all) const;
  struct Narrowed {
    NodeId node;
    Range range;
  };
  /// It says of variables what a variable in its place would not say.
  bool compares_variables(NodeId n, Depth depth) const;
  /// A variable in the place of an integer that is a multiple of a power of two.
  Int variable_multiple(NodeId n, std::vector<Bool>& facts) const;
  Change cut_at(const std::vector<NodeId>& below, const std::vector<NodeId>& premises, Depth depth,
                const std::optional<Narrowed>& narrowed = std::nullopt) const;

  const Graph& graph_;
  const Format& result_;
  Lemmas& lemmas_;
  std::vector<NodeId> premises_;
  std::vector<std::vector<NodeId>> inputs_of_;  ///< of each premise
  std::vector<bool> is_stage_;                  ///< it is marked
  std::vector<bool> is_shared_;
  std::vector<std::optional<NodeRelation>> relation_of_;
  std::vector<BaseOf> base_of_;                   ///< what is a function of the node
  std::vector<bool> is_opened_;                   ///< no variable for now
  std::vector<unsigned> multiple_of_;             ///< 2 to this, where it is an exact base
  std::vector<std::pair<NodeId, NodeId>> facts_;  ///< of nodes
  std::map<NodeId, Range> range_of_;              ///< where narrower than the node's own
};

}  // namespace mmaspec
