#include "queries/prove/diff.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "concrete/dot/runner.h"
#include "queries/ask/budget.h"
#include "queries/ask/dot_question.h"
#include "queries/ask/lemmas/stages.h"
#include "queries/ask/search.h"
#include "queries/distance/apart.h"
#include "queries/draw/common_inputs.h"
#include "queries/draw/fitting.h"
#include "queries/draw/samples.h"
#include "queries/draw/shrink.h"
#include "queries/relations/relations.h"
#include "queries/theorems/across.h"
#include "queries/theorems/equal.h"
#include "queries/values/distance.h"
#include "solver/ticker.h"
#include "spec/lang/bounds.h"

namespace mmaspec {
namespace {

/// Number of trials to simplify one witness.
constexpr int kTrials = 20000;

/// Approximate cost of drawing an operand, in operations of the batch evaluator, without and with a
/// condition.
constexpr std::size_t kDrawing = 12;
constexpr std::size_t kFittedDrawing = 40;

Deadline asking_until(const Deadline& deadline, const DiffOptions& options) {
  if (!options.shrink) return deadline;
  return Deadline::in(deadline.left() - std::min(budget::kKeptToShrink,
                                                 budget::kKeptToShrinkShare * deadline.left()));
}

/// Sign and exponent field of a result: different witnesses differ in it.
Int kind_of(const Format& format, Int d) {
  return floor_shift_right(d, format.fraction_bits + format.ignored_low_bits);
}

/// The same of a result's number.
Integer kind_of(const Format& format, const Integer& d) {
  return d >> static_cast<unsigned>(format.fraction_bits + format.ignored_low_bits);
}

bool have_equal_formats(const DotFormats& x, const DotFormats& y) {
  return x.k == y.k && *x.a == *y.a && *x.b == *y.b && *x.c == *y.c && *x.d == *y.d &&
         x.scale == nullptr && y.scale == nullptr;
}

/// Whether results at this distance never differ by the bounds of the difference.
bool is_near(const Difference& difference, const DistanceBound& apart) {
  return !difference.signed_zero &&
         ((difference.absolute && apart.absolute <= *difference.absolute) ||
          (difference.ulp && apart.ulp && *apart.ulp <= Rational(*difference.ulp)));
}

/// Evaluates both sides on numbers, independent of any graph that a solver used, and stores the
/// witnesses found.
class Judge {
 public:
  Judge(const Pair& pair, const std::vector<Witness>& found, const DiffOptions& options,
        const Deadline& deadline, const Progress& progress, OfResults wanted = {})
      : pair_(pair),
        options_(options),
        deadline_(deadline),
        progress_(progress),
        found_(found),
        wanted_(std::move(wanted)),
        first_(pair_.first.algorithm, pair_.first.formats),
        second_(pair_.second.algorithm, pair_.second.formats),
        where_(options.where, pair_.first.formats) {}

  /// Results of both; nullopt if the second one's formats do not hold the operands.
  std::optional<std::pair<Integer, Integer>> results(const DotValues& values) {
    try {
      const DotValues other = counterpart(pair_, options_.pairing.match, values);
      return std::pair(first_.run(values), second_.run(other));
    } catch (const NoCounterpart&) {
      return std::nullopt;
    }
  }

  /// True if the operands are a witness that differs in kind from those found so far.
  bool is_witness(const DotValues& values) {
    if (!belong(options_.inputs, pair_.first.formats, values)) return false;
    const auto d = results(values);
    return d && differ(options_.difference, f1(), d->first, f2(), d->second) &&
           where_.holds(values, d->first) && is_new(*d) &&
           (!wanted_ || wanted_(d->first, d->second));
  }

  /// Throws Contradiction unless the operands, found by `who`, are a witness.
  void require_witness(const DotValues& values, const std::string& who) {
    if (is_witness(values)) return;
    throw Contradiction(
        who + " found operands on which the units do not differ as claimed:\n" +
        to_json_line({pair_.first.name(), values, {}, "", {}, ""}, pair_.first.formats));
  }

