#include "queries/studies/matrix/trial.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "concrete/evaluator.h"
#include "queries/ask/dot_question.h"
#include "queries/draw/common_inputs.h"
#include "queries/studies/matrix/witness.h"
#include "queries/values/distance.h"

namespace mmaspec {
namespace {

constexpr std::size_t kLanes = 2 * BatchEvaluator::kBlock;
/// Rounds of corner cases: the minimum, and the maximum while pairs are left.
constexpr int kFewRounds = 3;
constexpr int kMostRounds = 64;

/// A position in the drawn inputs.
struct Place {
  std::size_t round = 0;
  std::size_t lane = 0;
  friend auto operator<=>(const Place&, const Place&) = default;
};

/// What was observed for two expressions.
struct Seen {
  bool parted = false;
  Takes takes = Takes::overflow;
  Place witness;
  double worst_steps = 0;
  Place worst;
  double relative = 0;
  bool unbounded = false;
};

struct Expression {
  const Format* d;
  Int result;
  PatternValues values;
};

struct Round {
  CommonInputs::Kind kind;
  Lanes inputs;
  Lanes results;                ///< patterns by expression, then whether the premises hold
  std::vector<double> sizes;    ///< sums of the magnitudes of terms
  std::vector<bool> subnormal;  ///< some operand is subnormal
};

class Trial {
 public:
  Trial(const std::vector<MatrixDesign>& designs, const Unit& unit, unsigned seed)
      : designs_(designs),
        unit_(unit),
        draw_(unit.frame.inputs, unit.frame.others, seed),
        building_(graph_) {
    const DotFormats& formats = unit.frame.inputs;
    const DotOperands in = dot_inputs(formats);
    for (const std::size_t d : unit.firsts) add(d, in);
    Bool holds = belong(InputClass::finite, formats, in);
    if (!unit.seconds.empty()) {
      const auto [operands, comparable] =
          counterpart(formats, in, unit.frame.others, Match::values);
      holds = holds && comparable;
      for (const std::size_t d : unit.seconds) add(d, operands);
    }
    for (const Expression& e : expressions_) roots_.push_back(e.result.id());
    roots_.push_back(holds.id());
    for (const DesignPair& p : unit.pairs) {
      const std::size_t x = expression_of_.at(p.first);
      const std::size_t y = expression_of_.at(p.second);
      if (x != y) seen_.try_emplace({std::min(x, y), std::max(x, y)});
    }
  }

  TrialResult run() {
    const BatchEvaluator evaluator(graph_, roots_);
    using Kind = CommonInputs::Kind;
    if (!seen_.empty()) {
      try_round(evaluator, Kind::ordinary);
      try_round(evaluator, Kind::both_signs);
    }
    for (int i = 0; !seen_.empty() && (i < kFewRounds || (i < kMostRounds && are_some_left()));
         ++i) {
      try_round(evaluator, i % 2 == 0 ? Kind::corners : Kind::powers);
    }
    return told();
  }

 private:
  void add(std::size_t design, const DotOperands& operands) {
    const Instruction i = in_frame(designs_[design], unit_.frame);
    const Int d = i.algorithm.build(i.formats, operands);
    const auto known = std::find_if(
        expressions_.begin(), expressions_.end(),
        [&](const Expression& e) { return e.result.same_as(d) && *e.d == *i.formats.d; });
    expression_of_[design] = static_cast<std::size_t>(known - expressions_.begin());
    if (known == expressions_.end()) {
      expressions_.push_back({i.formats.d, d, PatternValues(*i.formats.d)});
    }
  }

  bool are_some_left() const {
    return std::any_of(seen_.begin(), seen_.end(), [](const auto& s) { return !s.second.parted; });
  }

