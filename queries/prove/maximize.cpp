#include "queries/prove/maximize.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "queries/ask/budget.h"
#include "queries/ask/climb.h"
#include "queries/ask/dot_question.h"
#include "queries/distance/apart.h"
#include "queries/distance/worst_cases.h"
#include "queries/values/distance.h"
#include "spec/formats/text.h"
#include "spec/lang/bounds.h"

namespace mmaspec {
namespace {

using Clock = std::chrono::steady_clock;

/// Limit of questions for solvers; each halves the ratio of the bound to the largest difference
/// found.
constexpr int kQuestions = 40;

/// Limit of the first climb, in units of the search that precedes solvers, and of a climb that
/// starts from a solver's larger difference.
constexpr std::size_t kClimbs = 20;
constexpr std::size_t kClimbsAgain = 4;

/// Distances between results as machine numbers, for climbing; the measure itself is exact.
class Distance {
 public:
  Distance(Measure measure, const Difference& allowed, const Format& first, const Format& second)
      : measure_(measure),
        atol_(allowed.absolute ? allowed.absolute->convert_to<double>() : 0),
        rtol_(allowed.relative ? allowed.relative->convert_to<double>() : 0),
        first_(first),
        second_(second),
        same_format_(first == second) {}

  double operator()(std::uint64_t d_first, std::uint64_t d_second) const {
    const double x = first_.value(d_first);
    const double y = second_.value(d_second);
    constexpr double kBeyond = std::numeric_limits<double>::infinity();
    if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y) ? 0 : kBeyond;
    if (x == y) return 0;
    const bool infinite = std::isinf(x) || std::isinf(y);
    if (infinite && (measure_ != Measure::ulp || !same_format_)) return kBeyond;
    if (measure_ == Measure::relative) {
      const double beyond = std::abs(x - y) - atol_;
      return beyond <= 0 ? 0 : x == 0 ? kBeyond : beyond / std::abs(x);
    }
    if (measure_ == Measure::absolute && rtol_ > 0) {
      return std::max(std::abs(x - y) - rtol_ * std::abs(x), 0.0);
    }
    // Both are f64 numbers, or their difference is exact in a double.
    const double apart = std::abs(measure_ == Measure::ulp ? ordinal(x) - ordinal(y) : x - y);
    return std::min(apart, std::numeric_limits<double>::max());
  }

 private:
  /// A format's patterns as doubles.
  struct Values {
    explicit Values(const Format& f)
        : ordinals(f),
          infinity(f.has_infinity() ? ordinals.largest_finite() + 1 : -1),
          minus_zero_is_nan(f.specials == Specials::nan_minus_zero),
          fraction_bits(f.fraction_bits),
          least(f.least_exponent()),
          largest(f.largest_exponent()),
          is_integer(f.is_integer()) {}

    double value(std::uint64_t pattern) const {
      const std::int64_t x = ordinals.of(pattern);
      if (x == -1 && minus_zero_is_nan) return std::nan("");
      if (x >= ordinals.least_finite() && x <= ordinals.largest_finite()) return ordinals.value(x);
      const double size = (x < 0 ? -1 - x : x) == infinity ? HUGE_VAL : std::nan("");
      return x < 0 ? -size : size;
    }

    Ordinals ordinals;
    std::int64_t infinity;  ///< its ordinal; -1: the format lacks it
    bool minus_zero_is_nan;
    int fraction_bits;
    int least;
    int largest;
    bool is_integer;
  };

  /// The index of x on the first format's number line (queries/numbers/difference.h); infinity
  /// follows the largest number.
  double ordinal(double x) const {
    if (first_.is_integer) return x;
    const double size = std::isinf(x) ? std::ldexp(1.0, first_.largest) * 2 : std::abs(x);
    if (size == 0) return 0;
    const int binade = std::isinf(size)
                           ? first_.largest
                           : std::clamp(std::ilogb(size), first_.least, first_.largest);
    const double steps = std::isinf(size) ? std::ldexp(1.0, first_.fraction_bits + 1)
                                          : std::ldexp(size, first_.fraction_bits - binade);
    const double at = std::ldexp(binade - first_.least, first_.fraction_bits) + steps;
    return x < 0 ? -at : at;
  }

  Measure measure_;
  double atol_;
  double rtol_;
  Values first_;
  Values second_;
  bool same_format_;
};

class Maximizer {
 public:
  Maximizer(const Instruction& first, const Instruction& second, DiffOptions options,
            Measure measure, const Portfolio& solvers)
      : first_(first),
        second_(second),
        options_(std::move(options)),
        measure_(measure),
        solvers_(solvers),
        deadline_(earlier(options_.strategies.deadline, Deadline::in(solvers.limits().seconds))),
        asking_(Deadline::in(
            deadline_.left() -
            std::min(budget::kMaximumShrink, budget::kMaximumShrinkShare * deadline_.left()))) {
    if (options_.difference.signed_zero) {
      throw std::invalid_argument("the distance of zeros of opposite signs is 0");
    }
    options_.count = 1;
    best_.pair = pair_up(first, second, options_.pairing);
  }

