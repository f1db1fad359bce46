#pragma once
/// What a certificate is of: a statement that `prove` or `diff` proved, as text and as a question.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "queries/prove/diff.h"
#include "queries/prove/prove.h"

namespace mmaspec {

/// A property that holds, or two that never differ so.
struct Theorem {
  std::string property = {};       ///< by name; empty: that two never differ
  std::vector<std::string> names;  ///< of what it is of: one or two
  std::vector<std::string> where = {};

  int within = 0;                          ///< of a property, as Subject has it
  std::optional<Rational> parameter = {};  ///< of a property, as Subject has it
  Difference difference = {};              ///< of two
  InputClass inputs = InputClass::finite;  ///< of two
  PairOptions pairing = {};                ///< of two
  bool all_k = false;                      ///< of two: for every K that both have
};

/// What a certificate says: the statement, what stands behind it, and in which form.
struct CertifiedStatement {
  Theorem theorem;
  std::string by;  ///< as `prove --json` has it
  /// The SHA-256 of each goal from which it follows, in the order in which they are asked; with
  /// proof objects for the kernel. Empty: the certificate has queries (proof/store/certificate.h).
  std::optional<std::vector<std::string>> goals = {};
};

/// JSON text; equal statements have equal texts. It also holds, for those who read it and to bind
/// it to them, each name's algorithm with all parameters, and a digest of the graph that it builds
/// today. Throws std::invalid_argument if a name means nothing.
std::string to_json(const CertifiedStatement& statement);

/// The statement of a text that to_json() wrote. Throws std::invalid_argument if it is not one, or
/// is about other graphs than the names build today.
CertifiedStatement certified_statement_of(const std::string& json);

/// One line for people.
std::string to_text(const Theorem& s);

/// What became of a statement when it was asked.
struct AnsweredQuery {
  bool is_proved = false;
  Grounds grounds;
  int cases = 1;  ///< that it consists of
  std::vector<AttemptReport> attempts;
};

/// Asks whether it holds, of these solvers alone and without looking for witnesses. `argue`: what
/// algorithms do in their steps may be argued with. Throws what prove() and diff() throw.
AnsweredQuery ask(const Theorem& theorem, bool argue, int jobs, const Portfolio& solvers);

/// Whether no input satisfies a question's conditions.
using GoalOracle = std::function<bool(const Question&)>;

/// Whether the statement follows from what the oracle says of the questions that it reduces to, and
/// from nothing else: no solver, no search, no argument about steps. The same statement asks the
/// same questions, in the same order, as long as the answers are the same. Throws what prove() and
/// diff() throw.
bool follows_from_goals(const Theorem& theorem, const GoalOracle& oracle);

/// Whether any input satisfies the precondition and what the property presumes; none without a
/// precondition. Throws nothing but Contradiction of what the names are.
Vacuity vacuity_of(const Theorem& theorem, const Portfolio& solvers);

}  // namespace mmaspec
