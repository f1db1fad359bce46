#include "queries/prove/prove.h"

#include <algorithm>

#include "queries/ask/budget.h"
#include "queries/prove/cases.h"
#include "queries/prove/vacuity_of.h"

namespace mmaspec {
namespace {

/// What decides whether the reduced form implies the whole: solvers for some seconds, or the
/// oracle.
Refuter refuter(const ProveOptions& options, const Portfolio& solvers) {
  return [&](const Graph& graph, const std::vector<NodeId>& conditions) {
    Strategies strategies = Strategies::none();
    strategies.set(Strategy::enumerate, true);
    strategies.oracle = options.strategies.oracle;
    strategies.deadline = Deadline::in(budget::kReduction);
    return ask({&graph, conditions}, strategies, solvers).verdict == Verdict::unsatisfiable;
  };
}

/// Proves the property for the inputs that satisfy the condition, in a form that is equivalent for
/// them.
Proof prove_under_condition(const Property& property, const Subject& subject,
                            const ProveOptions& options, const Portfolio& solvers) {
  const auto reduces = property.under_condition().reduces;
  const bool is_whole =
      !options.where || !reduces || reduces(subject, options.where, refuter(options, solvers));
  if (is_whole) return prove_cases(property, subject, options, solvers);
  Subject whole = subject;
  whole.form = Form::whole;
  std::vector<AttemptReport> attempts;
  const auto with_attempts = [&](Proof proof) {
    proof.attempts.insert(proof.attempts.begin(), attempts.begin(), attempts.end());
    return proof;
  };
  ProveOptions last = options;
  if (!options.strategies.to_the_end) {
    // First try search and analytical proofs.
    ProveOptions quick = options;
    quick.strategies = options.strategies.only({Strategy::search, Strategy::steps});
    const Proof first = prove_cases(property, whole, quick, no_solvers());
    if (first.outcome != Outcome::undecided) return first;
    attempts = first.attempts;
    // A property that holds for all inputs also holds for these; it is asked in the reduced form.
    ProveOptions all = options;
    all.where = {};
    all.strategies.deadline = whole_of(options, solvers).part(budget::kAllInputsFirst);
    Proof of_all = prove_cases(property, subject, all, solvers);
    if (of_all.outcome == Outcome::proved) {
      of_all.justification.note = "for all inputs, even without the precondition";
      return with_attempts(std::move(of_all));
    }
    attempts.insert(attempts.end(), of_all.attempts.begin(), of_all.attempts.end());
    ++last.strategies.seed;
  }
  return with_attempts(prove_cases(property, whole, last, solvers));
}

/// The condition for inputs whose further products are zero.
Condition padded(const Condition& condition, const DotFormats& whole) {
  if (!condition) return {};
  return [condition, whole](const DotFormats&, const DotOperands& in, Int d) {
    DotOperands all = in;
    all.a.resize(static_cast<std::size_t>(whole.k), Int(0));
    all.b.resize(static_cast<std::size_t>(whole.k), Int(0));
    return condition(whole, all, d);
  };
}

/// True if products beyond the first can be set to zero.
bool has_smaller_cases(const Subject& subject) {
  return subject.formats().scale == nullptr && !subject.second && subject.formats().k > 1;
}

/// Finds the largest K for which the property is decided if all further products are zero.
void decide_smaller(const Property& property, const Subject& subject, const ProveOptions& options,
                    const Deadline& deadline, const Portfolio& solvers, Proof& proof) {
  ProveOptions quick = options;
  quick.strategies.deadline = deadline;
  quick.where = padded(options.where, subject.formats());
  for (int k = 1; k < subject.formats().k; k *= 2) {
    Subject smaller = subject;
    smaller.first = shortened(subject.first, k);
    if (deadline.passed()) break;
    const Proof p = prove_under_condition(property, smaller, quick, solvers);
    if (p.outcome != Outcome::proved) break;
    const Vacuity vacuity = vacuity_of(property, smaller, quick, deadline, solvers);
    if (!reason(vacuity).empty()) continue;
    proof.smaller = "proved only if products from k = " + std::to_string(k) + " on are zero (" +
                    p.justification.how() + ")";
  }
}

}  // namespace

std::string_view to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::proved:
      return "proved";
    case Outcome::refuted:
      return "refuted";
    case Outcome::undecided:
      return "undecided";
    case Outcome::not_applicable:
      return "not applicable";
  }
  return "";
}

Proof prove(const Property& property, const Subject& subject, const ProveOptions& options,
            const Portfolio& solvers) {
  const Deadline whole = whole_of(options, solvers);
  ProveOptions own = options;
  own.strategies.deadline = whole;
  const bool smaller = options.smaller && has_smaller_cases(subject);
  if (smaller) {
    const double others = std::min(budget::kSmaller, budget::kSmallerShare * whole.left());
    own.strategies.deadline = Deadline::in(whole.left() - others);
  }
  Proof proof = prove_under_condition(property, subject, own, solvers);
  if (proof.outcome == Outcome::undecided && smaller) {
    decide_smaller(property, subject, options, whole, solvers, proof);
  }
  if (proof.outcome == Outcome::proved && options.vacuity) {
    proof.vacuity = vacuity_of(property, subject, options, whole, solvers);
  }
  return proof;
}

}  // namespace mmaspec
