#include "queries/prove/prove.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "queries/ask/dot_question.h"
#include "queries/ask/lemmas/fixed_bits.h"
#include "queries/ask/pairing.h"
#include "queries/ask/search.h"
#include "queries/derive/derive.h"
#include "queries/losses/error_bound.h"
#include "queries/prove/property_case.h"
#include "spec/formats/unpack.h"
#include "spec/lang/bounds.h"

namespace mmaspec {
namespace {

using Clock = std::chrono::steady_clock;

/// When all that is asked of a property is to end.
Deadline whole_of(const ProveOptions& options, const Portfolio& solvers) {
  return earlier(options.strategies.deadline, Deadline::in(solvers.limits().seconds));
}

/// Of the time left, what may be spent on making a witness simple.
constexpr double kProveShrinkShare = 0.5;

// What is kept of the time for sub-cases of what stays undecided.
constexpr double kSmallerSeconds = 10;
constexpr double kSmallerShare = 1.0 / 6;

// Of the time, before what is left is that of the other strategies.
constexpr double kDeriveShare = 0.7;

constexpr double kLookForPremises = 0.2;          // seconds
constexpr std::size_t kLeastSearch = 30'000'000;  // operations, for each case

/// All cases of a property of one subject.
std::string because(const DerivedError& error) {
  return std::to_string(error.lemmas) + " lemmas about nodes of the run";
}

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
      proof_.grounds = Grounds::none(error.what());
      return finished();
    }
  }

 private:
  Proof decided() {
    const std::string reason = property_.says_nothing_because(subject_);
    if (!reason.empty()) {
      proof_.outcome = Outcome::not_applicable;
      proof_.grounds = Grounds::none(reason);
      return finished();
    }
    const Strategies& strategies = options_.strategies;
    // Who wants a second solver's word does not want an argument.
    const bool argue = strategies.uses(Strategy::steps) && !options_.confirm;
    const std::string because = argue ? property_.holds_because(as_asked()) : "";
    if (because.empty()) return run_cases();
    if (strategies.to_the_end) proof_ = run_cases();
    if (proof_.outcome == Outcome::refuted) {
      throw Contradiction("its steps say that " + property_.name() + " holds (" + because +
                          "), and an input refutes it");
    }
    proof_.outcome = Outcome::proved;
    proof_.grounds = Grounds::argument(because, false);
    proof_.cases = proof_.cases_proved = property_.cases(subject_);
    return finished();
  }

  /// The subject with what the user's condition says of its factors.
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
    return subject;
  }

  /// The condition leaves no factor that is not zero, is less than 2^-exponent or more than
  /// 2^exponent. False where that is not seen.
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
    // What search finds ends it; so all cases are searched before any solver is asked.
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
    Grounds why;
    Grounds how = Grounds::one_expression();
    for (const int i : open) {
      if (deadline_.passed()) {
        why = Grounds::none("out of time");
        break;
      }
      PropertyCase c(property_, subject_, options_, i);
      const Reply reply = ask_solvers(c, i);
      if (reply.verdict == Verdict::satisfiable) {
        refute(c, i, reply.witness, reply.grounds);
        return finished();
      }
      if (reply.verdict == Verdict::unsatisfiable) {
        ++proof_.cases_proved;
        // A derivation of one case is what all of them rest on.
        if (how.kind != Grounds::Kind::derivation) how = reply.grounds;
      } else {
        why = reply.grounds;
      }
    }
    const bool all = proof_.cases_proved == proof_.cases;
    proof_.outcome = all ? Outcome::proved : Outcome::undecided;
    proof_.grounds = all ? how : why;
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
    // Many cases share what one has.
    s.search_work = std::max(
        options_.strategies.search_work / static_cast<std::size_t>(proof_.cases), kLeastSearch);
    Question question = c.question();
    const Reply reply = ask(question, s, no_solvers());
    add(reply.attempts);
    if (reply.verdict != Verdict::satisfiable) return false;
    refute(c, which, reply.witness, reply.grounds);
    return true;
  }

  Reply ask_solvers(PropertyCase& c, int which) {
    Strategies s = options_.strategies;
    if (!s.to_the_end) s.search_work = 0;  // all cases were searched
    Reply reply = ask_whom(c, which, s, solvers_);
    if (reply.verdict == Verdict::unsatisfiable && options_.confirm && !confirm(which, reply)) {
      reply.verdict = Verdict::unknown;
      reply.grounds =
          Grounds::none("no second solver confirmed the proof by " + reply.grounds.how());
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
      throw Contradiction("a derivation proves what " + asked.grounds.how() + " refutes");
    }
    return reply;
  }

  /// What holds of all inputs holds under every condition. True if the reply is one: of solvers
  /// at once, or of a derivation.
  bool derived(PropertyCase& c, int which, const Portfolio& solvers, Reply& reply) {
    const Strategies& strategies = options_.strategies;
    if (!strategies.uses(Strategy::derive)) return false;
    // All inputs of a small design are sooner tried.
    const bool soon = strategies.uses(Strategy::enumerate) && can_enumerate(c.question());
    if (soon && !strategies.to_the_end) return false;
    const Deadline until = deadline_.part(kDeriveShare);
    if (property_.derivable() == Derivable::related && !strategies.to_the_end &&
        !strategies.uses_no_other_than(Strategy::derive)) {
      reply = ask_at_once(c.question(), strategies, solvers);
      add(reply.attempts);
      if (reply.verdict != Verdict::unknown) return true;
    }
    const auto because = derivation(c, which, solvers, until);
    if (!because) return false;
    reply.verdict = Verdict::unsatisfiable;
    reply.grounds = Grounds::derivation(*because);
    return true;
  }

  std::optional<std::string> derivation(PropertyCase& c, int which, const Portfolio& solvers,
                                        const Deadline& until) {
    switch (property_.derivable()) {
      case Derivable::no:
        return std::nullopt;
      case Derivable::order:
        return derive(property_, subject_, which, solvers, until, proof_.attempts);
      case Derivable::related:
        return derive_by_relations(c.claimed(), solvers, until, proof_.attempts);
      case Derivable::error: {
        const auto error =
            derive_error(c.claimed(), subject_.formats(), solvers, until, proof_.attempts);
        if (!error || error->in_ulp > *subject_.parameter) return std::nullopt;
        return because(*error);
      }
    }
    return std::nullopt;
  }

  /// Has the solvers that did not answer agree, who prove their own lemmas.
  bool confirm(int which, const Reply& reply) {
    PropertyCase c(property_, subject_, options_, which);
    Strategies s = options_.strategies;
    s.set(Strategy::search, false);
    s.set(Strategy::restrict, false);
    const Reply second =
        ask_whom(c, which, s, solvers_but(reply.grounds.solver, solvers_.limits()));
    if (second.verdict == Verdict::satisfiable) {
      throw Contradiction(reply.grounds.how() + " proved what " + second.grounds.how() +
                          " refutes");
    }
    if (second.verdict == Verdict::unsatisfiable) proof_.confirmed_by = second.grounds.how();
    return second.verdict == Verdict::unsatisfiable;
  }

  void refute(PropertyCase& c, int which, InputValues inputs, const Grounds& grounds) {
    if (!c.is_witness(inputs)) {
      std::string text = grounds.how() + " found a witness that the numbers contradict:";
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        text += "\n  " + c.graph().input_name(c.graph().inputs()[i]) + " = 0x" + to_hex(inputs[i]);
      }
      throw Contradiction(text);
    }
    if (options_.shrink)
      inputs =
          c.simplified(std::move(inputs), deadline_.part(kProveShrinkShare), solvers_.progress());
    proof_.outcome = Outcome::refuted;
    proof_.grounds = grounds;
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

