#pragma once
/// One formula, asked of all solvers by a moment.

#include "solver/solver.h"
#include "util/deadline.h"

namespace mmaspec {

/// Races the backends as Portfolio::ask() does, within its limits and before the deadline. The one
/// that is quickest with small formulas begins, where it is there; the others follow after most of
/// what it can answer is answered (docs/proving.md has the figures), because what they would do is
/// then seldom needed, and takes a processor from who else has questions.
Answer ask_by(const Deadline& deadline, const Query& query, const Portfolio& solvers);

}  // namespace mmaspec