  void try_round(const BatchEvaluator& evaluator, CommonInputs::Kind kind) {
    rounds_.push_back({kind, Lanes(graph_.inputs().size(), kLanes), Lanes(roots_.size(), kLanes),
                       std::vector<double>(kLanes), std::vector<bool>(kLanes)});
    Round& round = rounds_.back();
    draw_.fill(kind, round.inputs);
    evaluator.evaluate(round.inputs, round.results, scratch_);
    std::vector<std::size_t> lanes;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      if (round.results[expressions_.size()][lane] == 0) continue;
      lanes.push_back(lane);
      round.sizes[lane] = draw_.size(round.inputs, lane);
      round.subnormal[lane] = draw_.has_subnormal(round.inputs, lane);
    }
    std::vector<std::vector<double>> values(expressions_.size(), std::vector<double>(kLanes));
    for (std::size_t e = 0; e < expressions_.size(); ++e) {
      for (const std::size_t lane : lanes) {
        values[e][lane] = expressions_[e].values(round.results[e][lane]);
      }
    }
    for (auto& [pair, seen] : seen_) {
      const std::vector<double>& x = values[pair.first];
      const std::vector<double>& y = values[pair.second];
      for (const std::size_t lane : lanes) {
        if (x[lane] == y[lane] || (std::isnan(x[lane]) && std::isnan(y[lane]))) continue;
        see(seen, pair, lane, x[lane], y[lane]);
      }
    }
  }

  void see(Seen& seen, const std::pair<std::size_t, std::size_t>& pair, std::size_t lane, double x,
           double y) {
    const Place here{rounds_.size() - 1, lane};
    const Round& round = rounds_.back();
    const bool finite = std::isfinite(x) && std::isfinite(y);
    const Takes takes = takes_of(round, pair, lane, x, y);
    if (!seen.parted || takes < seen.takes) {
      seen.takes = takes;
      seen.witness = here;
    }
    seen.parted = true;
    if (!finite) {
      seen.unbounded = true;
      return;
    }
    if (const double size = round.sizes[lane]; size > 0) {
      seen.relative = std::max(seen.relative, std::abs(x - y) / size);
    }
    const double steps = steps_between(round, pair, lane, x, y);
    if (steps > seen.worst_steps) {
      seen.worst_steps = steps;
      seen.worst = here;
    }
  }

  Takes takes_of(const Round& round, const std::pair<std::size_t, std::size_t>& pair,
                 std::size_t lane, double x, double y) const {
    const bool finite = std::isfinite(x) && std::isfinite(y);
    if (finite && round.kind == CommonInputs::Kind::ordinary) return Takes::ordinary;
    if (finite && round.kind == CommonInputs::Kind::both_signs) return Takes::both_signs;
    const auto is_subnormal = [&](std::size_t e) {
      return expressions_[e].values.is_subnormal(round.results[e][lane]);
    };
    return takes_of_corner(
        round.subnormal[lane] || is_subnormal(pair.first) || is_subnormal(pair.second),
        round.sizes[lane], x, y);
  }

  /// Approximates ulp_distance().
  double steps_between(const Round& round, const std::pair<std::size_t, std::size_t>& pair,
                       std::size_t lane, double x, double y) const {
    const Expression& first = expressions_[pair.first];
    if (*first.d == *expressions_[pair.second].d) {
      return std::abs(static_cast<double>(first.values.place(round.results[pair.first][lane])) -
                      static_cast<double>(first.values.place(round.results[pair.second][lane])));
    }
    const double most = std::max(std::abs(x), std::abs(y));
    return std::abs(x - y) / first.values.ulp(most);
  }

  TrialResult told() {
    TrialResult result;
    for (const auto& [design, e] : expression_of_) {
      const auto first = std::find_if(expression_of_.begin(), expression_of_.end(),
                                      [e = e](const auto& other) { return other.second == e; });
      result.same.push_back({design, first->first});
    }
    std::map<std::pair<std::size_t, std::size_t>, bool> open;  // whether it is one expression
    for (const DesignPair& p : unit_.pairs) {
      const std::size_t x = expression_of_.at(p.first);
      const std::size_t y = expression_of_.at(p.second);
      const std::pair key(std::min(x, y), std::max(x, y));
      if (x != y && seen_.at(key).parted) {
        result.decided.push_back({p, different(seen_.at(key), x, y)});
        continue;
      }
      const bool fresh = x != y && !open.contains(key);
      if (fresh) open[key] = are_one_expression(x, y);
      if (x == y || open.at(key)) {
        PairRow row;
        row.verdict = PairVerdict::equal;
        row.by = by(Justification::Kind::one_expression);
        result.decided.push_back({p, row});
      } else if (fresh) {
        result.open.push_back(p);
      }
    }
    return result;
  }