  /// The witness row, simplified if requested. `values` must be a witness.
  Witness witness(DotValues values) {
    if (options_.shrink) {
      Ticker ticker(progress_, "simplifying the witness");
      const auto still = [&](const DotValues& v) {
        ticker.tick();
        return is_witness(v);
      };
      values = shrink(pair_.first.formats, std::move(values), still, kTrials,
                      deadline_.part(budget::kShrinkShare));
    }
    const auto d = results(values);
    VectorRow row;
    row.instruction = pair_.first.name();
    row.other = pair_.second.name();
    row.values = std::move(values);
    row.d = d->first;
    row.d_other = d->second;
    const std::optional<Integer> ulp = ulp_distance(f1(), d->first, f2(), d->second);
    row.ulp = ulp ? ulp->str() : "inf";
    return {std::move(row)};
  }

 private:
  const Format& f1() const { return *pair_.first.formats.d; }
  const Format& f2() const { return *pair_.second.formats.d; }

  bool is_new(const std::pair<Integer, Integer>& d) const {
    return std::none_of(found_.begin(), found_.end(), [&](const Witness& w) {
      return kind_of(f1(), *w.row.d) == kind_of(f1(), d.first) &&
             kind_of(f2(), *w.row.d_other) == kind_of(f2(), d.second);
    });
  }

