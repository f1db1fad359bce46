#include "queries/prove/cases.h"

#include <algorithm>
#include <chrono>

#include "queries/ask/budget.h"
#include "queries/ask/dot_question.h"
#include "queries/ask/lemmas/known_bits.h"
#include "queries/ask/search.h"
#include "queries/derive/derive.h"
#include "queries/distance/operand_bounds.h"
#include "queries/error_bounds/early_overflow.h"
#include "queries/prove/property_case.h"
#include "spec/formats/unpack.h"
#include "spec/lang/bounds.h"

namespace mmaspec {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kMostProducts = 128;  // limit for deriving error bounds

std::string because(const DerivedError& error) {
  return std::to_string(error.lemmas) + " lemmas about nodes of the run";
}

/// All cases of a property of one subject.
class Prover {
 public:
  Prover(const Property& property, const Subject& subject, const ProveOptions& options,
         const Portfolio& solvers)
      : property_(property),
        subject_(subject),
        options_(options),
        solvers_(solvers),
        deadline_(whole_of(options, solvers)) {}

  Proof run() {
    const BuildBy bound(deadline_);
    try {
      return decided();
    } catch (const OutOfTime& error) {
      proof_.justification = Justification::none(error.what());
      return finished();
    }
  }

 private:
  Proof decided() {
    const std::string reason = property_.says_nothing_because(subject_);
    if (!reason.empty()) {
      proof_.outcome = Outcome::not_applicable;
      proof_.justification = Justification::none(reason);
      return finished();
    }
    const Strategies& strategies = options_.strategies;
    // An analytical proof does not satisfy a request for a second solver.
    const bool argue = strategies.uses(Strategy::steps) && !options_.confirm;
    const std::optional<Argument> argument =
        argue ? property_.holds_because(as_asked()) : std::nullopt;
    if (!argument) return run_cases();
    if (strategies.to_the_end) proof_ = run_cases();
    if (proof_.outcome == Outcome::refuted) {
      throw Contradiction("an analytical proof shows that " + property_.name() + " holds (" +
                          argument->because + "), but an input refutes it");
    }
    proof_.outcome = Outcome::proved;
    proof_.justification = Justification::argument(*argument, false);
    proof_.cases = proof_.cases_proved = property_.cases(subject_);
    return finished();
  }

  /// The subject with the facts about its factors that follow from the user's condition.
  Subject as_asked() const {
    Subject subject = subject_;
    if (!options_.where) return subject;
    const DotFormats& f = subject.formats();
    Graph graph;
    const Graph::Building building(graph);
    const DotOperands in = dot_inputs(f);
    const Int d = input("d", static_cast<unsigned>(f.d->storage_bits));
    const NodeId where = options_.where(f, in, d).id();
    const auto keeps = [&](const Format& format, const std::vector<Int>& operands) {
      std::vector<NodeId> inputs;
      for (Int x : operands) inputs.push_back(x.id());
      return keep_to(graph, {where}, inputs, [&](const Integer& pattern) {
        const Decoded x = decode(format, pattern);
        return !x.is_finite() || x.significand == 0 ||
               bit_length(x.significand) >= static_cast<unsigned>(format.precision());
      });
    };
    subject.normal_factors = keeps(*f.a, in.a) && keeps(*f.b, in.b);
    subject.factors_are_within = [this](int exponent) { return keeps_factors_within(exponent); };
    subject.range = [this] { return range_of_condition(); };
    return subject;
  }

  /// For the finite operands that satisfy the condition.
  std::optional<OperandRange> range_of_condition() const {
    const DotFormats& f = subject_.formats();
    Graph graph;
    const Graph::Building building(graph);
    const DotOperands in = dot_inputs(f);
    const Int d = input("d", static_cast<unsigned>(f.d->storage_bits));
    const std::vector<NodeId> premises{belong(InputClass::finite, f, in).id(),
                                       options_.where(f, in, d).id()};
    return operand_range(f, graph, premises, solvers_, deadline_);
  }

  /// True if the condition implies that every factor is zero or has a magnitude from 2^-exponent to
  /// 2^exponent. False if that is not decided.
  bool keeps_factors_within(int exponent) const {
    const DotFormats& f = subject_.formats();
    Graph graph;
    const Graph::Building building(graph);
    const DotOperands in = dot_inputs(f);
    const Int d = input("d", static_cast<unsigned>(f.d->storage_bits));
    std::vector<Bool> outside;
    const auto add = [&](const Format& format, const std::vector<Int>& operands) {
      for (Int x : operands) {
        const Unpacked u = unpack_normalized(format, x);
        const Int leading = power_of_two(static_cast<unsigned>(format.fraction_bits));
        const Bool large =
            u.exponent > exponent || (u.exponent == exponent && u.significand > leading);
        outside.push_back(u.is_finite() && !u.is_zero() && (u.exponent < -exponent || large));
      }
    };
    add(*f.a, in.a);
    add(*f.b, in.b);
    const std::vector<NodeId> asked{options_.where(f, in, d).id(), any_of(outside).id()};
    return is_impossible(graph, asked, solvers_, deadline_);
  }

