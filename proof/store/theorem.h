#pragma once
/// The statement of a certificate, which `prove` or `diff` proved: as text and as a question.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "queries/prove/diff.h"
#include "queries/prove/prove.h"

namespace mmaspec {

/// The statement that a property holds, or that two units never differ in the given sense.
struct Theorem {
  std::string property = {};       ///< its name; empty: two units never differ
  std::vector<std::string> names;  ///< names of the one or two units
  std::vector<std::string> where = {};

  int within = 0;                          ///< for a property, as in Subject
  std::optional<Rational> parameter = {};  ///< for a property, as in Subject
  Difference difference = {};              ///< for two units
  InputClass inputs = InputClass::finite;  ///< for two units
  PairOptions pairing = {};                ///< for two units
  bool all_k = false;                      ///< for two units: for every K that both have
};

/// The contents of a certificate: the statement, its justification, and the form of its proof.
struct CertifiedStatement {
  Theorem theorem;
  std::string by;  ///< as in `prove --json`
  /// With proof objects for the kernel: the SHA-256 of each goal from which the statement follows,
  /// in the order in which they are asked. Empty: the certificate has queries
  /// (proof/store/certificate.h).
  std::optional<std::vector<std::string>> goals = {};
};

/// JSON text; equal statements have equal texts. It also contains each name's algorithm with all
/// parameters and a digest of its current graph, for readers and to bind the statement to them.
/// Throws std::invalid_argument if a name is unknown.
std::string to_json(const CertifiedStatement& statement);

/// Parses a text of to_json(). Throws std::invalid_argument if it is not a statement, or if the
/// names now build other graphs.
CertifiedStatement certified_statement_of(const std::string& json);

/// One line for people.
std::string to_text(const Theorem& s);

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

/// True if the statement follows from the oracle's answers to the questions to which it reduces,
/// without a solver, a search or an analytical proof. The same statement asks the same questions in
/// the same order if the answers are the same. Throws what prove() and diff() throw.
bool follows_from_goals(const Theorem& theorem, const GoalOracle& oracle);

/// Whether any input satisfies the precondition and the property's assumption; `none` without a
/// precondition. For the names of a valid theorem it throws only Contradiction.
Vacuity vacuity_of(const Theorem& theorem, const Portfolio& solvers);

}  // namespace mmaspec
