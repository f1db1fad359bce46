#pragma once
/// Proof objects found for the kernel. Nothing relies on this being right: the kernel checks what
/// it finds.

#include <optional>
#include <string>
#include <vector>

#include "queries/ask/question.h"
#include "util/deadline.h"

namespace mmaspec {

/// A goal and its proof, as text (proof/kernel/goal.h, proof/kernel/proof.h).
struct GoalProof {
  std::string goal;
  std::string proof;
  std::vector<std::string> lrat;  ///< of each step
};

/// The goal that no input satisfies the question's conditions, with a proof by CaDiCaL: of the
/// whole formula, by lemmas that nodes are equal, of some of the conditions, or with intermediate
/// results free. nullopt if none is
/// found before the deadline, or the kernel does not take the goal. Files beginning with `scratch`
/// are written, and are gone afterwards. Throws what prove_unsatisfiable() throws.
std::optional<GoalProof> prove_goal(const Question& question, const std::string& scratch,
                                    const Deadline& deadline);

}  // namespace mmaspec