  Proof run_cases() {
    proof_.cases = property_.cases(subject_);
    // A witness ends the question, so all cases are searched before any solver is asked.
    std::vector<int> open;
    for (int i = 0; i < proof_.cases; ++i) {
      if (deadline_.passed()) throw OutOfTime();
      PropertyCase c(property_, subject_, options_, i);
      if (c.is_one_expression()) {
        ++proof_.cases_proved;
      } else if (!options_.strategies.uses(Strategy::search) || options_.strategies.to_the_end ||
                 !search(c, i)) {
        open.push_back(i);
      }
      if (proof_.outcome == Outcome::refuted) return finished();
    }
    Justification why;
    Justification how = Justification::one_expression();
    for (const int i : open) {
      if (deadline_.passed()) {
        why = Justification::none("out of time");
        break;
      }
      PropertyCase c(property_, subject_, options_, i);
      const Reply reply = ask_solvers(c, i);
      if (reply.verdict == Verdict::satisfiable) {
        refute(c, i, reply.witness, reply.justification);
        return finished();
      }
      if (reply.verdict == Verdict::unsatisfiable) {
        ++proof_.cases_proved;
        // If one case is derived, the justification of the whole is a derivation.
        if (how.kind != Justification::Kind::derivation) how = reply.justification;
      } else {
        why = reply.justification;
      }
    }
    const bool all = proof_.cases_proved == proof_.cases;
    proof_.outcome = all ? Outcome::proved : Outcome::undecided;
    proof_.justification = all ? how : why;
    return finished();
  }

  double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  Proof finished() {
    proof_.seconds = elapsed();
    return std::move(proof_);
  }

  bool search(PropertyCase& c, int which) {
    Strategies s = options_.strategies.only({Strategy::search});
    s.deadline = deadline_;
    // Many cases share the work limit of one.
    s.search_work =
        std::max(options_.strategies.search_work / static_cast<std::size_t>(proof_.cases),
                 budget::kLeastSearchOfCase);
    Question question = c.question();
    const Reply reply = ask(question, s, no_solvers());
    add(reply.attempts);
    if (reply.verdict != Verdict::satisfiable) return false;
    refute(c, which, reply.witness, reply.justification);
    return true;
  }

  Reply ask_solvers(PropertyCase& c, int which) {
    Strategies s = options_.strategies;
    if (!s.to_the_end) s.search_work = 0;  // all cases were searched
    Reply reply = ask_whom(c, which, s, solvers_);
    if (reply.verdict == Verdict::unsatisfiable && options_.confirm && !confirm(which, reply)) {
      reply.verdict = Verdict::unknown;
      reply.justification = Justification::none("no second solver confirmed the proof by " +
                                                reply.justification.how());
    }
    return reply;
  }

  Reply ask_whom(PropertyCase& c, int which, Strategies s, const Portfolio& solvers) {
    s.deadline = deadline_;
    Reply reply;
    if (derived(c, which, solvers, reply) && !s.to_the_end) return reply;
    Reply asked = c.ask_solvers(s, solvers);
    add(asked.attempts);
    if (reply.verdict != Verdict::unsatisfiable) return asked;
    if (asked.verdict == Verdict::satisfiable) {
      throw Contradiction("a derivation proves a statement that " + asked.justification.how() +
                          " refutes");
    }
    return reply;
  }

  /// A statement about all inputs holds under every condition. True if the reply decides the case:
  /// by solvers at once, or by a derivation.
  bool derived(PropertyCase& c, int which, const Portfolio& solvers, Reply& reply) {
    const Strategies& strategies = options_.strategies;
    if (!strategies.uses(Strategy::derive)) return false;
    // Enumerating all inputs of a small design is faster.
    const Question question = c.question();
    const bool soon = strategies.uses(Strategy::enumerate) &&
                      Enumeration(question, solvers, deadline_).is_possible();
    if (soon && !strategies.to_the_end) return false;
    const Deadline until = deadline_.part(strategies.derive_share);
    if (property_.derivable() == Derivable::related && !strategies.to_the_end &&
        !strategies.uses_no_other_than(Strategy::derive)) {
      reply = ask_at_once(c.question(), strategies, solvers);
      add(reply.attempts);
      if (reply.verdict != Verdict::unknown) return true;
    }
    const auto because = derivation(c, which, solvers, until);
    if (!because) return false;
    reply.verdict = Verdict::unsatisfiable;
    reply.justification = Justification::derivation(*because);
    return true;
  }