  Maximum run(const std::vector<DotValues>& known) {
    const auto start = Clock::now();
    try {
      const BuildBy bound(deadline_);
      for (const DotValues& values : known) {
        if (!belong(options_.inputs, best_.pair.first.formats, values)) continue;
        const Witness w = witness(values, "given");
        if (distance_of(*w.row.d, *w.row.d_other) != Rational(0)) take(w);
      }
      const bool of_operands = look_at_operands_alone();
      Graph graph;
      const Graph::Building building(graph);
      const Miter joint = build_miter(best_.pair, options_.pairing.match);
      const DotFormats& formats = best_.pair.first.formats;
      const std::vector<NodeId> premises =
          premises_of(best_.pair, joint, options_.inputs, options_.where);
      if (!of_operands) look_at_operands(graph, premises);
      const Fitting fitting(graph, premises, input_formats(graph, formats), 0);
      if (options_.strategies.uses(Strategy::search)) {
        std::vector<InputValues> starts;
        if (best_.witness) starts = {input_values(graph, best_.witness->row.values)};
        climb_from(starts, joint, graph, premises, fitting, kClimbs,
                   deadline_.part(budget::kClimbShare));
      }
      ask_solvers(joint, graph, premises, fitting);
    } catch (const OutOfTime&) {
      // Keep what was found.
    }
    if (best_.witness && options_.shrink && !deadline_.passed()) simplify();
    if (!best_.witness && best_.bound) {
      DiffOptions left = options_;
      left.strategies.deadline = deadline_;
      best_.vacuity = vacuity_of(best_.pair, left, solvers_);
    }
    best_.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return std::move(best_);
  }

 private:
  /// The premises in the current graph, with `d` as the first one's result.
  std::vector<NodeId> premises_of_operands(Int d) const {
    const DotFormats& formats = best_.pair.first.formats;
    const CounterpartOperands second = counterpart(
        formats, dot_inputs(formats), best_.pair.second.formats, options_.pairing.match);
    return premises_of(best_.pair, {d, d, second.comparable}, options_.inputs, options_.where);
  }

  /// Uses a graph without the algorithms, which take long to build for large K. False if a premise
  /// depends on the result.
  bool look_at_operands_alone() {
    Graph graph;
    const Graph::Building building(graph);
    (void)dot_inputs(best_.pair.first.formats);  // must precede the result
    const auto bits = static_cast<unsigned>(best_.pair.first.formats.d->storage_bits);
    const Int d = input("result", bits);
    const std::vector<NodeId> premises = premises_of_operands(d);
    if (std::ranges::binary_search(graph.cone(premises), d.id())) return false;
    look_at_operands(graph, premises);
    return true;
  }

  /// Computes a bound from errors, and constructed inputs.
  void look_at_operands(Graph& graph, const std::vector<NodeId>& premises) {
    if (!best_.unbounded && options_.strategies.uses(Strategy::steps)) {
      bound_by_errors(graph, premises);
    }
    if (!options_.strategies.uses(Strategy::search)) return;
    const DotFormats& formats = best_.pair.first.formats;
    take_constructed(graph, premises, Fitting(graph, premises, input_formats(graph, formats), 0));
  }

  /// Uses the best constructed input that satisfies the premises.
  void take_constructed(const Graph& graph, const std::vector<NodeId>& premises,
                        const Fitting& fitting) {
    constexpr std::size_t kMost = 8;
    const std::vector<DotValues> all = constructed_worst_cases(
        best_.pair, fitting, kMost, deadline_.part(budget::kConstructShare));
    if (all.empty()) return;
    const ExactEvaluator evaluator(graph, premises);
    for (const DotValues& values : all) {
      if (!belong(options_.inputs, best_.pair.first.formats, values)) continue;
      ExactEvaluator::Values found = evaluator.scratch();
      evaluator.evaluate(input_values(graph, values), found);
      if (std::ranges::any_of(premises, [&](NodeId p) { return found[p] == 0; })) continue;
      take(witness(values, "construction"));
      return;
    }
  }

