// Selects the solvers of a portfolio.
#include <algorithm>
#include <stdexcept>

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

Portfolio solvers_but(const std::string& name, Limits limits) {
  std::vector<std::unique_ptr<Backend>> others = chosen("auto");
  std::erase_if(others, [&](const auto& backend) { return backend->name() == name; });
  return {std::move(others), limits};
}

}  // namespace mmaspec
