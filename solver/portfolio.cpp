#include <algorithm>
#include <stdexcept>

#include "solver/ask.h"
#include "solver/solver.h"

namespace mmaspec {
namespace {

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

Answer race_by(const Deadline& deadline, const Query& query, const Portfolio& solvers,
               double head_start) {
  Limits limits = solvers.limits();
  limits.seconds = std::min(limits.seconds, deadline.left());
  const bool one_leads = std::any_of(solvers.backends().begin(), solvers.backends().end(),
                                     [](const auto& backend) { return backend->leads(); });
  std::vector<Attempt> attempts;
  for (const auto& backend : solvers.backends()) {
    attempts.push_back({backend->name(), [&backend, &query] { return backend->solve(query); }});
    attempts.back().backend = backend->name();
    attempts.back().after = one_leads && !backend->leads() ? head_start : 0;
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
  return race_by(deadline, query, solvers, kHeadStart);
}

Answer decide_by(const Deadline& deadline, const Query& query, const Portfolio& solvers) {
  double head_start = kHeadStart;
  for (const auto& backend : solvers.backends()) {
    if (!backend->leads()) continue;
    const double seconds = std::min({kHeadStart, solvers.limits().seconds, deadline.left()});
    auto answer = backend->decide_soon(query, seconds, solvers.limits());
    if (!answer) continue;
    if (answer->verdict != Verdict::unknown) {
      answer->solver = answer->backend = backend->name();
      return *answer;
    }
    head_start = 0;  // it has had it
  }
  return race_by(deadline, query, solvers, head_start);
}

}  // namespace mmaspec