  void climb_from(const std::vector<InputValues>& starts, const Miter& joint, const Graph& graph,
                  const std::vector<NodeId>& premises, const Fitting& fitting, std::size_t times,
                  const Deadline& deadline) {
    const DotFormats& formats = best_.pair.first.formats;
    const Distance distance(measure_, options_.difference, *formats.d,
                            *best_.pair.second.formats.d);
    const Landscape landscape{
        &graph,   premises,  joint.d_first.id(),           joint.d_second.id(),
        distance, formats.k, input_formats(graph, formats)};
    const bool fits = options_.where || !joint.comparable.same_as(true);
    const unsigned seed = options_.strategies.seed;
    const auto before = Clock::now();
    const auto found =
        climb(landscape, fitting,
              draws(formats, best_.pair.second.formats, options_, fits ? &fitting : nullptr, seed),
              starts, seed, options_.strategies.search_work * times, deadline);
    const double seconds = std::chrono::duration<double>(Clock::now() - before).count();
    best_.attempts.push_back({"climb", found ? Verdict::satisfiable : Verdict::unknown,
                              found.has_value(), found ? "witness" : "no difference found", seconds,
                              0});
    if (found) take(witness(dot_values(graph, formats, *found), "climb"));
  }

  /// The witness without simplification, confirmed by the exact evaluator.
  Witness witness(const DotValues& values, const std::string& who) const {
    DiffOptions o = options_;
    o.difference = {};
    o.shrink = false;
    return witness_of(best_.pair, o, values, who, {}, deadline_, solvers_.progress());
  }

  /// The distance between the results of a witness; nullopt: it exceeds every number.
  std::optional<Rational> distance_of(const Integer& d_first, const Integer& d_second) const {
    const Format& f1 = *best_.pair.first.formats.d;
    const Format& f2 = *best_.pair.second.formats.d;
    const std::optional<Integer> steps = ulp_distance(f1, d_first, f2, d_second);
    if (!steps) return std::nullopt;
    if (measure_ == Measure::ulp) return Rational(*steps);
    const Decoded x = decode(f1, d_first);
    const Decoded y = decode(f2, d_second);
    if (x.is_nan || (x.is_infinite && y.is_infinite && *steps == 0)) return Rational(0);
    if (!x.is_finite() || !y.is_finite()) return std::nullopt;
    const Rational apart = boost::multiprecision::abs(Rational(x.value() - y.value()));
    const Rational size = boost::multiprecision::abs(x.value());
    const Difference& allowed = options_.difference;
    if (measure_ == Measure::absolute) {
      return std::max(Rational(apart - allowed.relative.value_or(0) * size), Rational(0));
    }
    const Rational beyond = apart - allowed.absolute.value_or(0);
    if (beyond <= 0) return Rational(0);
    return size == 0 ? std::nullopt : std::optional(Rational(beyond / size));
  }

  /// Stores a witness if its distance is larger than that of the last one.
  void take(const Witness& w) {
    const auto distance = distance_of(*w.row.d, *w.row.d_other);
    if (distance && (best_.unbounded || (best_.witness && *distance < best_.found))) return;
    best_.witness = w;
    best_.unbounded = !distance;
    best_.found = distance.value_or(0);
    if (best_.bound && (best_.unbounded || best_.found > *best_.bound)) {
      throw Contradiction("a proof (" + best_.justification.how() +
                          ") bounds the difference by less than an input attains:\n" +
                          to_json_line(w.row, best_.pair.first.formats));
    }
  }

  void bound_by_errors(Graph& graph, const std::vector<NodeId>& premises) {
    // The sums must be of the same finite numbers.
    if (options_.pairing.match != Match::values || options_.inputs == InputClass::any) return;
    const auto apart = distance_bound(best_.pair, graph, premises, solvers_, asking_);
    if (!apart) return;
    const std::optional<Rational> bound = needed(*apart);
    if (!bound) return;
    if (best_.found > *bound) {
      throw Contradiction("their error bounds limit the difference to " + bound->str() +
                          ", but an input attains " + best_.found.str());
    }
    best_.bound = bound;
    best_.justification = {Justification::Kind::analysis};
    best_.justification.theorem = TrustedTheorem::sum_of_errors;
  }

  /// The tolerance that is needed if the distance is at most this.
  std::optional<Rational> needed(const DistanceBound& apart) const {
    const Difference& allowed = options_.difference;
    switch (measure_) {
      case Measure::ulp:
        return apart.ulp;
      case Measure::absolute:
        // |x - y| - r |x| is at most 1 - r / relative times |x - y|.
        if (!allowed.relative || !apart.relative) return apart.absolute;
        if (*apart.relative <= *allowed.relative) return Rational(0);
        return Rational((1 - *allowed.relative / *apart.relative) * apart.absolute);
      case Measure::relative:
        if (allowed.absolute && apart.absolute <= *allowed.absolute) return Rational(0);
        return apart.relative;
    }
    return std::nullopt;
  }

