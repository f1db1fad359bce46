#pragma once
/// One case of a property as a question for solvers and search, and its witnesses on numbers.

#include "concrete/dot/runner.h"
#include "queries/ask/lemmas/stages.h"
#include "queries/counterexamples/counterexample.h"
#include "queries/goals/stated_property.h"
#include "queries/prove/prove.h"
#include "queries/relations/relations.h"

namespace mmaspec {

/// The property, subject and options must outlive this object.
class PropertyCase {
 public:
  PropertyCase(const Property& property, const Subject& subject, const ProveOptions& options,
               int which);

  const Graph& graph() const { return graph_; }
  /// True if some condition is false for all inputs, so that there is nothing to ask.
  bool is_one_expression() const;

  /// Satisfied by inputs that violate the case. It refers to this object.
  Question question();

  /// Satisfied by all inputs of the case. It refers to this object.
  Question premises();
  /// Satisfied by all operands of the first evaluation that the precondition and the class allow.
  Question condition();
  /// True if there is neither a condition nor a premise: any finite operands are allowed.
  bool presumes_nothing() const {
    return stated_.where.empty() && stated_.statement.premises.empty();
  }

  /// The goal of a derivation, with samples of the case's inputs. It refers to this object.
  DerivationGoal claimed();

  bool is_witness(const InputValues& inputs);
  /// Simpler inputs that are still a witness.
  InputValues simplified(InputValues inputs, const Deadline& deadline, const Progress& progress);
  std::vector<WitnessRun> witness(const InputValues& inputs);

  /// Asks solvers whether the case is violated, before strategies.deadline. Throws Contradiction.
  Reply ask_solvers(const Strategies& strategies, const Portfolio& solvers);

 private:
  std::vector<RunValues> runs(const InputValues& inputs);
  Runs runs_of_statement() const;

  const Property& property_;
  const Subject& subject_;
  const ProveOptions& options_;
  int which_;
  Graph graph_;
  StatedCase stated_;
  std::optional<DotRunner> runner_;
  std::optional<DotRunner> other_;
  std::optional<ExactEvaluator> operands_;
  ExactEvaluator::Values scratch_;
  ConditionProgram condition_;
};

}  // namespace mmaspec