constexpr double kAllInputsShare = 1.0 / 3;

/// The property of the inputs that satisfy the condition, in the form that says all of them.
Proof prove_under_condition(const Property& property, const Subject& subject,
                            const ProveOptions& options, const Portfolio& solvers) {
  const auto reduces = property.under_condition().reduces;
  const bool is_whole = !options.where || !reduces || reduces(subject, options.where, solvers);
  if (is_whole) return Prover(property, subject, options, solvers).run();
  Subject whole = subject;
  whole.form = Form::whole;
  std::vector<AttemptReport> attempts;
  const auto with_attempts = [&](Proof proof) {
    proof.attempts.insert(proof.attempts.begin(), attempts.begin(), attempts.end());
    return proof;
  };
  ProveOptions last = options;
  if (!options.strategies.to_the_end) {
    // What search or an argument decides.
    ProveOptions quick = options;
    quick.strategies = options.strategies.only({Strategy::search, Strategy::steps});
    const Proof first = Prover(property, whole, quick, no_solvers()).run();
    if (first.outcome != Outcome::undecided) return first;
    attempts = first.attempts;
    // What holds of all inputs holds of these, and is asked in the reduced form.
    ProveOptions all = options;
    all.where = {};
    all.strategies.deadline = whole_of(options, solvers).part(kAllInputsShare);
    Proof of_all = Prover(property, subject, all, solvers).run();
    if (of_all.outcome == Outcome::proved) {
      of_all.grounds.note = "of all inputs, whatever the condition";
      return with_attempts(std::move(of_all));
    }
    attempts.insert(attempts.end(), of_all.attempts.begin(), of_all.attempts.end());
    ++last.strategies.seed;
  }
  return with_attempts(Prover(property, whole, last, solvers).run());
}

