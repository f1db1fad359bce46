#pragma once
/// The term graph of a design as derivations use it: the graph of one execution, independent of the
/// algorithm that built it.

#include <memory>
#include <optional>
#include <vector>

#include "spec/algorithms/algorithm.h"
#include "spec/lang/substitute.h"

namespace mmaspec {

/// d as a function of the inputs that dot_inputs() names. The graph does not change any more.
struct TermGraph {
  std::shared_ptr<const Graph> graph;
  DotFormats formats;
  NodeId d;

  /// The input named c; nullopt if d does not depend on it.
  std::optional<NodeId> c() const;
};

TermGraph text_of(const Algorithm& algorithm, const DotFormats& formats);

/// The part of a term graph between two patterns: `from`, which must be a pattern of the format `c`
/// for all inputs, becomes the input c, and `to` becomes d. nullopt if the term graph has further
/// facts about `from`.
std::optional<TermGraph> part_of(const TermGraph& text, NodeId from, NodeId to, const Format& c);

/// The term graph with nodes replaced by constants.
TermGraph with_constants(const TermGraph& text,
                         const std::vector<std::pair<NodeId, bool>>& constants);

/// The copy of a term graph in the current graph for given operands.
struct Image {
  std::vector<std::optional<NodeId>> nodes;  ///< indexed by node of the term graph; set for the
                                             ///< cone of d
  std::vector<Bool> facts;    ///< known facts about the nodes, which hold for all operands
  std::vector<Bool> strange;  ///< conditions under which an operand is not a pattern of its format
};

/// Builds the term graph for the operands.
Image image_of(const TermGraph& text, const DotOperands& operands);

/// For each node: whether it is one of these nodes or depends on one.
std::vector<bool> made_of(const Graph& graph, const std::vector<NodeId>& nodes);

/// The products on which the roots depend.
std::vector<NodeId> products_below(const Graph& graph, const std::vector<NodeId>& roots);

/// The nodes of the cone of `root` that are reached from it through nodes for which `enters` holds.
/// The root is included if `enters` holds for it.
template <typename Enters>
std::vector<bool> reached(const Graph& graph, NodeId root, const Enters& enters) {
  std::vector<bool> in(graph.size());
  in[root] = enters(root);
  for (NodeId n = root + 1; n-- > 0;) {
    if (!in[n]) continue;
    for (NodeId a : graph[n].args) in[a] = in[a] || enters(a);
  }
  return in;
}

}  // namespace mmaspec