  bool are_one_expression(std::size_t x, std::size_t y) const {
    const Bool apart = differ({}, *expressions_[x].d, expressions_[x].result, *expressions_[y].d,
                              expressions_[y].result);
    return apart.same_as(false);
  }

  PairRow different(const Seen& seen, std::size_t x, std::size_t y) {
    PairRow row;
    row.verdict = PairVerdict::differ;
    row.by = "search";
    row.takes = seen.takes;
    row.unbounded = seen.unbounded;
    row.relative = seen.relative;
    row.witness = confirmed(seen.witness, x, y);
    row.ulp = row.witness->ulp;
    if (seen.worst_steps > 0 && seen.worst != seen.witness) {
      VectorRow worst = confirmed(seen.worst, x, y);
      if (worst.ulp != row.ulp) {
        row.ulp = worst.ulp;
        row.worst = std::move(worst);
      }
    }
    if (row.ulp == "inf") row.ulp = "0";  // the results never were two numbers
    return row;
  }

  /// Throws Contradiction unless the exact evaluator gives different values for the two, and the
  /// same values as the batch evaluator.
  VectorRow confirmed(const Place& place, std::size_t x, std::size_t y) {
    const Round& round = rounds_[place.round];
    InputValues inputs;
    for (std::size_t i = 0; i < round.inputs.rows(); ++i) {
      inputs.emplace_back(round.inputs[i][place.lane]);
    }
    const std::vector<Integer>& exact = exact_results(place, inputs);
    for (const std::size_t e : {x, y, expressions_.size()}) {
      if (exact[e] != Integer(round.results[e][place.lane])) {
        throw Contradiction("the batch evaluator and the exact one disagree on inputs of " +
                            designs_[unit_.pairs.at(0).first].names.at(0));
      }
    }
    const Format& f = *expressions_[x].d;
    const Format& g = *expressions_[y].d;
    if (!differ({}, f, exact[x], g, exact[y])) {
      throw Contradiction("results that differ as doubles are equal as values");
    }
    VectorRow row;
    row.values = dot_values(graph_, unit_.frame.inputs, inputs);
    row.d = exact[x];
    row.d_other = exact[y];
    const auto ulp = ulp_distance(f, exact[x], g, exact[y]);
    row.ulp = ulp ? ulp->str() : "inf";
    return row;
  }

  const std::vector<Integer>& exact_results(const Place& place, const InputValues& inputs) {
    const auto [entry, fresh] = exact_.try_emplace(place);
    if (!fresh) return entry->second;
    if (!evaluator_) {
      evaluator_.emplace(graph_, roots_);
      exact_scratch_ = evaluator_->scratch();
    }
    evaluator_->evaluate(inputs, exact_scratch_);
    for (const NodeId root : roots_) entry->second.push_back(exact_scratch_[root]);
    return entry->second;
  }

  const std::vector<MatrixDesign>& designs_;
  const Unit& unit_;
  CommonInputs draw_;
  Graph graph_;
  const Graph::Building building_;
  std::vector<Expression> expressions_;
  std::map<std::size_t, std::size_t> expression_of_;  ///< indexed by design
  std::vector<NodeId> roots_;                         ///< expressions, then the premises
  std::map<std::pair<std::size_t, std::size_t>, Seen> seen_;
  std::vector<Round> rounds_;
  BatchEvaluator::Scratch scratch_;
  std::optional<ExactEvaluator> evaluator_;
  ExactEvaluator::Values exact_scratch_;
  std::map<Place, std::vector<Integer>> exact_;
};

}  // namespace

Instruction in_frame(const MatrixDesign& design, const Frame& frame) {
  return chained(design.instruction, frame.inputs.k);
}

TrialResult try_inputs(const std::vector<MatrixDesign>& designs, const Unit& unit, unsigned seed) {
  return Trial(designs, unit, seed).run();
}

}  // namespace mmaspec
