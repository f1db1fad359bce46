#pragma once
/// The text of a design as derivations see it: the graph of one run, whatever algorithm made it.

#include <memory>
#include <optional>
#include <vector>

#include "spec/algorithms/algorithm.h"
#include "spec/lang/substitute.h"

namespace mmaspec {

/// d of the inputs that dot_inputs() names. The graph is not changed any more.
struct Text {
  std::shared_ptr<const Graph> graph;
  DotFormats formats;
  NodeId d;

  /// The input that is named c; nullopt where d does not depend on it.
  std::optional<NodeId> c() const;
};

Text text_of(const Algorithm& algorithm, const DotFormats& formats);

/// What the text makes of a pattern that it comes by: `from`, which must be one of the format `c`
/// for all inputs, becomes c, and `to` becomes d. nullopt where the text knows more of `from`.
std::optional<Text> part_of(const Text& text, NodeId from, NodeId to, const Format& c);

/// The text with constants in the place of nodes.
Text with_constants(const Text& text, const std::vector<std::pair<NodeId, bool>>& constants);

/// What a text is in the current graph for given operands.
struct Image {
  std::vector<std::optional<NodeId>> nodes;  ///< by node of the text, for d's cone
  std::vector<Bool> facts;    ///< what the text knows of its nodes, whatever the operands
  std::vector<Bool> strange;  ///< an operand that may be no pattern is none
};

/// Builds the text for the operands.
Image image_of(const Text& text, const DotOperands& operands);

/// By node: it is one of these, or made of them.
std::vector<bool> made_of(const Graph& graph, const std::vector<NodeId>& nodes);

/// Products that the roots are made of.
std::vector<NodeId> products_below(const Graph& graph, const std::vector<NodeId>& roots);

/// Booleans and integers of the cone of `root` that are reached from it by nodes for which `enters`
/// holds: the root itself among them if it holds of it.
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