/// Whether the property presumes what no input satisfies.
Vacuity vacuity_of(const Property& property, const Subject& subject, const ProveOptions& options,
                   const Deadline& deadline, const Portfolio& solvers) {
  Subject whole = subject;
  if (options.where && property.under_condition().reduces) whole.form = Form::whole;
  // What properties presume by themselves is seldom empty: a short look is enough for that.
  const Deadline soon =
      options.where ? deadline : earlier(deadline, Deadline::in(kLookForPremises));
  const Portfolio nobody = no_solvers();
  const auto asked = [&](const Question& question) {
    return is_satisfiable(question, options.strategies.seed, soon,
                          options.where ? solvers : nobody);
  };
  try {
    bool excluded = true;
    for (int i = 0; i < property.cases(whole); ++i) {
      PropertyCase c(property, whole, options, i);
      if (c.presumes_nothing()) return Vacuity::none;
      const Verdict verdict = asked(c.premises());
      if (verdict == Verdict::satisfiable) return Vacuity::none;
      excluded = excluded && verdict == Verdict::unsatisfiable;
    }
    if (!excluded) return options.where ? Vacuity::unknown : Vacuity::none;
    PropertyCase c(property, whole, options, 0);
    const bool by_condition = options.where && asked(c.condition()) == Verdict::unsatisfiable;
    return by_condition ? Vacuity::no_such_input : Vacuity::premises_exclude;
  } catch (const Contradiction&) {
    throw;
  } catch (const std::exception&) {
    // Too much for the time or the memory left.
    return options.where ? Vacuity::unknown : Vacuity::none;
  }
}

/// The condition of inputs whose products beyond those given are zeros.
Condition padded(const Condition& condition, const DotFormats& whole) {
  if (!condition) return {};
  return [condition, whole](const DotFormats&, const DotOperands& in, Int d) {
    DotOperands all = in;
    all.a.resize(static_cast<std::size_t>(whole.k), Int(0));
    all.b.resize(static_cast<std::size_t>(whole.k), Int(0));
    return condition(whole, all, d);
  };
}

/// Products beyond the first can be made zero.
bool has_smaller_cases(const Subject& subject) {
  return subject.formats().scale == nullptr && !subject.second && subject.formats().k > 1;
}

/// The error that the property bounds, if it is one that can be derived; the proof of a bound is
/// filled in.
std::optional<DerivedError> derived_error(const Property& property, const Subject& subject,
                                          const ProveOptions& options, const Portfolio& solvers,
                                          const Deadline& deadline, Proof& proof) {
  if (property.derivable() != Derivable::error || !options.strategies.uses(Strategy::derive)) {
    return std::nullopt;
  }
  const auto start = Clock::now();
  Subject any = subject;
  any.parameter = 0;
  PropertyCase c(property, any, options, 0);
  const auto error =
      derive_error(c.claimed(), subject.formats(), solvers, deadline, proof.attempts);
  if (!error) return std::nullopt;
  proof.outcome = Outcome::proved;
  proof.grounds = Grounds::derivation(because(*error));
  proof.cases_proved = proof.cases = 1;
  proof.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return error;
}

/// The largest K for which the property is decided, the products beyond it zero.
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
    proof.smaller =
        "proved if only k < " + std::to_string(k) + " are not zero (" + p.grounds.how() + ")";
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

