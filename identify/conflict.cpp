#include "identify/conflict.h"

#include <algorithm>

namespace mmaspec {
namespace {

/// The place of the answer at which nothing is left, if the first ones are `fixed`; the number of
/// answers if something is.
std::size_t ends_at(const Space& space, const std::vector<Answered>& fixed,
                    const std::vector<Answered>& others, int jobs, const Deadline& deadline) {
  Survivors survivors(space);
  survivors.take(fixed, deadline, jobs);
  if (survivors.empty()) return 0;
  for (std::size_t i = 0; i < others.size(); ++i) {
    survivors.take({others[i]}, deadline, jobs);
    if (survivors.empty()) return i + 1;
  }
  return others.size() + 1;
}

}  // namespace

Conflict smallest_conflict(const Space& space, const std::vector<Answered>& answers, int jobs,
                           const Deadline& deadline) {
  Conflict conflict;
  conflict.answers = answers;
  // Junker's scheme without its bisection: the answer at which nothing is left belongs to the
  // conflict; what comes after it does not.
  std::vector<Answered> fixed;
  std::vector<Answered> others = answers;
  try {
    for (;;) {
      const std::size_t end = ends_at(space, fixed, others, jobs, deadline);
      if (end == 0) break;
      if (end > others.size()) return conflict;  // put off answers hide the conflict
      fixed.push_back(others[end - 1]);
      others.resize(end - 1);
      conflict.answers = fixed;
      conflict.answers.insert(conflict.answers.end(), others.begin(), others.end());
    }
    conflict.answers = fixed;
    conflict.irreducible = true;
    if (fixed.size() == 1) conflict.smallest = true;
    if (fixed.size() != 2) return conflict;
    // Two are the fewest if no answer alone is a conflict.
    for (const Answered& a : answers) {
      Survivors survivors(space);
      survivors.take({a}, deadline, jobs);
      if (!survivors.empty()) continue;
      conflict.answers = {a};
      break;
    }
    conflict.smallest = true;
  } catch (const OutOfTime&) {
  }
  return conflict;
}

}  // namespace mmaspec
