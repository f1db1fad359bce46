#include "queries/derive/term_graph.h"

#include <map>

namespace mmaspec {
namespace {

/// The term graph that `build` fills.
template <typename Build>
TermGraph built(const DotFormats& formats, const Build& build) {
  auto graph = std::make_shared<Graph>();
  const Graph::Building building(*graph);
  const NodeId d = build();
  return {graph, formats, d};
}

/// Marks the copies of marked nodes.
void copy_marks(const Graph& from, Substitution& copy) {
  for (const Mark& mark : from.marks()) {
    const bool all =
        copy.determines(mark.node) && (!mark.exponent || copy.determines(*mark.exponent));
    if (!all) continue;
    Mark image = mark;
    image.node = copy.integer(mark.node).id();
    if (mark.exponent) image.exponent = copy.integer(*mark.exponent).id();
    Graph::current().add_mark(std::move(image));
  }
}

}  // namespace

std::optional<NodeId> TermGraph::c() const { return graph->find_input("c"); }

TermGraph text_of(const Algorithm& algorithm, const DotFormats& formats) {
  return built(formats, [&] { return algorithm.build(formats, dot_inputs(formats)).id(); });
}

std::optional<TermGraph> part_of(const TermGraph& text, NodeId from, NodeId to, const Format& c) {
  DotFormats formats = text.formats;
  formats.c = &c;
  bool exact = true;
  TermGraph part = built(formats, [&] {
    Substitution copy(*text.graph);
    copy.replace(from, input("c", static_cast<unsigned>(c.storage_bits)));
    const NodeId d = copy.integer(to).id();
    copy_marks(*text.graph, copy);
    // A fact would hold only for the patterns that the term graph produces, not for all.
    exact = copy.facts().empty();
    return d;
  });
  if (!exact) return std::nullopt;
  return part;
}

TermGraph with_constants(const TermGraph& text,
                         const std::vector<std::pair<NodeId, bool>>& constants) {
  return built(text.formats, [&] {
    Substitution copy(*text.graph);
    for (const auto& [node, value] : constants) copy.replace(node, Bool(value));
    const NodeId d = copy.integer(text.d).id();
    copy_marks(*text.graph, copy);
    return d;
  });
}

std::vector<bool> made_of(const Graph& graph, const std::vector<NodeId>& nodes) {
  std::vector<bool> made(graph.size());
  for (NodeId n : nodes) made[n] = true;
  for (NodeId n = 0; n < graph.size(); ++n) {
    for (NodeId a : graph[n].args) made[n] = made[n] || made[a];
  }
  return made;
}

std::vector<NodeId> products_below(const Graph& graph, const std::vector<NodeId>& roots) {
  std::vector<NodeId> all = graph.cone(roots);
  std::erase_if(all, [&](NodeId n) { return graph[n].op != Op::product; });
  return all;
}

Image image_of(const TermGraph& text, const DotOperands& operands) {
  std::map<std::string, Int> by_name;
  const auto add = [&](const std::string& name, const std::vector<Int>& all) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      by_name.emplace(name + "[" + std::to_string(i) + "]", all[i]);
    }
  };
  add("a", operands.a);
  add("b", operands.b);
  add("sa", operands.scale_a);
  add("sb", operands.scale_b);
  by_name.emplace("c", operands.c);
  Image image;
  image.nodes.resize(text.graph->size());
  Substitution copy(*text.graph);
  for (NodeId i : text.graph->inputs()) {
    const auto it = by_name.find(text.graph->input_name(i));
    if (it == by_name.end())
      throw std::logic_error("a term graph has an input that is not an operand");
    copy.replace(i, it->second);
    const Range& patterns = (*text.graph)[i].range;
    const Bool strange = it->second < patterns.low || it->second > patterns.high;
    if (!strange.same_as(false)) image.strange.push_back(strange);
  }
  for (NodeId n : text.graph->cone({text.d})) {
    image.nodes[n] = is_boolean((*text.graph)[n].op) ? copy.boolean(n).id() : copy.integer(n).id();
  }
  image.facts = copy.facts();
  return image;
}

}  // namespace mmaspec
