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

Answer ask_by(const Deadline& deadline, const Query& query, const Portfolio& solvers,
              const std::optional<Favourite>& favourite) {
  constexpr double kLeastWait = 0.05;
  constexpr double kMostWait = 0.1;  // of the time that all have
  Limits limits = solvers.limits();
  limits.seconds = std::min(limits.seconds, deadline.left());
  std::vector<Attempt> attempts;
  for (const auto& backend : solvers.backends()) {
    const std::string name = backend->name();
    attempts.push_back({name, [&backend, &query] { return backend->solve(query); }});
    Attempt& attempt = attempts.back();
    attempt.backend = name;
    attempt.after = backend->patience();
    if (!favourite) continue;
    const double wait = std::min(kLeastWait + 2 * favourite->seconds, kMostWait * limits.seconds);
    attempt.after = name == favourite->backend ? 0 : std::max(attempt.after, wait);
  }
  return race(attempts, {limits, 0, false, solvers.progress()}).answer;
}

}  // namespace mmaspec
