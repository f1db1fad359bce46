#include "queries/relations/where_sums_end.h"

#include <algorithm>

#include "queries/derive/two_runs.h"
#include "spec/lang/linear.h"

namespace mmaspec {
namespace {

constexpr double kTermSeconds = 2;

/// The number of units of 2^exponent is a multiple of 2^place.
Bool ends_above(NodeId units, NodeId exponent, const Integer& place) {
  const Int n = Int::of(units);
  const Range& range = n.range();
  const Int zeros = min(max(place - Int::of(exponent), 0),
                        Integer(std::max(bit_length(range.low), bit_length(range.high))));
  return shift_left(floor_shift_right(n, zeros), zeros) == n;
}

/// The same is proved of a term; of any significands, or of those that there are.
bool term_ends_at(const Claimed& claimed, NodeId term, NodeId exponent, const Integer& place,
                  Lemmas& lemmas) {
  Graph& graph = claimed.graph;
  const Graph::Building building(graph);
  std::vector<NodeId> products = products_below(graph, {term});
  products.push_back(exponent);
  const NodeId violated = (!ends_above(term, exponent, place)).id();
  const std::vector<std::vector<NodeId>> cuts{products, {exponent}};
  return std::any_of(cuts.begin(), cuts.end(), [&](const std::vector<NodeId>& cut) {
    return lemmas.excluded(
        "a term is a multiple of 2^" + place.str(), graph, {violated}, premises_of(claimed, false),
        [&](Substitution& copy) { return free_in_range(graph, cut, copy); }, kTermSeconds);
  });
}

}  // namespace

std::optional<NodeId> where_sum_ends(const Claimed& claimed, const SampledNodes& sampled,
                                     NodeId units, NodeId exponent, Lemmas& lemmas) {
  Graph& graph = claimed.graph;
  const LinearForm form = LinearForm::of(graph, units);
  if (form.constant != 0) return std::nullopt;
  std::optional<Integer> lowest;  // places of the terms' last bits in the samples
  for (const auto& [term, factor] : form.terms) {
    const std::vector<Integer>& values = sampled.values(term);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] == 0) continue;
      const Integer place =
          sampled.values(exponent)[i] +
          boost::multiprecision::lsb(Integer(boost::multiprecision::abs(values[i])));
      lowest = std::min(lowest.value_or(place), place);
    }
  }
  if (!lowest) return std::nullopt;
  // Samples may not show the lowest.
  for (const int lower : {0, 1, 2, 4, 8}) {
    const Integer place = *lowest - lower;
    if (place <= graph[exponent].range.low) return std::nullopt;
    if (std::all_of(form.terms.begin(), form.terms.end(), [&](const auto& term) {
          return term_ends_at(claimed, term.first, exponent, place, lemmas);
        })) {
      const Graph::Building building(graph);
      return ends_above(units, exponent, place).id();
    }
  }
  return std::nullopt;
}

}  // namespace mmaspec
