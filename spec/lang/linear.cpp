#include "spec/lang/linear.h"

#include <algorithm>
#include <map>

namespace mmaspec {
namespace {

Range scaled(const Range& r, const Integer& factor) {
  if (factor >= 0) return {r.low * factor, r.high * factor};
  return {r.high * factor, r.low * factor};
}

Range interval(const Graph& graph, const LinearForm& form) {
  Range r{form.constant, form.constant};
  for (const auto& [id, coefficient] : form.terms) {
    const Range term = scaled(graph[id].range, coefficient);
    r.low += term.low;
    r.high += term.high;
  }
  return r;
}

/// The form with term i replaced by the same multiple of `by`.
LinearForm substitute(const Graph& graph, const LinearForm& form, std::size_t i, NodeId by) {
  LinearForm result = form;
  const Integer coefficient = form.terms[i].second;
  result.terms.erase(result.terms.begin() + static_cast<std::ptrdiff_t>(i));
  result.add(LinearForm::of(graph, by), coefficient);
  return result;
}

// Expanding a term multiplies the work by its members; two levels reach every relation that the
// specs rely on.
constexpr int kExpansions = 2;

Range refine(const Graph& graph, const LinearForm& form, int expansions);

Range refine_extremum(const Graph& graph, const LinearForm& form, std::size_t i, int expansions) {
  const Node& node = graph[form.terms[i].first];
  // A positive multiple of a maximum and a negative multiple of a minimum bound from below alike.
  const bool bounds_below = (node.op == Op::maximum) == (form.terms[i].second > 0);
  std::optional<Range> all;
  std::optional<Integer> bound;
  for (NodeId member : node.args) {
    const Range r = refine(graph, substitute(graph, form, i, member), expansions - 1);
    all = all ? hull(*all, r) : r;
    const Integer& b = bounds_below ? r.low : r.high;
    if (!bound || (bounds_below ? b > *bound : b < *bound)) bound = b;
  }
  (bounds_below ? all->low : all->high) = *bound;
  return *all;
}

Range refine_condition(const Graph& graph, const LinearForm& form, NodeId condition,
                       int expansions) {
  std::optional<Range> all;
  for (std::size_t side : {1U, 2U}) {
    LinearForm chosen{form.constant};
    for (const auto& [id, coefficient] : form.terms) {
      const Node& node = graph[id];
      const bool decided = node.op == Op::select && node.args[0] == condition;
      chosen.add(LinearForm::of(graph, decided ? node.args[side] : id), coefficient);
    }
    const Range r = refine(graph, chosen, expansions - 1);
    all = all ? hull(*all, r) : r;
  }
  return *all;
}

Range refine(const Graph& graph, const LinearForm& form, int expansions) {
  Range r = interval(graph, form);
  if (expansions == 0 || form.terms.size() < 2) return r;
  std::vector<NodeId> conditions;
  for (std::size_t i = 0; i < form.terms.size(); ++i) {
    const Node& node = graph[form.terms[i].first];
    if (node.op == Op::maximum || node.op == Op::minimum) {
      r = intersect(r, refine_extremum(graph, form, i, expansions));
    } else if (node.op == Op::select &&
               std::find(conditions.begin(), conditions.end(), node.args[0]) == conditions.end()) {
      conditions.push_back(node.args[0]);
    }
  }
  // Splitting on many conditions costs much and gains nothing: sums of many selects are sums of
  // independent terms.
  if (conditions.size() <= 3) {
    for (NodeId condition : conditions) {
      r = intersect(r, refine_condition(graph, form, condition, expansions));
    }
  }
  return r;
}

}  // namespace

LinearForm LinearForm::of(const Graph& graph, NodeId id) {
  const Node& node = graph[id];
  LinearForm form;
  if (node.op == Op::constant) {
    form.constant = node.value;
  } else if (node.op == Op::sum) {
    form.constant = node.value;
    form.terms.reserve(node.args.size());
    for (std::size_t i = 0; i < node.args.size(); ++i) {
      form.terms.emplace_back(node.args[i], node.coefficients[i]);
    }
  } else {
    form.terms.emplace_back(id, 1);
  }
  return form;
}

void LinearForm::add(const LinearForm& other, const Integer& factor) {
  constant += factor * other.constant;
  std::vector<std::pair<NodeId, Integer>> merged;
  merged.reserve(terms.size() + other.terms.size());
  auto x = terms.begin();
  auto y = other.terms.begin();
  while (x != terms.end() || y != other.terms.end()) {
    if (y == other.terms.end() || (x != terms.end() && x->first < y->first)) {
      merged.push_back(std::move(*x++));
    } else if (x == terms.end() || y->first < x->first) {
      merged.emplace_back(y->first, factor * y->second);
      ++y;
    } else {
      Integer coefficient = x->second + factor * y->second;
      if (coefficient != 0) merged.emplace_back(x->first, std::move(coefficient));
      ++x;
      ++y;
    }
  }
  terms = std::move(merged);
}

void LinearForm::scale(const Integer& factor) {
  constant *= factor;
  for (auto& term : terms) term.second *= factor;
}

Integer LinearForm::content() const {
  Integer g = 0;
  for (const auto& term : terms) g = gcd(g, term.second);
  return g;
}

Range range_of(const Graph& graph, const LinearForm& form) {
  return refine(graph, form, kExpansions);
}

NodeId intern(Graph& graph, const LinearForm& form) {
  if (form.is_constant()) {
    return graph.intern(
        {Op::constant, {}, {}, form.constant, 0, 0, {form.constant, form.constant}});
  }
  if (form.constant == 0 && form.terms.size() == 1 && form.terms[0].second == 1) {
    return form.terms[0].first;
  }
  Node node{Op::sum, {}, {}, form.constant, 0, 0, {}};
  for (const auto& [id, coefficient] : form.terms) {
    node.args.push_back(id);
    node.coefficients.push_back(coefficient);
  }
  if (const auto known = graph.find(node)) return *known;
  node.range = range_of(graph, form);
  return graph.intern(std::move(node));
}

}  // namespace mmaspec
