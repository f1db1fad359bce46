#include "queries/relations/sums/shifted_sums.h"

#include <algorithm>

#include "spec/lang/bounds.h"
#include "spec/lang/linear.h"

namespace mmaspec {

bool is_sum_of_shifted(const Graph& graph, const InvariantStore& proved,
                       const RelationalInvariant& r) {
  const auto is_exactly_shifted = [&](const RelationalInvariant& m) {
    return m.kind == RelationalInvariant::Kind::shifted && (m.places == 0 || m.is_exact) &&
           m.fall == r.fall;
  };
  if (!is_exactly_shifted(r)) return false;
  const LinearForm of_node = LinearForm::of(graph, r.node);
  unsigned places = r.places;  // for all terms
  for (const auto& [term, coefficient] : of_node.terms) {
    const RelationalInvariant* t = proved.of(term);
    if (t == nullptr || !is_exactly_shifted(*t)) return false;
    places = std::max(places, t->places);
  }
  LinearForm left(of_node.constant);
  for (const auto& [term, coefficient] : of_node.terms) {
    const RelationalInvariant& t = *proved.of(term);
    left.add(LinearForm::of(graph, t.base),
             coefficient * t.factor * power_of_two(places - t.places));
  }
  left.add(LinearForm::of(graph, r.base), -r.factor * power_of_two(places - r.places));
  return of_node.constant == 0 && left.is_constant() && left.constant == 0;
}

}  // namespace mmaspec
