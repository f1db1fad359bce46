#include "spec/lang/linear.h"

#include <algorithm>

#include "spec/lang/bounds.h"

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

// Expanding a term multiplies the work by the number of its members; two levels suffice for every
// relation that specifications use.
constexpr int kExpansions = 2;

Range refine(const Graph& graph, const LinearForm& form, int expansions);

/// The members of term i's extremum that are worth expanding: all if there are few. If there are
/// many, those that share a node with the other terms; for the others interval arithmetic gives the
/// same range.
std::vector<NodeId> members_to_expand(const Graph& graph, const LinearForm& form, std::size_t i) {
  const NodeId extremum = form.terms[i].first;
  if (!is_extremum_of_many(graph[extremum])) return graph[extremum].args;
  std::vector<NodeId> related;
  for (std::size_t j = 0; j < form.terms.size() && related.size() <= kManyMembers; ++j) {
    const std::vector<NodeId>& with = graph.members_with(extremum, form.terms[j].first);
    if (j != i) related.insert(related.end(), with.begin(), with.end());
  }
  std::sort(related.begin(), related.end());
  related.erase(std::unique(related.begin(), related.end()), related.end());
  if (related.size() > kManyMembers) related.clear();
  return related;
}

Range refine_extremum(const Graph& graph, const LinearForm& form, std::size_t i, int expansions) {
  const Node& node = graph[form.terms[i].first];
  // A positive multiple of a maximum and a negative multiple of a minimum both give lower bounds.
  const bool bounds_below = (node.op == Op::maximum) == (form.terms[i].second > 0);
  std::optional<Range> all;
  std::optional<Integer> bound;
  const std::vector<NodeId> members = members_to_expand(graph, form, i);
  if (members.size() < node.args.size()) {
    all = interval(graph, form);
    bound = bounds_below ? all->low : all->high;
  }
  for (NodeId member : members) {
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
    std::vector<LinearForm> parts{LinearForm(form.constant)};
    for (const auto& [id, coefficient] : form.terms) {
      const Node& node = graph[id];
      const bool decided = node.op == Op::select && node.args[0] == condition;
      parts.push_back(LinearForm::of(graph, decided ? node.args[side] : id));
      parts.back().scale(coefficient);
    }
    const Range r = refine(graph, LinearForm::total(parts), expansions - 1);
    all = all ? hull(*all, r) : r;
  }
  return *all;
}

Range refine(const Graph& graph, const LinearForm& form, int expansions) {
  BuildBy::spend(form.terms.size() + 1);
  Range r = interval(graph, form);
  if (expansions == 0 || form.terms.size() < 2) return r;
  // Splitting on many conditions is expensive without a benefit: sums of many selects are sums of
  // independent terms.
  constexpr std::size_t kMostConditions = 3;
  std::vector<NodeId> conditions;
  for (std::size_t i = 0; i < form.terms.size(); ++i) {
    const Node& node = graph[form.terms[i].first];
    if (node.op == Op::maximum || node.op == Op::minimum) {
      r = intersect(r, refine_extremum(graph, form, i, expansions));
    } else if (node.op == Op::select && conditions.size() <= kMostConditions &&
               std::find(conditions.begin(), conditions.end(), node.args[0]) == conditions.end()) {
      conditions.push_back(node.args[0]);
    }
  }
  if (conditions.size() <= kMostConditions) {
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
  BuildBy::spend(terms.size() + other.terms.size());
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

LinearForm LinearForm::total(const std::vector<LinearForm>& forms) {
  LinearForm sum;
  std::vector<std::pair<NodeId, Integer>> all;
  for (const LinearForm& form : forms) {
    sum.constant += form.constant;
    all.insert(all.end(), form.terms.begin(), form.terms.end());
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& x, const auto& y) { return x.first < y.first; });
  for (auto& [id, coefficient] : all) {
    if (!sum.terms.empty() && sum.terms.back().first == id) {
      sum.terms.back().second += coefficient;
    } else {
      if (!sum.terms.empty() && sum.terms.back().second == 0) sum.terms.pop_back();
      sum.terms.emplace_back(id, std::move(coefficient));
    }
  }
  if (!sum.terms.empty() && sum.terms.back().second == 0) sum.terms.pop_back();
  return sum;
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
