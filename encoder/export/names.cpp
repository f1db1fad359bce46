#include <cctype>

#include "encoder/export/module.h"

namespace mmaspec {

std::string identifier(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      result += c;
    } else if (!result.empty() && result.back() != '_') {
      result += '_';
    }
  }
  while (!result.empty() && result.back() == '_') result.pop_back();
  if (result.empty() || std::isalpha(static_cast<unsigned char>(result[0])) == 0) {
    result.insert(0, "m_");
  }
  return result;
}

// Except for inputs, names end with the node's number, so that none is a keyword or the name of
// another node.
NodeNames::NodeNames(const Graph& graph, NodeId root) : nodes_(graph.cone({root})) {
  std::unordered_map<NodeId, std::string> marked;
  for (const Mark& mark : graph.marks()) {
    const std::string stage = mark.stage.empty() ? "" : mark.stage + "_";
    marked.try_emplace(mark.node, identifier(stage + mark.label));
    if (mark.exponent) marked.try_emplace(*mark.exponent, identifier(stage + mark.label + "_exp"));
  }
  for (const NodeId id : nodes_) {
    if (graph[id].op == Op::input) {
      names_[id] = "in_" + identifier(graph.input_name(id));
      continue;
    }
    const auto mark = marked.find(id);
    const std::string stage = graph[id].stage == 0 ? "n" : graph.stages()[graph[id].stage];
    names_[id] =
        (mark == marked.end() ? identifier(stage) : mark->second) + "_" + std::to_string(id);
  }
}

}  // namespace mmaspec
