#pragma once
/// Goals and their proofs in a certificate's folder, and whether a statement follows from them.

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "proof/certify/theorem.h"

namespace mmaspec {

/// A goal and its proof, as text (proof/kernel/goal.h, proof/kernel/proof.h).
struct GoalProof {
  std::string goal;
  std::string proof;
  std::vector<std::string> lrat;  ///< for each step
};
void write_goal(const GoalProof& proof, const std::string& folder);

/// The statement of a certificate. Throws std::invalid_argument with its fault if a file is missing
/// or was changed, or if the text is not a statement of today's specification.
CertifiedStatement statement_in(const std::string& folder);

/// An external program that also checks a proof. Returns "" if it accepts the proof, otherwise its
/// message.
using OtherChecker = std::function<std::string(const std::string& cnf, const std::string& lrat)>;

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
std::optional<std::vector<std::string>> goals_asked(const Theorem& theorem,
                                                    const std::set<std::string>& proved);

/// The fault of a certificate of goals with this statement and these files; empty: it is accepted.
/// Throws what building the statement's graphs throws.
std::string fault_of_goals(const std::string& folder, const CertifiedStatement& statement,
                           const std::vector<std::string>& files, const OtherChecker& other,
                           CheckedGoals& goals);

/// Numbers of the goals in the folder.
std::vector<std::string> goals_in(const std::string& folder);

}  // namespace mmaspec
