#include "queries/relations/proved_relations.h"

#include <algorithm>

#include "queries/derive/two_runs.h"

namespace mmaspec {
namespace {

using Kind = NodeRelation::Kind;

/// A bound is of use where a variable is bound.
bool is_put_in(const NodeRelation& r, Depth depth) {
  return r.kind != Kind::falls || depth != Depth::inputs;
}

}  // namespace

ProvedRelations::ProvedRelations(const Graph& graph, std::vector<NodeId> premises,
                                 const Format& result, Lemmas& lemmas)
    : graph_(graph),
      result_(result),
      lemmas_(lemmas),
      premises_(std::move(premises)),
      is_stage_(graph.size()),
      is_shared_(graph.size()),
      relation_of_(graph.size()),
      base_of_(graph.size()) {
  for (const Mark& m : graph.marks()) is_stage_[m.node] = true;
  for (NodeId p : premises_) {
    std::vector<NodeId> inputs = graph.cone({p});
    std::erase_if(inputs, [&](NodeId n) { return graph[n].op != Op::input; });
    inputs_of_.push_back(std::move(inputs));
  }
}

void ProvedRelations::keep(const NodeRelation& r) {
  relation_of_[r.node] = r;
  if (r.kind == Kind::constant) return;
  const bool stage = is_stage_[r.node] || is_stage_[r.base];
  base_of_[r.base] = stage ? BaseOf::stage : std::max(base_of_[r.base], BaseOf::node);
}

void ProvedRelations::share(const std::vector<NodeId>& nodes) {
  is_shared_.assign(is_shared_.size(), false);
  for (NodeId n : nodes) is_shared_[n] = !is_decided(n);
}

bool ProvedRelations::is_decided(NodeId n) const {
  if (!is_boolean(graph_[n].op)) return false;
  Graph scratch;
  const Graph::Building building(scratch);
  Substitution copy(graph_);
  for (NodeId m : graph_.cone({n})) {
    const NodeRelation* r = of(m);
    if (r != nullptr && r->kind == Kind::constant) put_in(*r, graph_, result_, copy);
  }
  return scratch[copy.boolean(n).id()].range.is_point();
}

bool ProvedRelations::excluded(const std::string& name, const std::vector<NodeId>& conditions,
                               Depth depth, bool every_premise, double seconds) {
  std::vector<NodeId> below = reached(conditions, depth);
  std::sort(below.begin(), below.end());
  std::vector<NodeId> own;
  std::copy_if(below.begin(), below.end(), std::back_inserter(own),
               [&](NodeId n) { return graph_[n].op == Op::input; });
  std::vector<NodeId> premises;
  for (std::size_t i = 0; i < premises_.size(); ++i) {
    const auto& inputs = inputs_of_[i];
    if (every_premise || std::includes(own.begin(), own.end(), inputs.begin(), inputs.end())) {
      premises.push_back(premises_[i]);
    }
  }
  return lemmas_.excluded(name, graph_, conditions, {}, cut_at(below, premises, depth), seconds);
}

Change ProvedRelations::cut_at(const std::vector<NodeId>& below,
                               const std::vector<NodeId>& premises, Depth depth) const {
  return [this, below, premises, depth](Substitution& copy) {
    std::vector<Bool> facts;
    // Premises keep all that they say: what follows from them is not put into them.
    Substitution of_premises(graph_);
    const auto put_in_where = [&](bool constant) {
      for (NodeId n : below) {
        const NodeRelation* r = of(n);
        if (r == nullptr || !is_put_in(*r, depth) || (r->kind == Kind::constant) != constant) {
          continue;
        }
        facts.push_back(put_in(*r, graph_, result_, copy));
      }
    };
    // First what is no function of other nodes, then the variables that the others are functions
    // of.
    put_in_where(true);
    for (NodeId n : below) {
      if (!is_variable(n, depth) || copy.determines(n)) continue;
      facts.push_back(free_in_range(graph_, n, copy));
      if (is_boolean(graph_[n].op)) {
        of_premises.replace(n, copy.boolean(n));
      } else {
        of_premises.replace(n, copy.integer(n));
      }
    }
    put_in_where(false);
    for (const auto& [pattern, fact] : facts_) {
      if (std::binary_search(below.begin(), below.end(), pattern)) {
        facts.push_back(copy.boolean(fact));
      }
    }
    for (NodeId p : premises) facts.push_back(of_premises.boolean(p));
    facts.insert(facts.end(), of_premises.facts().begin(), of_premises.facts().end());
    return facts;
  };
}

bool ProvedRelations::is_variable(NodeId n, Depth depth) const {
  if (n >= base_of_.size() || depth == Depth::inputs) return false;
  return base_of_[n] == BaseOf::stage || (depth == Depth::shared && is_shared_[n]) ||
         (depth != Depth::stages && base_of_[n] == BaseOf::node);
}

std::vector<NodeId> ProvedRelations::reached(std::vector<NodeId> pending, Depth depth) const {
  std::vector<NodeId> all;
  std::vector<bool> seen(graph_.size());
  while (!pending.empty()) {
    const NodeId n = pending.back();
    pending.pop_back();
    if (seen[n]) continue;
    seen[n] = true;
    all.push_back(n);
    const NodeRelation* r = of(n);
    if (r != nullptr && is_put_in(*r, depth)) {
      if (r->kind != Kind::constant) pending.push_back(r->base);
      if (r->kind == Kind::shifted) pending.insert(pending.end(), {r->fall.from, r->fall.to});
    } else if (!is_variable(n, depth)) {
      pending.insert(pending.end(), graph_[n].args.begin(), graph_[n].args.end());
    }
  }
  return all;
}

}  // namespace mmaspec
