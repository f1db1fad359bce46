#include "queries/prove/prove.h"

#include <mmaspec/prove.h>

#include "api/core.h"
#include "queries/property/property.h"
#include "queries/request/diff_request.h"

namespace mmaspec::v0 {
namespace {

constexpr int kLongestBlock = 1 << 16;

Verdict verdict_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::proved:
      return Verdict::proved;
    case Outcome::refuted:
      return Verdict::refuted;
    case Outcome::undecided:
      return Verdict::undecided;
    case Outcome::not_applicable:
      break;
  }
  return Verdict::not_applicable;
}

Scope scope_of(const core::Property& property, const Subject& subject,
               const std::vector<std::string>& where) {
  const InputClass inputs = property.inputs();
  return subject.second
             ? core::scope_of(subject.first, *subject.second, core::Match::values, inputs, where)
             : core::scope_of(subject.first, inputs, where);
}

ProofAnswer answer_of(const Proof& proof, const Scope& scope) {
  ProofAnswer answer;
  fill_answer(answer, verdict_of(proof.outcome), proof.justification, proof.vacuity, scope,
              proof.seconds);
  for (const WitnessRun& run : proof.witness) {
    answer.runs.push_back(
        {run.label, UnitAccess::make(run.instruction), product_of(run.values), pattern_of(run.d)});
  }
  answer.of = proof.of;
  answer.cases = proof.cases;
  answer.cases_proved = proof.cases_proved;
  answer.smaller = proof.smaller;
  answer.confirmed_by = proof.confirmed_by;
  return answer;
}

/// A validated question about a property.
struct Asked {
  Asked(std::string_view name, const Unit& first, const Unit* second, const ProveOptions& given)
      : property(find_property(std::string(name))), where(given.where) {
    if (property.of_two() != (second != nullptr)) {
      throw std::invalid_argument(property.name() + " is a property of " +
                                  (property.of_two() ? "two units" : "one unit"));
    }
    subject = subject_of(
        instruction_of(first),
        second == nullptr ? std::nullopt : std::optional<Instruction>(instruction_of(*second)));
    require_range("within", given.within, 0, kLongestBlock);
    subject.within = given.within;
    if (given.bound) subject.parameter = parse_difference("bound", *given.bound);
    has_number = !property.parameters(subject).empty();
    options.strategies = strategies_of(given.ask);
    options.shrink = given.shrink;
    options.confirm = given.confirm;
    options.where = condition_of(where);
    scope = scope_of(property, subject, given.where);
  }
  Asked(const Asked&) = delete;
  Asked& operator=(const Asked&) = delete;

  const core::Property& property;
  Where where;
  Subject subject;
  bool has_number = false;
  core::ProveOptions options;
  Scope scope;
};

ProofAnswer ask(std::string_view name, const Unit& first, const Unit* second,
                const ProveOptions& given) {
  return translated([&] {
    const Asked asked(name, first, second, given);
    if (asked.has_number && !given.bound) {
      throw std::invalid_argument(asked.property.name() +
                                  " has a number: set ProveOptions::bound, or call prove_least()");
    }
    if (!asked.has_number && given.bound) {
      throw std::invalid_argument(asked.property.name() + " takes no bound");
    }
    const Proof proof = with_solvers(given.ask, [&](const Portfolio& solvers) {
      return core::prove(asked.property, asked.subject, asked.options, solvers);
    });
    return answer_of(proof, asked.scope);
  });
}

}  // namespace

std::vector<PropertyInfo> properties() {
  std::vector<PropertyInfo> all;
  for (const core::Property* p : core::properties()) {
    all.push_back({p->name(), p->summary(), p->source(), p->of_two() ? 2 : 1});
  }
  return all;
}

ProofAnswer prove(std::string_view property, const Unit& unit, const ProveOptions& options) {
  return ask(property, unit, nullptr, options);
}

ProofAnswer prove(std::string_view property, const Unit& first, const Unit& second,
                  const ProveOptions& options) {
  return ask(property, first, &second, options);
}

LeastAnswer prove_least(std::string_view property, const Unit& unit, const ProveOptions& given) {
  return translated([&] {
    const Asked asked(property, unit, nullptr, given);
    if (given.bound) throw std::invalid_argument("prove_least takes no bound");
    if (!asked.has_number) throw std::invalid_argument(asked.property.name() + " has no number");
    const Tightest t = with_solvers(given.ask, [&](const Portfolio& solvers) {
      return tightest(asked.property, asked.subject, asked.options, solvers);
    });
    LeastAnswer answer;
    if (t.proved) answer.proved = shortest_text(*t.proved);
    if (t.refuted) answer.refuted = shortest_text(*t.refuted);
    answer.proof = answer_of(t.proof, asked.scope);
    answer.refutation = answer_of(t.refutation, asked.scope);
    return answer;
  });
}

}  // namespace mmaspec::v0
