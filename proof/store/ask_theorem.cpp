#include "proof/store/ask_theorem.h"

#include <limits>
#include <memory>
#include <stdexcept>

#include "proof/certify/subject.h"
#include "queries/prove/all_k.h"
#include "queries/prove/vacuity_of.h"
#include "spec/conversions/conversions.h"

namespace mmaspec {
namespace {

AnsweredQuery ask_property(const Theorem& s, const Strategies& strategies, const Condition& where,
                           const Portfolio& solvers) {
  const Property& property = find_property(s.property);
  const Subject subject = subject_of(s);
  ProveOptions options;
  options.strategies = strategies;
  options.smaller = options.vacuity = options.shrink = false;
  options.where = where;
  Proof proof = prove(property, subject, options, solvers);
  return {proof.outcome == Outcome::proved, proof.justification, proof.cases,
          std::move(proof.attempts)};
}

DiffOptions diff_options(const Theorem& s, const Strategies& strategies, const Condition& where) {
  if (s.names.size() != 2) throw std::invalid_argument("a difference is of two names");
  DiffOptions options;
  options.difference = s.difference;
  options.inputs = s.inputs;
  options.pairing = s.pairing;
  options.where = where;
  options.strategies = strategies;
  options.shrink = options.vacuity = false;
  return options;
}

AnsweredQuery ask_difference(const Theorem& s, const Strategies& strategies, const Condition& where,
                             const Portfolio& solvers) {
  const DiffOptions options = diff_options(s, strategies, where);
  const Instruction first = find_with_conversions(s.names[0]);
  const Instruction second = find_with_conversions(s.names[1]);
  DiffResult result = s.all_k ? diff_for_all_k(first, second, options, solvers).result
                              : diff(first, second, options, solvers);
  return {result.verdict == Verdict::unsatisfiable, result.justification, 1,
          std::move(result.attempts)};
}

AnsweredQuery ask_with(const Theorem& theorem, const Strategies& strategies,
                       const Portfolio& solvers) {
  const Where where(theorem.where);
  const Condition condition = condition_of(where);
  return theorem.property.empty() ? ask_difference(theorem, strategies, condition, solvers)
                                  : ask_property(theorem, strategies, condition, solvers);
}

}  // namespace

AnsweredQuery ask(const Theorem& theorem, bool argue, int jobs, const Portfolio& solvers) {
  Strategies strategies;
  strategies.set(Strategy::search, false);
  strategies.set(Strategy::restrict, false);
  strategies.set(Strategy::steps, argue);
  strategies.jobs = jobs;
  return ask_with(theorem, strategies, solvers);
}

bool ask_of_goals(const Theorem& theorem, const GoalOracle& oracle) {
  // A statement about every K does not reduce to finitely many goals.
  if (theorem.all_k) return false;
  Strategies strategies = Strategies::none();
  strategies.oracle = oracle;
  Limits limits;
  limits.seconds = std::numeric_limits<double>::infinity();
  const Portfolio no_backends(std::vector<std::unique_ptr<Backend>>(), limits);
  return ask_with(theorem, strategies, no_backends).is_proved;
}

Vacuity vacuity_of(const Theorem& theorem, const Portfolio& solvers) {
  const Where where(theorem.where);
  if (where.empty()) return Vacuity::none;
  Strategies strategies;
  strategies.deadline = Deadline::in(solvers.limits().seconds);
  const Condition condition = condition_of(where);
  if (theorem.property.empty()) {
    return mmaspec::vacuity_of(pair_of(theorem), diff_options(theorem, strategies, condition),
                               solvers);
  }
  ProveOptions options;
  options.strategies = strategies;
  options.where = condition;
  return mmaspec::vacuity_of(find_property(theorem.property), subject_of(theorem), options,
                             strategies.deadline, solvers);
}

}  // namespace mmaspec
