#include "queries/relations/sums/where_sums_end.h"

#include <algorithm>
#include <functional>

#include "queries/ask/budget.h"
#include "queries/derive/self_composition.h"
#include "spec/lang/linear.h"

namespace mmaspec {
namespace {

/// The number of units of 2^exponent is a multiple of 2^place.
Bool ends_above(NodeId units, NodeId exponent, const Integer& place) {
  const Int n = Int::of(units);
  const Range& range = n.range();
  const Int zeros = min(max(place - Int::of(exponent), 0),
                        Integer(std::max(bit_length(range.low), bit_length(range.high))));
  return shift_left(floor_shift_right(n, zeros), zeros) == n;
}

/// Proves the statement about units of 2^exponent for a term: for all significands, or for the
/// actual ones.
bool holds_of_term(const DerivationGoal& claimed, NodeId term, NodeId exponent,
                   const std::string& name, Bool statement, Lemmas& lemmas) {
  Graph& graph = claimed.graph;
  std::vector<NodeId> products = products_below(graph, {term});
  products.push_back(exponent);
  const NodeId violated = (!statement).id();
  const std::vector<std::vector<NodeId>> cuts{products, {exponent}};
  const std::vector<NodeId> premises = premises_of(claimed, false);
  return std::any_of(cuts.begin(), cuts.end(), [&](const std::vector<NodeId>& cut) {
    const bool proved = lemmas.is_unsat(
        name, graph, {violated}, premises,
        [&](Substitution& copy) { return free_in_range(graph, cut, copy); }, budget::kFactLemma);
    if (proved) lemmas.record({{violated}, premises, cut, {}, {}});
    return proved;
  });
}

/// The statement about a sum, recorded as following from the same statement about its terms.
NodeId recorded(NodeId exponent, const LinearForm& sum, Bool statement,
                const std::function<Bool(NodeId)>& of_term, Lemmas& lemmas) {
  LemmaRecord record{{(!statement).id()}, {}, {exponent}, {}, {}};
  for (const auto& [term, factor] : sum.terms) {
    record.free.push_back(term);
    record.facts.push_back(of_term(term).id());
  }
  lemmas.record(std::move(record));
  return statement.id();
}

}  // namespace

std::optional<NodeId> where_sum_ends(const DerivationGoal& claimed,
                                     const SimulationSignatures& sampled, NodeId units,
                                     NodeId exponent, Lemmas& lemmas) {
  Graph& graph = claimed.graph;
  const LinearForm form = LinearForm::of(graph, units);
  if (form.constant != 0) return std::nullopt;
  std::optional<Integer> lowest;  // exponents of the terms' last bits in the samples
  for (const auto& [term, factor] : form.terms) {
    const std::vector<Integer>& values = sampled.values(term);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] == 0) continue;
      const Integer place = sampled.values(exponent)[i] + trailing_zeros(values[i]);
      lowest = std::min(lowest.value_or(place), place);
    }
  }
  if (!lowest) return std::nullopt;
  // Samples may not contain the lowest.
  for (const int lower : {0, 1, 2, 4, 8}) {
    const Integer place = *lowest - lower;
    if (place <= graph[exponent].range.low) return std::nullopt;
    const Graph::Building building(graph);
    if (std::all_of(form.terms.begin(), form.terms.end(), [&](const auto& term) {
          return holds_of_term(claimed, term.first, exponent,
                               "a term is a multiple of 2^" + place.str(),
                               ends_above(term.first, exponent, place), lemmas);
        })) {
      return recorded(
          exponent, form, ends_above(units, exponent, place),
          [&](NodeId term) { return ends_above(term, exponent, place); }, lemmas);
    }
  }
  return std::nullopt;
}

std::optional<NodeId> where_sum_is_zero(const DerivationGoal& claimed, NodeId units,
                                        NodeId exponent, const Integer& least, Lemmas& lemmas) {
  Graph& graph = claimed.graph;
  const LinearForm form = LinearForm::of(graph, units);
  if (form.constant != 0) return std::nullopt;
  const Graph::Building building(graph);
  const auto is_zero_below = [&](NodeId n) {
    return Int::of(n) == 0 || Int::of(exponent) >= least;
  };
  if (!std::all_of(form.terms.begin(), form.terms.end(), [&](const auto& term) {
        return holds_of_term(claimed, term.first, exponent, "a term is zero below 2^" + least.str(),
                             is_zero_below(term.first), lemmas);
      })) {
    return std::nullopt;
  }
  return recorded(exponent, form, is_zero_below(units), is_zero_below, lemmas);
}

}  // namespace mmaspec
