#pragma once
/// Goals and their proofs in a certificate's folder: creates them, and lets the kernel check them.

#include <set>
#include <string>
#include <vector>

#include "proof/store/certificate.h"

namespace mmaspec {

/// Proves the goals to which a statement reduces, and writes the proofs to the folder. Returns the
/// SHA-256 of each goal in the order in which they are asked; nullopt if one has no proof by the
/// deadline.
std::optional<std::vector<std::string>> prove_goals(const Theorem& theorem,
                                                    const std::string& folder,
                                                    const Portfolio& solvers,
                                                    const Deadline& deadline);

struct CheckedGoals {
  std::string fault;  ///< the reason for the first rejected proof; empty: all are accepted
  std::set<std::string> proved;  ///< the SHA-256 of each goal's text
  std::size_t steps = 0;
  std::size_t claims = 0;  ///< number of nodes, over all goals, that are claims of the
                           ///< specification
};
/// Lets the kernel check all goals of a folder.
CheckedGoals check_goals(const std::string& folder, const OtherChecker& other);

/// The SHA-256 of the goals that the statement asks for, in order, if it follows from `proved`
/// goals; nullopt if it does not.
std::optional<std::vector<std::string>> follows(const Theorem& theorem,
                                                const std::set<std::string>& proved);

/// Numbers of the goals in the folder.
std::vector<std::string> goals_in(const std::string& folder);

}  // namespace mmaspec
