#include <algorithm>
#include <array>
#include <stdexcept>

#include "queries/ask/strategies/attempts.h"

namespace mmaspec {
namespace {

/// When the solvers get the attempts of a strategy.
enum class Turn {
  no_solver,  ///< the strategy does not use solvers
  changed,    ///< in parallel with the whole formula
  pieces,     ///< last
};

struct Entry {
  Strategy strategy;
  std::string_view name;
  Turn turn = Turn::no_solver;
  void (*add)(const Attempts&, const Backend&, std::vector<Attempt>&) = nullptr;
};

/// In the order in which they are tried.
constexpr auto kRegistry = std::to_array<Entry>({
    {Strategy::search, "search"},
    {Strategy::enumerate, "enumerate"},
    {Strategy::cut, "cut", Turn::changed, add_cuts},
    {Strategy::weaken, "weaken", Turn::changed, add_weaken},
    {Strategy::relax, "relax", Turn::changed, add_relax},
    {Strategy::restrict, "restrict", Turn::changed, add_restrictions},
    {Strategy::split, "split", Turn::pieces, add_split},
    {Strategy::derive, "derive"},
    {Strategy::steps, "steps"},
});

void add(Turn turn, const Attempts& attempts, const Backend& backend, const Strategies& strategies,
         std::vector<Attempt>& all) {
  for (const Entry& e : kRegistry) {
    if (e.turn == turn && strategies.uses(e.strategy)) e.add(attempts, backend, all);
  }
}

}  // namespace

std::string_view to_string(Strategy strategy) {
  for (const Entry& e : kRegistry) {
    if (e.strategy == strategy) return e.name;
  }
  throw std::logic_error("a strategy is not in the registry");
}

const std::vector<Strategy>& all_strategies() {
  static const std::vector<Strategy> all = [] {
    std::vector<Strategy> strategies;
    for (const Entry& e : kRegistry) strategies.push_back(e.strategy);
    return strategies;
  }();
  return all;
}

void add_changed(const Attempts& attempts, const Backend& backend, const Strategies& strategies,
                 std::vector<Attempt>& all) {
  add(Turn::changed, attempts, backend, strategies, all);
}

void add_pieces(const Attempts& attempts, const Backend& backend, const Strategies& strategies,
                std::vector<Attempt>& all) {
  add(Turn::pieces, attempts, backend, strategies, all);
}

}  // namespace mmaspec