Subject subject_of(const Instruction& first, const std::optional<Instruction>& second) {
  if (!second) return {first};
  Pair pair = pair_up(first, *second, {});
  const DotFormats& x = pair.first.formats;
  const DotFormats& y = pair.second.formats;
  if (!(*x.a == *y.a && *x.b == *y.b && *x.c == *y.c && *x.d == *y.d)) {
    throw std::invalid_argument("their formats differ; 'mmaspec diff' compares such");
  }
  return {std::move(pair.first), std::move(pair.second)};
}

Proof prove(const Property& property, const Subject& subject, const ProveOptions& options,
            const Portfolio& solvers) {
  const Deadline whole = whole_of(options, solvers);
  ProveOptions own = options;
  own.strategies.deadline = whole;
  const bool smaller = options.smaller && has_smaller_cases(subject);
  if (smaller) {
    const double others = std::min(kSmallerSeconds, kSmallerShare * whole.left());
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

Tightest tightest(const Property& property, const Subject& subject, const ProveOptions& options,
                  const Portfolio& solvers) {
  Tightest result;
  const std::vector<Rational> all = property.parameters(subject);
  if (all.empty()) throw std::invalid_argument(property.name() + " has no number to be found");
  const std::string reason = property.says_nothing_because(subject);
  if (!reason.empty()) {
    result.refutation.outcome = result.proof.outcome = Outcome::not_applicable;
    result.refutation.grounds = result.proof.grounds = Grounds::none(reason);
    return result;
  }
  const Deadline deadline = whole_of(options, solvers);
  const auto ask_at = [&](std::size_t i, const Strategies& strategies, const Portfolio& whom) {
    Subject at = subject;
    at.parameter = all[i];
    ProveOptions o = options;
    o.strategies = strategies;
    Proof p = Prover(property, at, o, whom).run();
    const Outcome outcome = p.outcome;
    if (outcome == Outcome::refuted) {
      result.refuted = all[i];
      result.refutation = std::move(p);
    } else if (outcome == Outcome::proved || !result.proved) {
      if (outcome == Outcome::proved) result.proved = all[i];
      result.proof = std::move(p);
    }
    return outcome;
  };
  std::size_t low = 0;            // all before it are refuted
  std::size_t high = all.size();  // from it on all are proved
  Strategies by_solvers = options.strategies;
  if (const auto error = derived_error(property, subject, options, solvers,
                                       deadline.part(kDeriveShare), result.proof)) {
    high = static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), error->in_ulp) -
                                    all.begin());
    if (high < all.size()) result.proved = all[high];
    by_solvers.set(Strategy::derive, false);  // it would derive no less
  }
  // The least that steps or expressions prove.
  for (std::size_t first = 0; first < high;) {
    const std::size_t middle = first + (high - first) / 2;
    Strategies steps = options.strategies.only({Strategy::steps});
    steps.deadline = deadline;
    if (ask_at(middle, steps, no_solvers()) == Outcome::proved) {
      high = middle;
    } else {
      first = middle + 1;
    }
  }
  // The largest that search refutes.
  for (std::size_t open = high; low < open && !deadline.passed();) {
    const std::size_t middle = low + (open - low) / 2;
    Strategies search = options.strategies;
    search.deadline = deadline;
    if (ask_at(middle, search, no_solvers()) == Outcome::refuted) {
      low = middle + 1;
    } else {
      open = middle;
    }
  }
  // Solvers: the next one, or, where that stays open, larger ones until one is proved.
  for (std::size_t step = 1; low < high && !deadline.passed();) {
    const std::size_t at = std::min(low + step - 1, high - 1);
    Strategies strategies = by_solvers;
    strategies.set(Strategy::search, false);
    strategies.deadline = deadline.part(step == 1 ? 1.0 / 3 : 0.5);
    const Outcome outcome = ask_at(at, strategies, solvers);
    if (outcome == Outcome::refuted) {
      low = at + 1;
      step = 1;
    } else if (outcome == Outcome::proved) {
      high = at;
      if (step > 1) break;  // those below it stayed open
    } else {
      if (at + 1 >= high) break;
      step *= 4;
    }
  }
  if (result.proof.outcome == Outcome::proved) {
    Subject at = subject;
    at.parameter = result.proved;
    result.proof.vacuity = vacuity_of(property, at, options, deadline, solvers);
  }
  return result;
}

}  // namespace mmaspec
