// Makes the goals of a statement with their proofs.

#include "proof/store/prove_goals.h"

#include <unistd.h>

#include "proof/certify/goals.h"
#include "proof/store/ask_theorem.h"
#include "proof/store/prove_goal.h"
#include "util/sha256.h"

namespace mmaspec {

std::optional<std::vector<std::string>> prove_goals(const Theorem& theorem,
                                                    const std::string& folder,
                                                    const Portfolio& solvers,
                                                    const Deadline& deadline) {
  std::set<std::string> proved;
  const auto oracle = [&](const Question& question) {
    const auto proof =
        prove_goal(question, folder + "/goal." + std::to_string(getpid()), solvers, deadline);
    if (!proof) return false;
    write_goal(*proof, folder);
    proved.insert(sha256(proof->goal));
    return true;
  };
  if (!ask_of_goals(theorem, oracle)) return std::nullopt;
  return goals_asked(theorem, proved);
}

}  // namespace mmaspec