  const Pair& pair_;
  const DiffOptions& options_;
  const Deadline deadline_;
  const Progress& progress_;
  const std::vector<Witness>& found_;
  const OfResults wanted_;
  DotRunner first_;
  DotRunner second_;
  ConditionProgram where_;
};

/// Completes the result as far as the time allows.
void fill(const Instruction& first, const Instruction& second, const DiffOptions& options,
          const Portfolio& solvers, const Deadline& deadline, DiffResult& result) {
  Strategies strategies = options.strategies;
  strategies.deadline = asking_until(deadline, options);
  const BuildBy bound(deadline);
  result.pair = pair_up(first, second, options.pairing);
  const DotFormats& formats = result.pair.first.formats;
  const Format& f1 = *formats.d;
  const Format& f2 = *result.pair.second.formats.d;
  std::optional<Argument> argument;
  if (options.strategies.uses(Strategy::steps) && !options.difference.signed_zero &&
      have_equal_formats(formats, result.pair.second.formats)) {
    argument = equal_because(result.pair.first, result.pair.second);
  }
  if (!argument && options.strategies.uses(Strategy::steps) && !options.difference.signed_zero &&
      options.inputs != InputClass::any && options.pairing.match == Match::values) {
    argument = equal_on_common_values(result.pair.first, result.pair.second);
  }
  const auto proved = [&] {
    result.verdict = Verdict::unsatisfiable;
    result.exhausted = true;
    // The same design with the same inputs is the same expression, so building it is not necessary.
    const bool one_design = formats == result.pair.second.formats &&
                            result.pair.first.algorithm == result.pair.second.algorithm;
    result.justification =
        one_design ? Justification::one_expression() : Justification::argument(*argument, true);
  };
  if (argument && !options.strategies.to_the_end) return proved();

  Graph graph;
  const Graph::Building building(graph);
  const StatedDifference stated = state_difference(result.pair, options.difference, options.inputs,
                                                   options.pairing.match, options.where);
  const Miter& joint = stated.joint;
  const std::vector<NodeId>& premises = stated.premises;
  const Bool differs = stated.differs;
  // The proof requires sums of the same finite numbers.
  if (options.strategies.uses(Strategy::steps) && !argument && options.inputs != InputClass::any &&
      options.pairing.match == Match::values &&
      (options.difference.absolute || options.difference.ulp)) {
    const auto apart = distance_bound(result.pair, graph, premises, solvers, deadline);
    if (apart && is_near(options.difference, *apart)) {
      argument = {TrustedTheorem::sum_of_errors,
                  "the sum of both units' error bounds does not exceed the bound"};
      if (!options.strategies.to_the_end) return proved();
    }
  }
  std::vector<NodeId> conditions = premises;
  conditions.push_back(differs.id());
  // Drawn rows belong to the class; only additional conditions need fitting.
  std::optional<Fitting> fitting;
  if (options.where || !joint.comparable.same_as(true)) {
    fitting.emplace(graph, premises, input_formats(graph, formats), 0);
  }
  const Runs runs{{joint.d_first.id(), joint.d_second.id()}, true, &f1, {}};
  std::vector<NodeId> where;
  if (options.where) where.push_back(premises.back());
  // For integers, those that both formats hold have known bits, and substituting them may leave one
  // expression.
  if (are_integers(formats) && !joint.comparable.same_as(true)) {
    where.push_back(joint.comparable.id());
  }
  const ComparedRuns compared{
      &graph, joint.d_first.id(), joint.d_second.id(), conjuncts(graph, premises), {differs.id()},
      &f1};
  bool is_derived = false;
  const auto look_then_ask = [&](Question question) {
    std::vector<AttemptReport> looked;
    if (strategies.uses(Strategy::search) && !strategies.to_the_end) {
      // Most differences are found at once. Lemmas about stages are worth proving only after that.
      Reply found = ask(question, strategies.only({Strategy::search}), no_solvers());
      if (found.verdict != Verdict::unknown) return found;
      looked = std::move(found.attempts);
    }
    const bool all_inputs = strategies.uses(Strategy::enumerate) &&
                            Enumeration(question, solvers, strategies.deadline).is_possible();
    const bool is_folded = put_in_known_bits(question, graph, where, solvers, strategies.deadline);
    const bool equality = !options.difference.absolute && !options.difference.relative &&
                          !options.difference.ulp && result.witnesses.empty();
    if (strategies.uses(Strategy::derive) && equality && (!all_inputs || strategies.to_the_end)) {
      if (!strategies.uses_no_other_than(Strategy::derive) && !strategies.to_the_end) {
        Reply reply = ask_at_once(question, strategies, solvers, is_folded);
        looked.insert(looked.end(), reply.attempts.begin(), reply.attempts.end());
        reply.attempts = looked;
        if (reply.verdict != Verdict::unknown) return reply;
      }
      const auto derived =
          derive_by_relations(goal_of(question), solvers,
                              strategies.deadline.part(budget::kDerivationOfDifference), looked);
      if (derived && !strategies.to_the_end) {
        Reply reply;
        reply.verdict = Verdict::unsatisfiable;
        reply.justification = Justification::derivation(derived->because);
        reply.attempts = std::move(looked);
        return reply;
      }
      is_derived = derived.has_value();
    }
    Strategies others = strategies;
    if (!strategies.to_the_end) others.search_work = 0;  // it was searched before
    Reply reply = ask_in_stages(std::move(question), runs, premises, others, solvers);
    reply.attempts.insert(reply.attempts.begin(), looked.begin(), looked.end());
    return reply;
  };
  Judge judge(result.pair, result.witnesses, options, deadline, solvers.progress());
  while (static_cast<int>(result.witnesses.size()) < options.count) {
    const unsigned seed = options.strategies.seed + static_cast<unsigned>(result.witnesses.size());
    Question question{&graph, conditions};
    question.candidates = [&](unsigned s) {
      return draws(formats, result.pair.second.formats, options, fitting ? &*fitting : nullptr,
                   seed + s);
    };
    question.drawing = options.where ? kFittedDrawing : kDrawing;
    question.restrictions = dot_restrictions(formats);
    question.cuts = stage_cuts(graph, runs);
    question.compared = compared;
    const Reply reply = look_then_ask(std::move(question));
    result.attempts.insert(result.attempts.end(), reply.attempts.begin(), reply.attempts.end());
    if (reply.verdict != Verdict::satisfiable) {
      result.exhausted = reply.verdict == Verdict::unsatisfiable;
      if (result.witnesses.empty()) {
        result.verdict = reply.verdict;
        result.justification = reply.justification;
      }
      break;
    }
    DotValues values = dot_values(graph, formats, reply.witness);
    judge.require_witness(values, reply.justification.how());
    result.verdict = Verdict::satisfiable;
    if (result.witnesses.empty()) result.justification = reply.justification;
    result.witnesses.push_back(judge.witness(std::move(values)));
    const VectorRow& row = result.witnesses.back().row;
    conditions.push_back((kind_of(f1, joint.d_first) != kind_of(f1, *row.d) ||
                          kind_of(f2, joint.d_second) != kind_of(f2, *row.d_other))
                             .id());
  }
  if (argument && result.verdict == Verdict::satisfiable) {
    throw Contradiction("an analytical proof (" + argument->because +
                        ") shows that they are equal, but they differ on an input");
  }
  if (is_derived && result.verdict == Verdict::satisfiable) {
    throw Contradiction("a derivation proves that they are equal, but they differ on an input");
  }
}

}  // namespace

DiffResult diff(const Instruction& first, const Instruction& second, const DiffOptions& options,
                const Portfolio& solvers) {
  const auto start = std::chrono::steady_clock::now();
  const Deadline deadline =
      earlier(options.strategies.deadline, Deadline::in(solvers.limits().seconds));
  DiffResult result;
  try {
    fill(first, second, options, solvers, deadline, result);
  } catch (const OutOfTime& error) {
    result.exhausted = false;
    if (result.witnesses.empty()) result.justification = Justification::none(error.what());
  }
  if (result.verdict == Verdict::unsatisfiable && options.vacuity) {
    DiffOptions left = options;
    left.strategies.deadline = deadline;
    result.vacuity = vacuity_of(result.pair, left, solvers);
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

Vacuity vacuity_of(const Pair& pair, const DiffOptions& options, const Portfolio& solvers) {
  if (!options.where) return Vacuity::none;
  try {
    const BuildBy bound(options.strategies.deadline);
    const DotFormats& formats = pair.first.formats;
    Graph graph;
    const Graph::Building building(graph);
    const Miter joint = build_miter(pair, options.pairing.match);
    Question question{&graph, premises_of(pair, joint, options.inputs, options.where)};
    const Fitting fitting(graph, question.conditions, input_formats(graph, formats), 0);
    question.candidates = [&](unsigned seed) {
      return draws(formats, pair.second.formats, options, &fitting, seed);
    };
    switch (
        is_satisfiable(question, options.strategies.seed, options.strategies.deadline, solvers)) {
      case Verdict::satisfiable:
        return Vacuity::none;
      case Verdict::unsatisfiable:
        return Vacuity::no_such_input;
      case Verdict::unknown:
        break;
    }
  } catch (const OutOfTime&) {
    return Vacuity::unknown;
  } catch (const TooLarge&) {
    return Vacuity::unknown;
  } catch (const std::bad_alloc&) {
    return Vacuity::unknown;
  }
  return Vacuity::unknown;
}

Witness witness_of(const Pair& pair, const DiffOptions& options, const DotValues& values,
                   const std::string& who, const OfResults& wanted, const Deadline& deadline,
                   const Progress& progress) {
  const std::vector<Witness> none;
  Judge judge(pair, none, options, deadline, progress, wanted);
  judge.require_witness(values, who);
  return judge.witness(values);
}

Candidates draws(const DotFormats& formats, const DotFormats& others, const DiffOptions& options,
                 const Fitting* fitting, unsigned seed) {
  // If the formats differ, every second round draws values that both hold.
  std::optional<CommonInputs> common;
  if (options.pairing.match == Match::values && !options.where &&
      !have_equal_operands(formats, others)) {
    common.emplace(formats, others, seed);
  }
  return [ordinary = static_cast<bool>(options.where),
          sampler = Sampler(formats, options.inputs, seed), common = std::move(common), round = 0U,
          fit = fitting != nullptr ? std::optional(fitting->reseeded(seed))
                                   : std::nullopt](Lanes& lanes) mutable {
    if (common && ++round % 2 == 0) {
      const bool corners = round % 8 == 0;
      common->fill(corners ? CommonInputs::Kind::corners : CommonInputs::Kind::powers, lanes);
    } else {
      sampler.fill(lanes);
    }
    if (fit) ordinary ? fit->fill(lanes) : fit->put_in(lanes);
  };
}

}  // namespace mmaspec
