#include "queries/ask/vacuity.h"

#include <algorithm>

#include "queries/ask/budget.h"

namespace mmaspec {

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
  strategies.search_work = budget::kVacuitySearch;
  strategies.seed = seed;
  strategies.deadline = earlier(deadline, Deadline::in(budget::kVacuity));
  return ask(question, strategies, solvers).verdict;
}

}  // namespace mmaspec
