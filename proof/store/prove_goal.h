#pragma once
/// Finds proof objects for the kernel. This code is not trusted: the kernel checks its results.

#include <optional>
#include <string>

#include "proof/certify/goals.h"
#include "queries/ask/question.h"
#include "util/deadline.h"

namespace mmaspec {

/// The goal that the question's conditions are unsatisfiable, with a proof by CaDiCaL: of the whole
/// formula, with nodes that the question makes constant, by the lemmas of a derivation, which
/// `solvers` find, by lemmas that nodes are equal, from some of the conditions, or with
/// intermediate results as free variables. nullopt if no proof is found before the deadline, or if
/// the kernel does not accept the goal. Temporary files have names that start with `scratch`.
/// Throws what prove_unsatisfiable() throws.
std::optional<GoalProof> prove_goal(const Question& question, const std::string& scratch,
                                    const Portfolio& solvers, const Deadline& deadline);

}  // namespace mmaspec
