#include "apps/cli/command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "apps/cli/parser.h"
#include "proof/recorded/cadical.h"
#include "queries/request/progress.h"

namespace mmaspec::cli {

void SolveOptions::add_to(Command& command, const std::string& of) {
  command.add_option("--timeout", timeout, "limit in seconds for " + of).seconds().shows_default();
  command
      .add_option("--solver", solver,
                  "the solver: auto (all of them), z3, cvc5, bitwuzla or smtlib:COMMAND")
      .shows_default();
  command.add_option("--seed", seed, "the seed of the random generator").shows_default();
  command
      .add_option("--jobs", jobs,
                  "the largest number of concurrent processes (default: the number of cores)")
      .range(1, 4096);
}

Portfolio SolveOptions::portfolio() const {
  Limits limits;
  limits.seconds = timeout;
  Portfolio solvers(solver, limits);
  if (isatty(STDERR_FILENO) != 0) {
    solvers.on_wait(
        [](double, const std::string& running) { show_status(progress_in_words(running)); });
  }
  return solvers;
}

std::string solvers_line() {
  std::string text;
  for (const SolverVersion& s : solver_versions()) {
    text += fmt::format("{}{} {}", text.empty() ? "solvers: " : ", ", s.name, s.version);
    if (!s.program.empty()) text += " (" + s.program + ")";
  }
  const std::string cadical = cadical_program();
  return text + "; for certificates: " +
         (cadical.empty() ? "none, because cadical is not in PATH" : "CaDiCaL (" + cadical + ")");
}

void StrategyOptions::add_to(Command& command) {
  solve.add_to(command);
  std::vector<std::string> words;
  std::string list;
  for (const Strategy strategy : all_strategies()) {
    words.emplace_back(to_string(strategy));
    list += words.back() + ", ";
  }
  words.emplace_back("none");
  words.emplace_back("all");
  command
      .add_option("--strategies", names,
                  "the strategies to use, comma-separated: " + list + "none (solvers only) or all")
      .comma_separated()
      .one_of(words)
      .default_text("all");
  command.add_flag("--no-search", no_search, "skip the search and ask the solvers at once");
  command.add_flag("--to-the-end", to_the_end,
                   "run every strategy to its end, and fail if their answers disagree");
  command.add_flag("--explain", explain, "print every attempt, its outcome and its time");
}

Strategies StrategyOptions::strategies() const {
  Strategies s;
  const bool are_all = std::find(names.begin(), names.end(), "all") != names.end();
  if (!names.empty() && !are_all) {
    for (const Strategy strategy : all_strategies()) {
      s.set(strategy, std::find(names.begin(), names.end(), to_string(strategy)) != names.end());
    }
  }
  if (no_search) s.set(Strategy::search, false);
  s.to_the_end = to_the_end;
  s.seed = solve.seed;
  s.jobs = solve.jobs;
  s.deadline = solve.deadline();
  return s;
}

void add_json(Command& command, bool& json) {
  command.add_flag("--json", json, "print JSON on standard output");
}

}  // namespace mmaspec::cli
