#include "queries/derive/chain.h"

#include <algorithm>

#include "queries/ask/budget.h"
#include "queries/ask/dot_question.h"
#include "queries/ask/lemmas/known_bits.h"
#include "queries/derive/self_composition.h"
#include "queries/numbers/difference.h"

namespace mmaspec {
namespace {

/// IEEE 754 formats: infinities and zeros of both signs; NaNs are unordered.
bool has_ends(const Format& f) {
  return f.specials == Specials::ieee && f.has_sign && f.has_zero && f.ignored_low_bits == 0 &&
         f.ignored_high_bits == 0;
}

/// Replaces arithmetic results of the operands by free variables: what NaNs and infinities decide
/// does not depend on them.
Change without_arithmetic(const Graph& graph, const std::vector<NodeId>& roots) {
  std::vector<NodeId> nodes;
  for (NodeId n : graph.cone(roots)) {
    const Op op = graph[n].op;
    if (op == Op::product || op == Op::shift_left || op == Op::floor_shift_right ||
        op == Op::bit_length) {
      nodes.push_back(n);
    }
  }
  return [&graph, nodes](Substitution& copy) { return free_in_range(graph, nodes, copy); };
}

/// True if it has at most as many bits as the format for all inputs.
bool is_pattern(const TermGraph& text, NodeId node, const Format& f, Lemmas& lemmas) {
  Graph graph;
  const Graph::Building building(graph);
  const Int x = Int::of(*image_of(text, dot_inputs(text.formats)).nodes[node]);
  const auto bits = static_cast<unsigned>(f.storage_bits);
  const Bool wider = x < 0 || x >= power_of_two(bits);
  return lemmas.is_unsat("an intermediate pattern has the bits of its format", graph, {wider.id()},
                         {}, without_arithmetic(graph, {x.id()}), budget::kStepLemma);
}

}  // namespace

std::vector<NodeId> patterns_between(const TermGraph& text, Lemmas& lemmas) {
  const Graph& graph = *text.graph;
  const auto c = text.c();
  if (!c || !has_ends(*text.formats.d)) return {};
  const std::vector<bool> of_c = made_of(graph, {*c});
  const Format& f = *text.formats.d;
  const auto bits = static_cast<unsigned>(f.storage_bits);
  const auto is_marked = [&](NodeId n) {
    return std::any_of(graph.marks().begin(), graph.marks().end(),
                       [n](const Mark& m) { return m.node == n && m.role == MarkRole::pattern; });
  };
  std::vector<NodeId> all;
  std::vector<NodeId> marked;
  for (NodeId n : graph.cone({text.d})) {
    if (!of_c[n] || n == *c || n == text.d || is_boolean(graph[n].op)) continue;
    // Interval arithmetic may not show that a sign bit is above all others.
    const unsigned length = bit_length(graph[n].range.high);
    if (graph[n].range.low < 0 || length < bits || length > bits + 1) continue;
    if (reached(graph, text.d, [&](NodeId m) { return m != n && of_c[m]; })[*c]) continue;
    all.push_back(n);
    if (is_marked(n)) marked.push_back(n);
  }
  if (!marked.empty()) all = marked;
  std::erase_if(all, [&](NodeId n) { return !is_pattern(text, n, f, lemmas); });
  return all;
}

bool keeps_ends(const TermGraph& part, Lemmas& lemmas) {
  const Format& f = *part.formats.d;
  Graph graph;
  const Graph::Building building(graph);
  DotOperands operands = dot_inputs(part.formats);
  const Int c = operands.c;
  const auto result = [&](Int pattern) {
    operands.c = pattern;
    return Int::of(*image_of(part, operands).nodes[part.d]);
  };
  const auto is_nan = [&](Int pattern) { return unpack(f, pattern).is_nan; };
  operands.c = 0;
  const std::vector<NodeId> premises =
      conjuncts(graph, {belong(InputClass::finite, part.formats, operands).id()});
  const auto never = [&](const std::string& name, Int d, const std::vector<NodeId>& conditions) {
    return lemmas.is_unsat(name, graph, conditions, premises, without_arithmetic(graph, {d.id()}),
                           budget::kStepLemma);
  };
  for (const bool negative : {false, true}) {
    const Int infinity = infinite_pattern(f, negative);
    const Int d = result(infinity);
    if (!never("of an infinite c that infinity or NaN", d,
               {(!is_nan(d)).id(), (d != infinity).id()})) {
      return false;
    }
  }
  const Int of_nan = result(c);
  if (!never("of a NaN c a NaN", of_nan, {is_nan(c).id(), (!is_nan(of_nan)).id()})) return false;
  const Int plus = result(0);
  const Int minus = result(with_sign(f, true, 0));
  if (plus.same_as(minus)) return true;
  const Bool numbers = !is_nan(plus) && !is_nan(minus);
  const Bool differ =
      (is_nan(plus) ^ is_nan(minus)) || (numbers && ordinal(f, plus) != ordinal(f, minus));
  // Cutpoints may separate related facts: that a sum is zero, and what is computed from it.
  const auto cuts = {shared_frontier(graph, plus.id(), minus.id()),
                     products_below(graph, {plus.id(), minus.id()})};
  return std::any_of(cuts.begin(), cuts.end(), [&](const std::vector<NodeId>& cut) {
    return lemmas.is_unsat(
        "of both zeros alike", graph, {differ.id()}, premises,
        [&](Substitution& copy) { return free_in_range(graph, cut, copy); }, budget::kStepLemma);
  });
}

}  // namespace mmaspec
