#include "queries/ask/strategies/attempts.h"

namespace mmaspec {

/// Proofs without the conditions that need wide numbers, such as the exact result.
void add_weaken(const Attempts& attempts, const Backend& backend, std::vector<Attempt>& all) {
  const std::vector<NodeId> wide = attempts.wide_conditions();
  if (wide.empty()) return;
  all.push_back(attempts.make("weaken", backend, [wide](Substitution& copy) {
    leave_out(wide, copy);
    return std::vector<Bool>();
  }));
  all.back().refutes = false;
  all.back().seconds = kLongAttempt;
}

}  // namespace mmaspec
