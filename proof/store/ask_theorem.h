#pragma once
/// Asks statements of certificates as `prove` and `diff` ask them.

#include <functional>
#include <vector>

#include "proof/certify/theorem.h"
#include "queries/ask/question.h"
#include "queries/ask/vacuity.h"

namespace mmaspec {

/// The result of asking a statement.
struct AnsweredQuery {
  bool is_proved = false;
  Justification justification;
  int cases = 1;  ///< number of cases that it consists of
  std::vector<AttemptReport> attempts;
};

/// Asks whether the statement holds, with these solvers only and without looking for witnesses.
/// `argue`: analytical proofs from the algorithms' steps are allowed. Throws what prove() and
/// diff() throw.
AnsweredQuery ask(const Theorem& theorem, bool argue, int jobs, const Portfolio& solvers);

/// Returns whether a question's conditions are unsatisfiable.
using GoalOracle = std::function<bool(const Question&)>;

/// Asks the oracle the questions of the statement that are not one expression, in order, without a
/// solver, a search or an analytical proof. True if its answers suffice. Throws what prove() and
/// diff() throw.
bool ask_of_goals(const Theorem& theorem, const GoalOracle& oracle);

/// Whether any input satisfies the precondition and the property's assumption; `none` without a
/// precondition. For the names of a valid theorem it throws only Contradiction.
Vacuity vacuity_of(const Theorem& theorem, const Portfolio& solvers);

}  // namespace mmaspec
