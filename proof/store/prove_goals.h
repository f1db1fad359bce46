#pragma once
/// Proves the goals to which a statement reduces.

#include <optional>
#include <string>
#include <vector>

#include "proof/certify/theorem.h"
#include "solver/solver.h"
#include "util/deadline.h"

namespace mmaspec {

/// Proves the goals to which a statement reduces, and writes the proofs to the folder. Returns the
/// SHA-256 of each goal in the order in which they are asked; nullopt if one has no proof by the
/// deadline.
std::optional<std::vector<std::string>> prove_goals(const Theorem& theorem,
                                                    const std::string& folder,
                                                    const Portfolio& solvers,
                                                    const Deadline& deadline);

}  // namespace mmaspec
