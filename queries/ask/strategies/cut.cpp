#include "queries/ask/strategies/attempts.h"

namespace mmaspec {

/// Proofs with stages' results replaced by free variables and without conditions that need wide
/// numbers.
void add_cuts(const Attempts& attempts, const Backend& backend, std::vector<Attempt>& all) {
  const std::vector<NodeId> wide = attempts.wide_conditions();
  for (std::size_t i = 0; i < attempts.question().cuts.size(); ++i) {
    const std::string name = "cut " + std::to_string(i + 1);
    const Change& change = attempts.question().cuts[i];
    const bool at_lemmas = i < attempts.question().cuts_at_lemmas;
    if (!wide.empty()) {
      all.push_back(attempts.make("weaken, " + name, backend, [wide, &change](Substitution& copy) {
        leave_out(wide, copy);
        return change(copy);
      }));
      all.back().refutes = false;
      all.back().seconds = kLongAttempt;
      all.back().rests_on_lemmas = at_lemmas;
    }
    all.push_back(attempts.make(name, backend, change));
    all.back().refutes = false;
    all.back().seconds = kLongAttempt;
    all.back().rests_on_lemmas = at_lemmas;
  }
}

}  // namespace mmaspec
