#include "queries/relations/invariant_store.h"

#include <algorithm>

#include "queries/ask/buildable.h"
#include "queries/derive/leading_bit_split.h"
#include "queries/derive/self_composition.h"
#include "queries/derive/term_graph.h"
#include "spec/lang/bounds.h"
#include "spec/lang/linear.h"
#include "util/unsigned.h"

namespace mmaspec {
namespace {

using Kind = RelationalInvariant::Kind;

/// True for the node, its negation, and sums that differ from either by a constant.
bool is_like(const Graph& graph, NodeId node, NodeId n) {
  if (n == node) return true;
  LinearForm form = LinearForm::of(graph, n);
  const LinearForm other = LinearForm::of(graph, node);
  for (const int factor : {-1, 1}) {
    LinearForm apart = form;
    apart.add(other, factor);
    if (apart.is_constant()) return true;
  }
  return false;
}

/// The nodes on which both x and y depend and that one of them uses separately. Nodes that depend
/// on `of` are expanded, and functions of the other nodes are left out.
std::vector<NodeId> shared_besides(const Graph& graph, NodeId x, NodeId y,
                                   const std::vector<NodeId>& of) {
  const std::vector<bool> made = made_of(graph, of);
  const auto is_of = [&](NodeId n) {
    return !is_boolean(graph[n].op) &&
           std::any_of(of.begin(), of.end(), [&](NodeId o) { return is_like(graph, o, n); });
  };
  const std::vector<NodeId> of_x = graph.cone({x});
  const std::vector<NodeId> of_y = graph.cone({y});
  const auto is_shared = [&](NodeId n) {
    return std::binary_search(of_x.begin(), of_x.end(), n) &&
           std::binary_search(of_y.begin(), of_y.end(), n);
  };
  std::vector<bool> shared(graph.size());
  std::vector<NodeId> pending{x, y};
  std::vector<bool> seen(graph.size());
  while (!pending.empty()) {
    const NodeId n = pending.back();
    pending.pop_back();
    if (seen[n] || graph[n].range.is_point() || is_of(n)) continue;
    seen[n] = true;
    if (!made[n] && is_shared(n)) {
      shared[n] = true;
    } else {
      pending.insert(pending.end(), graph[n].args.begin(), graph[n].args.end());
    }
  }
  std::vector<NodeId> all;
  std::vector<bool> is_function(graph.size());  // whether it is a function of the others
  for (NodeId n = 0; n < graph.size(); ++n) {
    const std::vector<NodeId>& args = graph[n].args;
    is_function[n] = graph[n].op != Op::input &&
                     std::all_of(args.begin(), args.end(),
                                 [&](NodeId a) { return is_function[a] || shared[a]; });
    if (shared[n] && !is_function[n]) all.push_back(n);
  }
  return all;
}

}  // namespace

InvariantStore::InvariantStore(Graph& graph, std::vector<NodeId> premises, const Format& result,
                               Lemmas& lemmas)
    : graph_(graph),
      result_(result),
      lemmas_(lemmas),
      premises_(std::move(premises)),
      is_stage_(graph.size()),
      is_shared_(graph.size()),
      relation_of_(graph.size()),
      base_of_(graph.size()),
      is_opened_(graph.size()),
      multiple_of_(graph.size()) {
  for (const Mark& m : graph.marks()) is_stage_[m.node] = true;
  for (NodeId p : premises_) {
    std::vector<NodeId> inputs = graph.cone({p});
    std::erase_if(inputs, [&](NodeId n) { return graph[n].op != Op::input; });
    inputs_of_.push_back(std::move(inputs));
  }
}

void InvariantStore::keep(const RelationalInvariant& r) {
  relation_of_[r.node] = r;
  const Graph::Building building(graph_);
  stated_[r.node] = {holds(r, result_).id(), image_of(r, graph_)};
  // A sum must stay an expression if another sum has its terms.
  if (r.kind == Kind::constant || r.kind == Kind::clamped) return;
  const bool stage = is_stage_[r.node] || is_stage_[r.base];
  base_of_[r.base] = stage ? BaseOf::stage : std::max(base_of_[r.base], BaseOf::node);
  if (r.kind == Kind::linear && r.is_exact && !r.unless &&
      boost::multiprecision::abs(r.factor) == 1) {
    multiple_of_[r.base] = std::max(multiple_of_[r.base], r.places);
    fact_of_multiple_[r.base] = stated_[r.node].holds;
  }
}

NodeId InvariantStore::keep_range(NodeId node, const Range& range) {
  range_of_[node] = range;
  const Graph::Building building(graph_);
  const Int x = Int::of(node);
  return fact_of_range_[node] = (x >= range.low && x <= range.high).id();
}

void InvariantStore::record_by_facts(const RelationalInvariant& r, const std::vector<NodeId>& facts,
                                     const std::vector<NodeId>& free) {
  const Graph::Building building(graph_);
  record_by_facts(holds(r, result_).id(), facts, free);
}

void InvariantStore::record_by_facts(NodeId holds, const std::vector<NodeId>& facts,
                                     const std::vector<NodeId>& free) {
  const Graph::Building building(graph_);
  lemmas_.record({{(!Bool::of(holds)).id()}, {}, free, facts, {}});
}

void InvariantStore::record_by_relations(const RelationalInvariant& r) {
  const Graph::Building building(graph_);
  const NodeId violated = (!holds(r, result_)).id();
  std::vector<NodeId> below = reached({violated}, Depth::nearest);
  std::sort(below.begin(), below.end());
  lemmas_.record(record_of({violated}, below, premises_for(below, false), Depth::nearest));
}

void InvariantStore::rewrite_fields(const RelationalInvariant& r, const std::vector<NodeId>& below,
                                    LemmaRecord& record) const {
  const Graph::Building building(graph_);
  for (NodeId n : below) {
    const Node& node = graph_[n];
    const unsigned end = node.low + node.width;
    if (node.op != Op::bits || node.args[0] != r.node || end > u(result_.sign_bit())) continue;
    record.rewrites.push_back(
        {n, bits(Int::of(r.base), node.low, node.width).id(), stated_.at(r.node).holds});
  }
}

void InvariantStore::rewrite_magnitude(const RelationalInvariant& r,
                                       const std::vector<NodeId>& below,
                                       LemmaRecord& record) const {
  if (r.constant != 0 || r.places != 0) return;
  const Graph::Building building(graph_);
  for (NodeId n : below) {
    if (graph_[n].op != Op::absolute || graph_[n].args[0] != r.node) continue;
    record.rewrites.push_back({n, abs(Int::of(r.base)).id(), stated_.at(r.node).holds});
  }
}

LemmaRecord InvariantStore::record_of(const std::vector<NodeId>& conditions,
                                      const std::vector<NodeId>& below,
                                      const std::vector<NodeId>& premises, Depth depth) const {
  LemmaRecord record{conditions, premises, {}, {}, {}};
  // Nodes of premises keep their expressions, as in cut_at().
  std::vector<bool> is_of_premise(graph_.size());
  std::vector<NodeId> pending = premises;
  while (!pending.empty()) {
    const NodeId n = pending.back();
    pending.pop_back();
    if (is_of_premise[n] || is_variable(n, depth)) continue;
    is_of_premise[n] = true;
    pending.insert(pending.end(), graph_[n].args.begin(), graph_[n].args.end());
  }
  for (NodeId n : below) {
    const RelationalInvariant* r = of(n);
    if (r != nullptr && is_put_in(*r, depth)) {
      const Stated& stated = stated_.at(n);
      if (r->kind == Kind::constant && is_of_premise[n]) {
        record.facts.push_back(stated.holds);
      } else if (stated.by && *stated.by != n) {
        record.rewrites.push_back({n, *stated.by, stated.holds});
        if (r->kind == Kind::linear && r->factor == -1) rewrite_magnitude(*r, below, record);
      } else {
        record.free.push_back(n);
        record.facts.push_back(stated.holds);
        if (r->kind == Kind::equal_pattern || r->kind == Kind::negated_pattern) {
          rewrite_fields(*r, below, record);
        }
      }
    } else if (is_variable(n, depth)) {
      record.free.push_back(n);
      if (multiple_of_[n] > 0) record.facts.push_back(fact_of_multiple_.at(n));
      const auto range = fact_of_range_.find(n);
      if (range != fact_of_range_.end()) record.facts.push_back(range->second);
    }
  }
  for (const auto& [node, fact] : facts_) {
    if (std::binary_search(below.begin(), below.end(), node)) record.facts.push_back(fact);
  }
  return record;
}

bool InvariantStore::is_largest(NodeId n) const {
  return graph_[n].op == Op::maximum && graph_[n].args.size() > 2;
}

bool InvariantStore::is_put_in(const RelationalInvariant& r, Depth depth) const {
  if (depth == Depth::maxima) return is_largest(r.node);
  // A difference bound is useful only if it limits a variable.
  return r.kind != Kind::bounded_difference || depth != Depth::inputs;
}

void InvariantStore::share(const std::vector<NodeId>& nodes) {
  is_shared_.assign(is_shared_.size(), false);
  for (NodeId n : nodes) is_shared_[n] = !is_decided(n);
}

bool InvariantStore::is_decided(NodeId n) const {
  if (!is_boolean(graph_[n].op)) return false;
  Graph scratch;
  const Graph::Building building(scratch);
  Substitution copy(graph_);
  for (NodeId m : graph_.cone({n})) {
    const RelationalInvariant* r = of(m);
    if (r != nullptr && r->kind == Kind::constant) put_in(*r, graph_, result_, copy);
  }
  return scratch[copy.boolean(n).id()].range.is_point();
}

std::vector<NodeId> InvariantStore::premises_for(const std::vector<NodeId>& below, bool all) const {
  std::vector<NodeId> own;
  std::copy_if(below.begin(), below.end(), std::back_inserter(own),
               [&](NodeId n) { return graph_[n].op == Op::input; });
  std::vector<NodeId> premises;
  for (std::size_t i = 0; i < premises_.size(); ++i) {
    const auto& inputs = inputs_of_[i];
    if (all || std::includes(own.begin(), own.end(), inputs.begin(), inputs.end())) {
      premises.push_back(premises_[i]);
    }
  }
  return premises;
}

bool InvariantStore::is_unsat(const std::string& name, const std::vector<NodeId>& conditions,
                              Depth depth, bool every_premise, double seconds) {
  std::vector<NodeId> below = reached(conditions, depth);
  std::sort(below.begin(), below.end());
  const std::vector<NodeId> premises = premises_for(below, every_premise);
  const bool proved =
      lemmas_.is_unsat(name, graph_, conditions, {}, cut_at(below, premises, depth), seconds);
  if (proved) lemmas_.record(record_of(conditions, below, premises, depth));
  return proved;
}

bool InvariantStore::excluded_opening(const std::string& name,
                                      const std::vector<NodeId>& conditions,
                                      const std::vector<NodeId>& opened, double seconds) {
  for (NodeId n : opened) is_opened_[n] = true;
  const bool is_excluded = is_unsat(name, conditions, Depth::nearest, false, seconds);
  for (NodeId n : opened) is_opened_[n] = false;
  return is_excluded;
}

bool InvariantStore::excluded_by_lengths(const std::string& name,
                                         const std::vector<NodeId>& conditions, NodeId node,
                                         double seconds) {
  std::vector<NodeId> below = reached(conditions, Depth::nearest);
  std::sort(below.begin(), below.end());
  if (!is_variable(node, Depth::nearest) || !std::binary_search(below.begin(), below.end(), node)) {
    return false;
  }
  const std::vector<NodeId> premises = premises_for(below, false);
  std::vector<Range> ranges = ranges_of_one_length(graph_[node].range, {{1, 0}});
  // Start with the longest ranges, which the statement covers if it covers any; after the first one
  // comes zero, which differs most often.
  std::reverse(ranges.begin(), ranges.end());
  const auto zero = std::find(ranges.begin(), ranges.end(), Range{0, 0});
  if (zero != ranges.end() && zero != ranges.begin()) {
    std::rotate(std::next(ranges.begin()), zero, std::next(zero));
  }
  const bool proved = std::all_of(ranges.begin(), ranges.end(), [&](const Range& r) {
    return lemmas_.is_unsat(name, graph_, conditions, {},
                            cut_at(below, premises, Depth::nearest, Narrowed{node, r}), seconds);
  });
  if (proved) lemmas_.record(record_of(conditions, below, premises, Depth::nearest));
  return proved;
}

bool InvariantStore::excluded_whatever_arithmetic(const std::string& name, NodeId condition,
                                                  const std::vector<NodeId>& assumed,
                                                  double seconds) {
  std::vector<NodeId> conditions = assumed;
  conditions.push_back(condition);
  std::vector<NodeId> below = reached(conditions, Depth::nearest);
  std::sort(below.begin(), below.end());
  std::vector<NodeId> arithmetic = below;
  std::erase_if(arithmetic, [&](NodeId n) {
    const Op op = graph_[n].op;
    return op != Op::product && op != Op::shift_left && op != Op::floor_shift_right &&
           op != Op::bit_length;
  });
  const std::vector<NodeId> premises = premises_for(below, false);
  const Change relations = cut_at(below, premises, Depth::nearest);
  const bool proved = lemmas_.is_unsat(
      name, graph_, conditions, {},
      [&](Substitution& copy) {
        std::vector<Bool> facts = free_in_range(graph_, arithmetic, copy);
        const std::vector<Bool> more = relations(copy);
        facts.insert(facts.end(), more.begin(), more.end());
        return facts;
      },
      seconds);
  if (proved) {
    LemmaRecord record = record_of({condition}, below, premises, Depth::nearest);
    record.conditions = assumed;
    for (const NodeId n : arithmetic) {
      if (of(n) == nullptr && !is_variable(n, Depth::nearest)) record.free.push_back(n);
    }
    lemmas_.record(std::move(record));
  }
  return proved;
}

bool InvariantStore::excluded_of_sum(const std::string& name, const std::vector<NodeId>& conditions,
                                     NodeId x, NodeId y, const Sum& sum, double seconds) {
  constexpr Depth kDepth = Depth::nearest;
  std::vector<NodeId> roots = conditions;
  roots.insert(roots.end(), {x, y});
  std::vector<NodeId> below = reached(roots, kDepth);
  std::sort(below.begin(), below.end());
  for (NodeId n : {sum.units, sum.exponent}) {
    if (!std::binary_search(below.begin(), below.end(), n)) return false;
  }
  const std::vector<NodeId> premises = premises_for(below, false);
  Graph merged;
  std::vector<NodeId> all;
  std::vector<NodeId> facts;
  std::vector<NodeId> free;
  const Built<bool> is_built = build_if_possible([&] {
    const Graph::Building building(merged);
    Substitution copy(graph_);
    for (Bool b : cut_at(below, premises, kDepth)(copy)) facts.push_back(b.id());
    for (NodeId c : conditions) all.push_back(copy.boolean(c).id());
    free = {copy.integer(sum.units).id(), copy.integer(sum.exponent).id()};
    const std::vector<NodeId> besides =
        shared_besides(merged, copy.integer(x).id(), copy.integer(y).id(), free);
    free.insert(free.end(), besides.begin(), besides.end());
    for (Bool b : copy.facts()) facts.push_back(b.id());
    return true;
  });
  if (!is_built.value) return false;
  const bool proved = lemmas_.is_unsat(
      name, merged, all, facts,
      [&](Substitution& copy) { return free_in_range(merged, free, copy, "shared "); }, seconds);
  if (proved) {
    LemmaRecord record = record_of(conditions, below, premises, kDepth);
    for (const NodeId n : {sum.units, sum.exponent}) {
      if (of(n) == nullptr && !is_variable(n, kDepth)) record.free.push_back(n);
    }
    lemmas_.record(std::move(record));
  }
  return proved;
}

Change InvariantStore::cut_at(const std::vector<NodeId>& below, const std::vector<NodeId>& premises,
                              Depth depth, const std::optional<Narrowed>& narrowed) const {
  return [this, below, premises, depth, narrowed](Substitution& copy) {
    std::vector<Bool> facts;
    // Premises keep their full strength: relations that follow from them are not substituted in
    // them.
    Substitution of_premises(graph_);
    const auto put_in_where = [&](bool constant) {
      for (NodeId n : below) {
        const RelationalInvariant* r = of(n);
        if (r == nullptr || !is_put_in(*r, depth) || (r->kind == Kind::constant) != constant) {
          continue;
        }
        facts.push_back(put_in(*r, graph_, result_, copy));
      }
    };
    // First the relations with constants, then the variables on which others depend.
    put_in_where(true);
    for (NodeId n : below) {
      if (!is_variable(n, depth) || copy.determines(n)) continue;
      if (narrowed && narrowed->node == n) {
        copy.replace(n, variable("free " + std::to_string(n), narrowed->range, facts));
      } else if (multiple_of_[n] > 0) {
        copy.replace(n, variable_multiple(n, facts));
      } else if (const auto it = range_of_.find(n); it != range_of_.end()) {
        copy.replace(n, variable("free " + std::to_string(n), it->second, facts));
      } else {
        facts.push_back(free_in_range(graph_, n, copy));
      }
      if (is_boolean(graph_[n].op)) {
        of_premises.replace(n, copy.boolean(n));
      } else {
        of_premises.replace(n, copy.integer(n));
      }
    }
    put_in_where(false);
    if (depth == Depth::maxima) {
      for (const auto& [maximum, member] : members_of_maxima(below)) {
        facts.push_back(copy.integer(member) <= copy.integer(maximum));
      }
    }
    for (const auto& [node, fact] : facts_) {
      if (std::binary_search(below.begin(), below.end(), node)) {
        facts.push_back(copy.boolean(fact));
      }
    }
    for (NodeId p : premises) facts.push_back(of_premises.boolean(p));
    facts.insert(facts.end(), of_premises.facts().begin(), of_premises.facts().end());
    return facts;
  };
}

Int InvariantStore::variable_multiple(NodeId n, std::vector<Bool>& facts) const {
  const unsigned places = multiple_of_[n];
  const Range& range = graph_[n].range;
  const Range quotients{-floor_shift_right(Integer(-range.low), places),
                        floor_shift_right(range.high, places)};
  return variable("free " + std::to_string(n), quotients, facts) * power_of_two(places);
}

std::vector<std::pair<NodeId, NodeId>> InvariantStore::members_of_maxima(
    const std::vector<NodeId>& below) const {
  const auto is_leaf = [&](NodeId n) {
    return graph_[n].op == Op::input || is_variable(n, Depth::maxima);
  };
  std::vector<std::pair<NodeId, NodeId>> all;
  for (NodeId n : below) {
    if (!is_largest(n)) continue;
    for (NodeId member : graph_[n].args) {
      const std::vector<NodeId> own = reached({member}, Depth::maxima);
      if (std::all_of(own.begin(), own.end(), [&](NodeId m) {
            return !is_leaf(m) || std::binary_search(below.begin(), below.end(), m);
          })) {
        all.emplace_back(n, member);
      }
    }
  }
  return all;
}

bool InvariantStore::is_variable(NodeId n, Depth depth) const {
  if (n >= base_of_.size() || depth == Depth::inputs || is_opened_[n]) return false;
  if (depth == Depth::maxima) return is_largest(n) && of(n) == nullptr;
  if (compares_variables(n, depth)) return false;
  return base_of_[n] == BaseOf::stage || (depth == Depth::shared && is_shared_[n]) ||
         (depth != Depth::stages && base_of_[n] == BaseOf::node);
}

bool InvariantStore::compares_variables(NodeId n, Depth depth) const {
  const Node& node = graph_[n];
  return (node.op == Op::equal || node.op == Op::less) &&
         std::all_of(node.args.begin(), node.args.end(), [&](NodeId a) {
           return graph_[a].op == Op::constant || is_variable(a, depth);
         });
}

std::vector<NodeId> InvariantStore::reached(std::vector<NodeId> pending, Depth depth) const {
  std::vector<NodeId> all;
  std::vector<bool> seen(graph_.size());
  while (!pending.empty()) {
    const NodeId n = pending.back();
    pending.pop_back();
    if (seen[n]) continue;
    seen[n] = true;
    all.push_back(n);
    const RelationalInvariant* r = of(n);
    if (r != nullptr && is_put_in(*r, depth)) {
      if (r->kind != Kind::constant) pending.push_back(r->base);
      if (r->unless) pending.push_back(*r->unless);
      if (r->kind == Kind::shifted) pending.insert(pending.end(), {r->fall.from, r->fall.to});
    } else if (!is_variable(n, depth)) {
      pending.insert(pending.end(), graph_[n].args.begin(), graph_[n].args.end());
    }
  }
  return all;
}

}  // namespace mmaspec
