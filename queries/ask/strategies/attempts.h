#pragma once
/// The attempts that strategies derive from a question. Each is a copy of the question with some
/// nodes replaced, for one solver.

#include <memory>
#include <string>
#include <vector>

#include "queries/ask/question.h"

namespace mmaspec {

/// Creates attempts at one question. The question must outlive the attempts and this object.
class Attempts {
 public:
  Attempts(const Question& question, const std::vector<std::unique_ptr<Backend>>& backends)
      : question_(question), backends_(backends) {}

  const Question& question() const { return question_; }

  /// The question with a change, for one solver. `strategy` is the name in reports.
  Attempt make(const std::string& strategy, const Backend& backend, const Change& change) const;
  /// The unchanged formula for all solvers except the leading one, for one second: solvers decide
  /// many questions at once.
  void at_first(std::vector<Attempt>& all) const;
  /// The unchanged formula without a limit of its own: for the leading solver, or for the others.
  void wholes(bool leading, std::vector<Attempt>& all) const;

  /// Conditions whose numbers span a whole exponent range. Empty if all conditions do.
  std::vector<NodeId> wide_conditions() const;

 private:
  Attempt whole(const Backend& backend) const;

  const Question& question_;
  const std::vector<std::unique_ptr<Backend>>& backends_;
};

/// Time limits in seconds for a strategy's attempts while the whole formula waits. A strategy that
/// succeeds mostly does so soon.
inline constexpr double kShortAttempt = 8;
inline constexpr double kLongAttempt = 20;

/// Omits these conditions in the copy.
void leave_out(const std::vector<NodeId>& conditions, Substitution& copy);

// The attempts that each strategy adds for one solver. A proof or a witness of an attempt is one of
// the question, unless Attempt::proves or Attempt::refutes says otherwise.
void add_cuts(const Attempts& attempts, const Backend& backend, std::vector<Attempt>& all);
void add_weaken(const Attempts& attempts, const Backend& backend, std::vector<Attempt>& all);
void add_relax(const Attempts& attempts, const Backend& backend, std::vector<Attempt>& all);
void add_restrictions(const Attempts& attempts, const Backend& backend, std::vector<Attempt>& all);
void add_split(const Attempts& attempts, const Backend& backend, std::vector<Attempt>& all);

/// The attempts of all strategies in use, in the order of the registry. add_changed() adds those
/// before `split`; add_pieces() adds those of `split`, which come last.
void add_changed(const Attempts& attempts, const Backend& backend, const Strategies& strategies,
                 std::vector<Attempt>& all);
void add_pieces(const Attempts& attempts, const Backend& backend, const Strategies& strategies,
                std::vector<Attempt>& all);

}  // namespace mmaspec
