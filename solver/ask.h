#pragma once
/// One formula, asked of all solvers by a moment.

#include "solver/solver.h"
#include "util/deadline.h"

namespace mmaspec {

/// Races the backends as Portfolio::ask() does, within its limits and before the deadline.
Answer ask_by(const Deadline& deadline, const Query& query, const Portfolio& solvers);

}  // namespace mmaspec
