#pragma once
/// Finds proof objects for the kernel. This code is not trusted: the kernel checks its results.

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
  std::vector<std::string> lrat;  ///< for each step
};

/// The goal that the question's conditions are unsatisfiable, with a proof by CaDiCaL: of the whole
/// formula, by the lemmas of a derivation, which `solvers` find, by lemmas that nodes are equal,
/// from some of the conditions, or with intermediate results as free variables. nullopt if no proof
/// is found before the deadline, or if the kernel does not accept the goal. Temporary files have
/// names that start with `scratch`. Throws what prove_unsatisfiable() throws.
std::optional<GoalProof> prove_goal(const Question& question, const std::string& scratch,
                                    const Portfolio& solvers, const Deadline& deadline);

}  // namespace mmaspec
