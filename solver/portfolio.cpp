#include <algorithm>
#include <limits>
#include <stdexcept>

#include "solver/ask.h"
#include "solver/solver.h"

namespace mmaspec {
namespace {

constexpr double kEver = std::numeric_limits<double>::infinity();

std::vector<std::unique_ptr<Backend>> chosen(const std::string& choice) {
  std::vector<std::unique_ptr<Backend>> backends;
  constexpr std::string_view kProgram = "smtlib:";
  if (choice == "cvc5" || (choice == "auto" && has_cvc5())) backends.push_back(cvc5_backend());
  if (choice == "auto" || choice == "z3") backends.push_back(z3_backend());
  if (choice == "bitwuzla" || (choice == "auto" && !bitwuzla_program().empty())) {
    backends.push_back(bitwuzla_backend());
  }
  if (choice.starts_with(kProgram))
    backends.push_back(smtlib_backend(choice.substr(kProgram.size())));
  if (backends.empty()) {
    throw std::invalid_argument("unknown solver '" + choice +
                                "': expected auto, z3, cvc5, bitwuzla or smtlib:COMMAND");
  }
  return backends;
}

/// `asked`: what the backends were asked already, in their order; nullptr for most.
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

Portfolio::Portfolio(const std::string& choice, Limits limits)
    : Portfolio(chosen(choice), limits) {}

Portfolio::Portfolio(std::vector<std::unique_ptr<Backend>> backends, Limits limits)
    : backends_(std::move(backends)), limits_(limits) {}

Portfolio solvers_but(const std::string& name, Limits limits) {
  std::vector<std::unique_ptr<Backend>> others = chosen("auto");
  std::erase_if(others, [&](const auto& backend) { return backend->name() == name; });
  return {std::move(others), limits};
}

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
