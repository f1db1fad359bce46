#include "spec/lang/print.h"

#include <map>

namespace mmaspec {
namespace {

std::string reference(const Graph& graph, NodeId id) {
  const Node& n = graph[id];
  if (n.op == Op::constant) return n.value.str();
  if (n.op == Op::boolean) return n.value != 0 ? "true" : "false";
  if (n.op == Op::input) return graph.input_name(id);
  return "n" + std::to_string(id);
}

std::string describe_sum(const Graph& graph, const Node& n) {
  std::string text = n.value == 0 ? "" : n.value.str();
  for (std::size_t i = 0; i < n.args.size(); ++i) {
    const Integer& c = n.coefficients[i];
    const Integer magnitude = c < 0 ? Integer(-c) : c;
    if (c < 0) {
      text += text.empty() ? "-" : " - ";
    } else if (!text.empty()) {
      text += " + ";
    }
    if (magnitude != 1) text += magnitude.str() + "*";
    text += reference(graph, n.args[i]);
  }
  return text;
}

/// Escapes text for a double-quoted dot string.
std::string escaped(const std::string& text) {
  std::string result;
  for (char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

}  // namespace

std::string describe(const Graph& graph, NodeId id) {
  const Node& n = graph[id];
  if (n.op == Op::sum) return describe_sum(graph, n);
  if (n.args.empty()) return reference(graph, id);
  std::string text(name(n.op));
  if (n.op == Op::bits) {
    text += "[" + std::to_string(n.low + n.width - 1) + ":" + std::to_string(n.low) + "]";
  }
  text += "(";
  for (std::size_t i = 0; i < n.args.size(); ++i) {
    text += (i > 0 ? ", " : "") + reference(graph, n.args[i]);
  }
  return text + ")";
}

std::string print(const Graph& graph, const std::vector<NodeId>& roots) {
  std::string text;
  for (NodeId id : graph.cone(roots)) {
    const Node& n = graph[id];
    if (n.op == Op::constant || n.op == Op::boolean) continue;
    text += "n" + std::to_string(id) + " = " + describe(graph, id);
    if (!is_boolean(n.op)) text += "   in [" + n.range.low.str() + ", " + n.range.high.str() + "]";
    if (n.stage != 0) text += "   {" + graph.stages()[n.stage] + "}";
    text += "\n";
  }
  for (NodeId r : roots) text += "result " + reference(graph, r) + "\n";
  return text;
}

std::string to_dot(const Graph& graph, const std::vector<NodeId>& roots, const std::string& title) {
  std::map<std::uint32_t, std::string> clusters;
  std::string edges;
  for (NodeId id : graph.cone(roots)) {
    const Node& n = graph[id];
    if (n.op == Op::constant || n.op == Op::boolean) continue;
    const std::string shape = n.op == Op::input ? ", shape=box" : "";
    clusters[n.stage] += "    n" + std::to_string(id) + " [label=\"" +
                         escaped(describe(graph, id)) + "\"" + shape + "];\n";
    for (NodeId a : n.args) {
      if (graph[a].op == Op::constant || graph[a].op == Op::boolean) continue;
      edges += "  n" + std::to_string(a) + " -> n" + std::to_string(id) + ";\n";
    }
  }
  std::string text = "digraph spec {\n  label=\"" + escaped(title) + "\";\n  node [fontsize=10];\n";
  for (const auto& [stage, nodes] : clusters) {
    text += "  subgraph cluster_" + std::to_string(stage) + " {\n    label=\"" +
            escaped(graph.stages()[stage]) + "\";\n" + nodes + "  }\n";
  }
  text += edges;
  for (NodeId r : roots) {
    text += "  d [shape=doublecircle];\n  " + reference(graph, r) + " -> d;\n";
  }
  return text + "}\n";
}

}  // namespace mmaspec
