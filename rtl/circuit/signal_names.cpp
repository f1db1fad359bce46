#include "rtl/circuit/signal_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <set>
#include <tuple>

namespace mmaspec::rtl {

SignalNames::SignalNames(const Circuit& circuit)
    : circuit_(circuit),
      names_(circuit.nodes.size()),
      sources_(circuit.nodes.size()),
      users_(circuit.nodes.size()) {
  std::vector<std::pair<std::size_t, std::string>> wholes;
  for (std::size_t i = 0; i < circuit.nodes.size(); ++i) {
    const CircuitNode& n = circuit.nodes[i];
    for (const std::size_t a : n.args) users_[a].push_back(i);
    if (!n.symbol.empty()) wholes.emplace_back(unaliased(circuit, i), n.symbol);
    std::string& source = sources_[unaliased(circuit, i)];
    if (source.empty()) source = n.source;
  }
  for (const Circuit::Output& o : circuit.outputs) {
    const std::size_t node = unaliased(circuit, o.node);
    wholes.emplace_back(node, o.name);
    if (sources_[node].empty()) sources_[node] = o.source;
  }
  for (const auto& [node, name] : wholes) offer(node, name);
  for (const auto& [node, name] : wholes) name_parts(node, name, 0);
}

std::size_t SignalNames::unaliased(const Circuit& circuit, std::size_t node) {
  for (;;) {
    const CircuitNode& n = circuit.nodes[node];
    const bool is_alias = (n.op == "uext" || n.op == "sext" || n.op == "slice") &&
                          n.width == circuit.nodes[n.args[0]].width;
    if (!is_alias) return node;
    node = n.args[0];
  }
}

void SignalNames::offer(std::size_t node, const std::string& name) {
  const auto rank = [](const std::string& s) {
    return std::tuple(s.empty(), std::count(s.begin(), s.end(), '.'), s.size(), s);
  };
  // A port or register keeps the name that it was declared with.
  if (!circuit_.nodes[node].symbol.empty() && name != circuit_.nodes[node].symbol) return;
  if (rank(name) < rank(names_[node])) names_[node] = name;
}

// What a named signal is put together of has its name, too.
void SignalNames::name_parts(std::size_t node, const std::string& whole, unsigned low) {
  const CircuitNode& n = circuit_.nodes[node];
  if (n.op != "concat") return;
  for (const std::size_t k : {std::size_t{1}, std::size_t{0}}) {
    const std::size_t part = unaliased(circuit_, n.args[k]);
    const unsigned width = circuit_.nodes[part].width;
    if (circuit_.nodes[part].op != "const" && names_[part].empty()) {
      names_[part] = width == 1 ? fmt::format("{}[{}]", whole, low)
                                : fmt::format("{}[{}:{}]", whole, low + width - 1, low);
    }
    name_parts(part, whole, low);
    low += width;
  }
}

std::string SignalNames::describe(std::size_t node) const {
  const auto with_source = [](const std::string& text, const std::string& source) {
    return source.empty() ? text : fmt::format("{} ({})", text, source);
  };
  node = unaliased(circuit_, node);
  if (!names_[node].empty()) return with_source(names_[node], sources_[node]);
  std::deque<std::size_t> pending{node};
  std::set<std::size_t> seen{node};
  while (!pending.empty()) {
    const std::size_t at = pending.front();
    pending.pop_front();
    if (!names_[at].empty()) {
      return with_source("a value in " + names_[at],
                         sources_[node].empty() ? sources_[at] : sources_[node]);
    }
    for (const std::size_t user : users_[at]) {
      if (seen.insert(user).second) pending.push_back(user);
    }
  }
  return with_source("a value without a name", sources_[node]);
}

}  // namespace mmaspec::rtl
