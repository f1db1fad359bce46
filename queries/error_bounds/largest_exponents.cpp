#include "queries/error_bounds/largest_exponents.h"

#include <algorithm>
#include <map>

#include "spec/lang/linear.h"

namespace mmaspec {
namespace {

std::vector<Int> ints(const std::vector<NodeId>& nodes) {
  std::vector<Int> all;
  for (NodeId n : nodes) all.push_back(Int::of(n));
  return all;
}

/// Adds the members, with nested maxima flattened.
void add_members(const Graph& graph, NodeId n, const Integer& offset, std::vector<Member>& all) {
  if (graph[n].range.is_point()) {
    all.push_back({std::nullopt, graph[n].range.low + offset});
    return;
  }
  if (graph[n].op == Op::maximum) {
    for (NodeId a : graph[n].args) add_members(graph, a, offset, all);
    return;
  }
  const LinearForm form = LinearForm::of(graph, n);
  const bool shifted = form.terms.size() == 1 && form.terms[0].second == 1;
  if (shifted && form.terms[0].first != n) {
    add_members(graph, form.terms[0].first, offset + form.constant, all);
  } else {
    all.push_back({n, offset});
  }
}

}  // namespace

Int value_of(const Member& m, const View& view) {
  return m.node ? view.of(Int::of(*m.node)) + m.offset : Int(m.offset);
}

std::vector<Member> members_of(const Graph& graph, NodeId exponent) {
  std::vector<Member> all;
  add_members(graph, exponent, 0, all);
  return all;
}

std::optional<Integer> distance_below(const Graph& graph, NodeId lower, NodeId upper) {
  if (lower == upper) return Integer(0);
  std::map<NodeId, Integer> of_upper;
  for (const Member& m : members_of(graph, upper)) {
    if (m.node) of_upper.emplace(*m.node, m.offset);
  }
  std::optional<Integer> distance;
  std::optional<Integer> constant;
  for (const Member& m : members_of(graph, lower)) {
    if (!m.node) {
      constant = std::max(constant.value_or(m.offset), m.offset);
      continue;
    }
    const auto it = of_upper.find(*m.node);
    if (it == of_upper.end()) return std::nullopt;
    const Integer by = it->second - m.offset;
    distance = std::min(distance.value_or(by), by);
  }
  if (constant) {
    const Integer by = graph[upper].range.low - *constant;
    distance = std::min(distance.value_or(by), by);
  }
  return distance;
}

LossFacts facts_of(const Graph& graph, const std::vector<NodeId>& exponents) {
  LossFacts facts;
  for (const Int e : ints(exponents)) {
    for (const Member& m : members_of(graph, e.id())) {
      facts.stated.push_back([=](const View& view) { return value_of(m, view) <= view.of(e); });
    }
    for (const Int other : ints(exponents)) {
      if (other.same_as(e)) continue;
      if (const auto below = distance_below(graph, other.id(), e.id())) {
        facts.stated.push_back(
            [=](const View& view) { return view.of(other) + *below <= view.of(e); });
      }
    }
  }
  return facts;
}

}  // namespace mmaspec
