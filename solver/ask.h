#pragma once
/// Asks one formula of all solvers before a deadline. The solver that is fastest on small formulas
/// starts first, if it is available. The others start when it has answered most formulas that it
/// can answer (docs/proving.md has the figures), because they are then seldom needed and would take
/// processors from other questions.

#include "solver/solver.h"
#include "util/deadline.h"

namespace mmaspec {

/// Races the backends as Portfolio::ask() does, within its limits and before the deadline.
Answer ask_by(const Deadline& deadline, const Query& query, const Portfolio& solvers);

/// Decides satisfiability without a model. The solver that starts first may be a process that
/// answered earlier formulas (Backend::ask()).
Answer decide_by(const Deadline& deadline, const Query& query, const Portfolio& solvers);

}  // namespace mmaspec
