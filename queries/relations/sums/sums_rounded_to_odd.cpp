#include "queries/relations/sums/sums_rounded_to_odd.h"

#include <algorithm>
#include <optional>

#include "queries/ask/budget.h"
#include "spec/lang/linear.h"

namespace mmaspec {
namespace {

Bool is_multiple(Int x, unsigned places) {
  return floor_shift_right(x, Int(static_cast<int>(places))) * power_of_two(places) == x;
}

bool is_marked_sum(const Graph& graph, NodeId n) {
  return std::any_of(graph.marks().begin(), graph.marks().end(),
                     [n](const Mark& m) { return m.node == n && m.role == MarkRole::sum; });
}

}  // namespace

void SumsRoundedToOdd::learn_before(const RelationalInvariant& r) {
  const LinearForm sum = LinearForm::of(graph_, r.base);
  if (sum.terms.size() != 2) return;
  const Graph::Building building(graph_);
  const NodeId x = sum.terms[0].first;
  const NodeId y = sum.terms[1].first;
  const Bool one_is_exact =
      is_multiple(Int::of(x), r.places + 1) || is_multiple(Int::of(y), r.places + 1);
  if (proved_.excluded_opening("of two terms one is exact", {(!one_is_exact).id()}, {x, y},
                               budget::kNodeLemma)) {
    proved_.keep_fact(x, one_is_exact.id());
  }
}

void SumsRoundedToOdd::learn_after(const RelationalInvariant& r) {
  if (is_marked_sum(graph_, r.base)) learn_that_long(r.base, r.places);
}

/// The part of a sum that is not a multiple has two bits more than a result: the rounding bit and
/// the odd one.
void SumsRoundedToOdd::learn_that_long(NodeId sum, unsigned places) {
  const Graph::Building building(graph_);
  const Int x = Int::of(sum);
  const unsigned bits = places + static_cast<unsigned>(result_.precision()) + 1;
  const Bool holds = is_multiple(x, places) || abs(x) >= power_of_two(bits);
  // Zeros are left out by a condition, so exponents must stay expressions.
  std::vector<NodeId> opened;
  for (NodeId n : graph_.cone({sum})) {
    const bool product = graph_[n].op == Op::product && proved_.is_variable(n, Depth::nearest);
    if (!product && !is_pattern_[n]) opened.push_back(n);
    if (!product || !asked_.insert(n).second) continue;
    for (NodeId factor : graph_[n].args) learn_that_normalized(factor);
    learn_that_normalized(n);
  }
  if (proved_.excluded_opening("what is rounded to odd is long", {(!holds).id()}, opened,
                               budget::kNodeLemma)) {
    proved_.keep_fact(sum, holds.id());
  }
}

/// It is zero, or at least a power of two that samples suggest.
void SumsRoundedToOdd::learn_that_normalized(NodeId n) {
  std::optional<Integer> least;
  for (const Integer& x : sampled_.values(n)) {
    if (x > 0) least = std::min(least.value_or(x), x);
  }
  if (!least || graph_[n].range.low < 0) return;
  const Graph::Building building(graph_);
  const Int x = Int::of(n);
  const Bool holds = x == 0 || x >= power_of_two(bit_length(*least) - 1);
  const std::string name = "a number is zero or normalised";
  const NodeId violated = (!holds).id();
  if (proved_.excluded_opening(name, {violated}, {n}, budget::kFactLemma) ||
      proved_.is_unsat(name, {violated}, Depth::inputs, false, budget::kFactLemma)) {
    proved_.keep_fact(n, holds.id());
  }
}

}  // namespace mmaspec
