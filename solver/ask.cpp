// Asks one formula of all backends of a portfolio: the race, and the head start of the leading one.
#include "solver/ask.h"

#include <algorithm>
#include <limits>

#include "solver/attempt.h"
#include "solver/solver.h"

namespace mmaspec {
namespace {

constexpr double kEver = std::numeric_limits<double>::infinity();
/// `asked`: the formula as already given to backends, in their order; nullptr for most.
Answer race_by(const Deadline& deadline, const Query& query, const Portfolio& solvers,
               const std::vector<std::unique_ptr<Asked>>& asked) {
  Limits limits = solvers.limits();
  limits.seconds = std::min(limits.seconds, deadline.left());
  std::vector<Attempt> attempts;
  bool one_begins = false;
  for (const auto& backend : solvers.backends()) {
    Asked* const before = asked[attempts.size()].get();
    one_begins = one_begins || (backend->leads() && before == nullptr);
    attempts.push_back({backend->name(), [&backend, &query, before] {
                          return before == nullptr ? backend->solve(query) : before->wait(kEver);
                        }});
    attempts.back().backend = backend->name();
  }
  for (std::size_t i = 0; i < attempts.size(); ++i) {
    if (one_begins && !solvers.backends()[i]->leads()) attempts[i].after = kHeadStart;
  }
  return race(attempts, {limits, 0, false, solvers.progress()}).answer;
}

}  // namespace

Portfolio::Portfolio(std::vector<std::unique_ptr<Backend>> backends, Limits limits)
    : backends_(std::move(backends)), limits_(limits) {}

Answer Portfolio::ask(const Query& query) const { return ask_by({}, query, *this); }

Answer ask_by(const Deadline& deadline, const Query& query, const Portfolio& solvers) {
  return race_by(deadline, query, solvers,
                 std::vector<std::unique_ptr<Asked>>(solvers.backends().size()));
}

Answer decide_by(const Deadline& deadline, const Query& query, const Portfolio& solvers) {
  std::vector<std::unique_ptr<Asked>> asked;
  for (const auto& backend : solvers.backends()) {
    asked.push_back(backend->leads() ? backend->ask(query, solvers.limits()) : nullptr);
    if (asked.back() == nullptr) continue;
    Answer answer = asked.back()->wait(
        std::min({kHeadStartOfLemmas, solvers.limits().seconds, deadline.left()}));
    if (answer.verdict == Verdict::unknown) continue;
    answer.solver = answer.backend = backend->name();
    return answer;
  }
  return race_by(deadline, query, solvers, asked);
}

}  // namespace mmaspec
