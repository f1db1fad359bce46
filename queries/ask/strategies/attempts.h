#pragma once
/// What strategies make of a question: attempts, each a copy of it with something replaced, given
/// to one solver.

#include <memory>
#include <string>
#include <vector>

#include "queries/ask/question.h"

namespace mmaspec {

/// Attempts at one question, which must outlive them and this object.
class Attempts {
 public:
  Attempts(const Question& question, const std::vector<std::unique_ptr<Backend>>& backends)
      : question_(question), backends_(backends) {}

  const Question& question() const { return question_; }

  /// The question with a change, asked of one solver. `strategy` is what people are told.
  Attempt make(const std::string& strategy, const Backend& backend, const Change& change) const;
  /// The formula as it is, of those that do not lead, for a second: much is decided at once.
  void at_first(std::vector<Attempt>& all) const;
  /// The formula as it is, to the end; of the solver that leads, or of the others.
  void wholes(bool leading, std::vector<Attempt>& all) const;

  /// Conditions that need numbers of a whole exponent range; none, where all do.
  std::vector<NodeId> wide_conditions() const;

 private:
  Attempt whole(const Backend& backend) const;

  const Question& question_;
  const std::vector<std::unique_ptr<Backend>>& backends_;
};

/// Seconds that an attempt of a strategy may take while the whole formula waits: what it can do it
/// does soon.
inline constexpr double kShortAttempt = 8;
inline constexpr double kLongAttempt = 20;

/// The copy does without these conditions.
void leave_out(const std::vector<NodeId>& conditions, Substitution& copy);

// What each strategy adds for one solver. A proof made so is one of the question, unless
// Attempt::proves says otherwise, and so is a witness, unless Attempt::refutes does.
void add_cuts(const Attempts& attempts, const Backend& backend, std::vector<Attempt>& all);
void add_weaken(const Attempts& attempts, const Backend& backend, std::vector<Attempt>& all);
void add_relax(const Attempts& attempts, const Backend& backend, std::vector<Attempt>& all);
void add_restrictions(const Attempts& attempts, const Backend& backend, std::vector<Attempt>& all);
void add_split(const Attempts& attempts, const Backend& backend, std::vector<Attempt>& all);

/// All of these that are used, in the order in which they are tried: those before `split`, or split
/// alone, which comes last.
void add_changed(const Attempts& attempts, const Backend& backend, const Strategies& strategies,
                 std::vector<Attempt>& all);
void add_pieces(const Attempts& attempts, const Backend& backend, const Strategies& strategies,
                std::vector<Attempt>& all);

}  // namespace mmaspec
