#include "hardware/rtl/circuit/signal_names.h"

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
  for (std::size_t i = 0; i < circuit.nodes.size(); ++i) {
    const CircuitNode& n = circuit.nodes[i];
    const bool is_alias = (n.op == "uext" || n.op == "sext" || n.op == "slice") &&
                          n.width == circuit.nodes[n.args[0]].width;
    unaliased_.push_back(is_alias ? unaliased_[n.args[0]] : i);
  }
  std::vector<std::pair<std::size_t, std::string>> wholes;
  for (std::size_t i = 0; i < circuit.nodes.size(); ++i) {
    const CircuitNode& n = circuit.nodes[i];
    for (const std::size_t a : n.args) users_[a].push_back(i);
    if (!n.symbol.empty()) wholes.emplace_back(unaliased_[i], n.symbol);
    std::string& source = sources_[unaliased_[i]];
    if (source.empty()) source = n.source;
  }
  for (const Circuit::Output& o : circuit.outputs) {
    const std::size_t node = unaliased_[o.node];
    wholes.emplace_back(node, o.name);
    if (sources_[node].empty()) sources_[node] = o.source;
  }
  for (const auto& [node, name] : wholes) offer(node, name);
  for (const auto& [node, name] : wholes) name_parts(node, name);
}

void SignalNames::offer(std::size_t node, const std::string& name) {
  const auto rank = [](const std::string& s) {
    return std::tuple(s.empty(), std::count(s.begin(), s.end(), '.'), s.size(), s);
  };
  // A port or register keeps its declared name.
  if (!circuit_.nodes[node].symbol.empty() && name != circuit_.nodes[node].symbol) return;
  if (rank(name) < rank(names_[node])) names_[node] = name;
}

// The parts of a named signal get its name too.
void SignalNames::name_parts(std::size_t node, const std::string& whole) {
  struct Part {
    std::size_t node;
    unsigned low;  ///< its lowest bit in the whole
  };
  // Parts of parts; the lowest is last, so that it is processed next.
  std::vector<Part> pending;
  const auto add_parts_of = [&](const Part& p) {
    const CircuitNode& n = circuit_.nodes[p.node];
    if (n.op != "concat") return;
    const std::size_t high = unaliased_[n.args[0]];
    const std::size_t low = unaliased_[n.args[1]];
    pending.push_back({high, p.low + circuit_.nodes[low].width});
    pending.push_back({low, p.low});
  };
  add_parts_of({node, 0});
  while (!pending.empty()) {
    const Part part = pending.back();
    pending.pop_back();
    const unsigned width = circuit_.nodes[part.node].width;
    std::string& name = names_[part.node];
    if (circuit_.nodes[part.node].op != "const" && name.empty()) {
      name = width == 1 ? fmt::format("{}[{}]", whole, part.low)
                        : fmt::format("{}[{}:{}]", whole, part.low + width - 1, part.low);
    }
    add_parts_of(part);
  }
}

std::string SignalNames::describe(std::size_t node) const {
  const auto with_source = [](const std::string& text, const std::string& source) {
    return source.empty() ? text : fmt::format("{} ({})", text, source);
  };
  node = unaliased_[node];
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