  std::optional<std::string> derivation(PropertyCase& c, int which, const Portfolio& solvers,
                                        const Deadline& until) {
    switch (property_.derivable()) {
      case Derivable::no:
        return std::nullopt;
      case Derivable::order:
        return derive(property_, subject_, which, solvers, until, proof_.attempts);
      case Derivable::related: {
        const auto derived = derive_by_relations(c.claimed(), solvers, until, proof_.attempts);
        return derived ? std::optional(derived->because) : std::nullopt;
      }
      case Derivable::error: {
        if (subject_.formats().k > kMostProducts) return std::nullopt;
        const auto error =
            derive_error(c.claimed(), subject_.formats(), solvers, until, proof_.attempts);
        if (!error || error->in_ulp > *subject_.parameter) return std::nullopt;
        return because(*error);
      }
      case Derivable::early_overflow:
        return derive_no_early_overflow(c.claimed(), subject_.formats(), solvers, until,
                                        proof_.attempts);
    }
    return std::nullopt;
  }

  /// Requires the agreement of the solvers that did not answer, which prove their own lemmas.
  bool confirm(int which, const Reply& reply) {
    PropertyCase c(property_, subject_, options_, which);
    Strategies s = options_.strategies;
    s.set(Strategy::search, false);
    s.set(Strategy::restrict, false);
    const Reply second =
        ask_whom(c, which, s, solvers_but(reply.justification.solver, solvers_.limits()));
    if (second.verdict == Verdict::satisfiable) {
      throw Contradiction(reply.justification.how() + " proved what " + second.justification.how() +
                          " refutes");
    }
    if (second.verdict == Verdict::unsatisfiable) proof_.confirmed_by = second.justification.how();
    return second.verdict == Verdict::unsatisfiable;
  }

  void refute(PropertyCase& c, int which, InputValues inputs, const Justification& justification) {
    if (!c.is_witness(inputs)) {
      std::string text = justification.how() + " found a witness that the evaluation contradicts:";
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        text += "\n  " + c.graph().input_name(c.graph().inputs()[i]) + " = 0x" + to_hex(inputs[i]);
      }
      throw Contradiction(text);
    }
    if (options_.shrink)
      inputs = c.simplified(std::move(inputs), deadline_.part(budget::kShrinkShare),
                            solvers_.progress());
    proof_.outcome = Outcome::refuted;
    proof_.justification = justification;
    proof_.of = property_.case_name(subject_, which);
    proof_.witness = c.witness(inputs);
    proof_.given = dot_values(c.graph(), subject_.formats(), inputs);
    for (const Extra& e : property_.extras(subject_)) {
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (c.graph().input_name(c.graph().inputs()[i]) == e.name)
          proof_.extras[e.name] = inputs[i];
      }
    }
  }

  void add(const std::vector<AttemptReport>& attempts) {
    proof_.attempts.insert(proof_.attempts.end(), attempts.begin(), attempts.end());
  }

  const Property& property_;
  const Subject& subject_;
  const ProveOptions& options_;
  const Portfolio& solvers_;
  const Clock::time_point start_ = Clock::now();
  const Deadline deadline_;
  Proof proof_;
};

}  // namespace

Deadline whole_of(const ProveOptions& options, const Portfolio& solvers) {
  return earlier(options.strategies.deadline, Deadline::in(solvers.limits().seconds));
}

Proof prove_cases(const Property& property, const Subject& subject, const ProveOptions& options,
                  const Portfolio& solvers) {
  return Prover(property, subject, options, solvers).run();
}

std::optional<DerivedError> derived_error(const Property& property, const Subject& subject,
                                          const ProveOptions& options, const Portfolio& solvers,
                                          const Deadline& deadline, Proof& proof) {
  if (property.derivable() != Derivable::error || !options.strategies.uses(Strategy::derive)) {
    return std::nullopt;
  }
  // Graphs of whole matrix products take long to build, and the analysis covers most of them.
  if (subject.formats().k > kMostProducts) return std::nullopt;
  const auto start = Clock::now();
  Subject any = subject;
  any.parameter = 0;
  const BuildBy bound(deadline);
  std::optional<DerivedError> error;
  try {
    PropertyCase c(property, any, options, 0);
    error = derive_error(c.claimed(), subject.formats(), solvers, deadline, proof.attempts);
  } catch (const OutOfTime&) {
    return std::nullopt;
  } catch (const TooLarge&) {
    return std::nullopt;
  }
  if (!error) return std::nullopt;
  proof.outcome = Outcome::proved;
  proof.justification = Justification::derivation(because(*error));
  proof.cases_proved = proof.cases = 1;
  proof.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return error;
}

}  // namespace mmaspec
