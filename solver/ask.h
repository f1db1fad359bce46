#pragma once
/// One formula, asked of all solvers by a moment.

#include <optional>
#include <string>

#include "solver/solver.h"
#include "util/deadline.h"

namespace mmaspec {

/// Who answered a formula of the same kind, and how soon.
struct Favourite {
  std::string backend;
  double seconds;
};

/// Races the backends as Portfolio::ask() does, within its limits and before the deadline. While a
/// favourite may still answer as soon as it did, the others wait: what they would do is seldom
/// needed, and takes a processor from who else has questions.
Answer ask_by(const Deadline& deadline, const Query& query, const Portfolio& solvers,
              const std::optional<Favourite>& favourite = {});

}  // namespace mmaspec
