#include "queries/ask/vacuity.h"

#include <algorithm>

namespace mmaspec {
namespace {

constexpr std::size_t kSearchWork = 30'000'000;  // operations
constexpr double kVacuitySeconds = 10;

}  // namespace

std::string reason(Vacuity vacuity) {
  switch (vacuity) {
    case Vacuity::no_such_input:
      return "no input satisfies the precondition";
    case Vacuity::premises_exclude:
      return "no input satisfies the precondition and the property's own assumption";
    case Vacuity::none:
    case Vacuity::unknown:
      break;
  }
  return "";
}

Verdict is_satisfiable(const Question& question, unsigned seed, const Deadline& deadline,
                       const Portfolio& solvers) {
  Strategies strategies = Strategies::none();
  strategies.set(Strategy::search, true);
  strategies.set(Strategy::enumerate, true);
  strategies.search_work = kSearchWork;
  strategies.seed = seed;
  strategies.deadline = earlier(deadline, Deadline::in(kVacuitySeconds));
  return ask(question, strategies, solvers).verdict;
}

}  // namespace mmaspec
