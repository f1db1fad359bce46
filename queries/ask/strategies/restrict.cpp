#include "queries/ask/strategies/attempts.h"

namespace mmaspec {

/// Searches for witnesses in a subset of the inputs.
void add_restrictions(const Attempts& attempts, const Backend& backend, std::vector<Attempt>& all) {
  for (const Restriction& r : attempts.question().restrictions) {
    all.push_back(attempts.make("restrict: " + r.name, backend,
                                [&question = attempts.question(), &r](Substitution& copy) {
                                  r.apply(*question.graph, copy);
                                  return std::vector<Bool>();
                                }));
    all.back().proves = false;
    all.back().seconds = kShortAttempt;
  }
}

}  // namespace mmaspec