  /// Lets solvers find larger differences, or bounds, until the maximum is known or a question
  /// stays open.
  void ask_solvers(const Miter& joint, const Graph& graph, const std::vector<NodeId>& premises,
                   const Fitting& fitting) {
    std::optional<Rational> open;  // the smallest undecided bound
    // The largest value of a refuted question. With both tolerances, a question is about inputs
    // that exceed each of them; inputs that exceed neither do not exceed their sum.
    Rational refuted = 0;
    for (int i = 0; i < kQuestions && !best_.unbounded && !asking_.passed(); ++i) {
      const Rational least = std::max(best_.found, refuted);
      if (best_.bound && *best_.bound <= least) return;
      Rational asked = least;
      if (i > 0 && best_.bound) {
        asked = rounded((least + *best_.bound) / 2);
        if (asked >= *best_.bound || asked < least) asked = least;
        if (asked == refuted && refuted > 0) return;
      } else if (i > 0) {
        asked = std::max(Rational(2 * least), open ? Rational(4 * *open) : Rational(0));
      }
      DiffOptions o = options_;
      o.difference = with_bound(asked);
      o.shrink = false;
      o.strategies.search_work = 0;  // it was climbed to that value
      o.strategies.deadline = asking_.part(budget::kBoundShare);
      const DiffResult r = diff(first_, second_, o, solvers_);
      best_.attempts.insert(best_.attempts.end(), r.attempts.begin(), r.attempts.end());
      if (r.verdict == Verdict::satisfiable) {
        take(r.witnesses[0]);
        if (is_of_both()) refuted = std::max(refuted, asked == 0 ? least_step() : asked);
        if (best_.unbounded || !options_.strategies.uses(Strategy::search)) continue;
        climb_from({input_values(graph, best_.witness->row.values)}, joint, graph, premises,
                   fitting, kClimbsAgain, asking_.part(budget::kClimbShare));
      } else if (r.verdict == Verdict::unsatisfiable) {
        best_.bound = asked;
        best_.justification = r.justification;
      } else {
        // A larger bound may be easier to prove; one below an open one is not.
        if (asked > largest() || (best_.bound && i > 0)) return;
        open = asked == 0 ? Rational(1) : asked;
      }
    }
  }

  /// The simplest of the inputs with at least this difference, which then is the difference found.
  void simplify() {
    DiffOptions o = options_;
    o.difference = {};
    const auto wanted = [&](const Integer& d_first, const Integer& d_second) {
      const auto distance = distance_of(d_first, d_second);
      return best_.unbounded ? !distance : distance && *distance >= best_.found;
    };
    take(witness_of(best_.pair, o, best_.witness->row.values, "climb", wanted, deadline_,
                    solvers_.progress()));
  }

  Difference with_bound(const Rational& bound) const {
    Difference d = options_.difference;
    if (measure_ == Measure::ulp) {
      d.ulp = Integer(numerator(bound) / denominator(bound));
    } else {
      (measure_ == Measure::absolute ? d.absolute : d.relative) = bound;
    }
    return d;
  }

  bool is_of_both() const {
    return measure_ == Measure::absolute
               ? options_.difference.relative.has_value()
               : measure_ == Measure::relative && options_.difference.absolute.has_value();
  }
  /// The start value if nothing was found.
  Rational least_step() const {
    return rational_power_of_two(measure_ == Measure::relative
                                     ? -2 * best_.pair.first.formats.d->fraction_bits
                                     : best_.pair.first.formats.d->least_exponent());
  }

  /// Whole ulp; absolute bounds have few digits.
  Rational rounded(const Rational& x) const {
    if (measure_ == Measure::ulp) return Rational(numerator(x) / denominator(x));
    if (x == 0) return x;
    const Rational unit = rational_power_of_two(floor_log2(x) - 12);
    const Rational units = x / unit;
    return Rational(numerator(units) / denominator(units)) * unit;
  }

  /// Larger than every difference of two numbers.
  Rational largest() const {
    const Format& f1 = *best_.pair.first.formats.d;
    const Format& f2 = *best_.pair.second.formats.d;
    const int top = std::max(f1.largest_exponent(), f2.largest_exponent());
    if (measure_ == Measure::absolute) return rational_power_of_two(top + 2);
    if (measure_ == Measure::relative) {
      return rational_power_of_two(top + 2 - f1.least_exponent() + f1.fraction_bits);
    }
    const int beyond = top - f1.largest_exponent();
    return Rational(2 * f1.largest_finite()) + rational_power_of_two(f1.fraction_bits + beyond + 2);
  }

  const Instruction& first_;
  const Instruction& second_;
  DiffOptions options_;
  const Measure measure_;
  const Portfolio& solvers_;
  const Deadline deadline_;
  const Deadline asking_;  ///< after it, there is still time to simplify what was found
  Maximum best_;
};

}  // namespace

Maximum maximize(const Instruction& first, const Instruction& second, const DiffOptions& options,
                 Measure measure, const Portfolio& solvers, const std::vector<DotValues>& known) {
  return Maximizer(first, second, options, measure, solvers).run(known);
}

}  // namespace mmaspec
