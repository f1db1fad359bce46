#pragma once
/// One formula, asked of all solvers by a moment. The solver that is quickest with small formulas
/// begins, where it is there; the others follow after most of what it can answer is answered
/// (docs/proving.md has the figures), because what they would do is then seldom needed, and takes a
/// processor from who else has questions.

#include "solver/solver.h"
#include "util/deadline.h"

namespace mmaspec {

/// Races the backends as Portfolio::ask() does, within its limits and before the deadline.
Answer ask_by(const Deadline& deadline, const Query& query, const Portfolio& solvers);

/// Whether there is a model, without it. The solver that begins is a process that was asked before
/// (Backend::ask()).
Answer decide_by(const Deadline& deadline, const Query& query, const Portfolio& solvers);

}  // namespace mmaspec
