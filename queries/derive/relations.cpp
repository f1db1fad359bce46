#include "queries/derive/relations.h"

#include <algorithm>
#include <utility>

#include "queries/ask/dot_question.h"
#include "queries/derive/maxima.h"
#include "queries/derive/node_relation.h"
#include "queries/derive/two_runs.h"
#include "spec/formats/text.h"
#include "spec/formats/unpack.h"
#include "spec/lang/linear.h"

namespace mmaspec {
namespace {

constexpr double kStepSeconds = 2;      // for a node that few know by name
constexpr double kPatternSeconds = 30;  // for a whole step
constexpr double kStageSeconds = 10;    // for one that is marked, and for the statement itself

/// Down to where a lemma looks.
enum class Depth {
  shared,   ///< what both sides have in common, or other nodes are functions of
  nearest,  ///< what other nodes are functions of
  stages,   ///< the same where either is marked
  inputs,
};

std::vector<NodeId> roots_of(const Claimed& claimed) {
  std::vector<NodeId> all = claimed.violated;
  all.insert(all.end(), claimed.premises.begin(), claimed.premises.end());
  return all;
}

class ByRelations {
 public:
  ByRelations(const Claimed& claimed, Lemmas& lemmas)
      : claimed_(claimed),
        graph_(claimed.graph),
        lemmas_(lemmas),
        sampled_(graph_, roots_of(claimed), claimed.samples),
        suggestions_(graph_, sampled_, *claimed.result) {
    of_first_.resize(graph_.size());
    relation_of_.resize(graph_.size());
    base_of_.resize(graph_.size());
    is_stage_.resize(graph_.size());
    is_pattern_.resize(graph_.size());
    for (const Mark& m : graph_.marks()) {
      is_stage_[m.node] = true;
      if (m.role == MarkRole::pattern) is_pattern_[m.node] = true;
    }
    for (NodeId p : claimed.premises) {
      const std::vector<NodeId> cone = graph_.cone({p});
      const bool of_results = std::binary_search(cone.begin(), cone.end(), claimed.first) ||
                              std::binary_search(cone.begin(), cone.end(), claimed.second);
      (of_results ? late_premises_ : premises_).push_back(p);
    }
    for (NodeId p : premises_) {
      std::vector<NodeId> inputs = graph_.cone({p});
      std::erase_if(inputs, [&](NodeId n) { return graph_[n].op != Op::input; });
      inputs_of_.push_back(std::move(inputs));
    }
    mark_stated();
  }

  bool derive() {
    for (NodeId n : graph_.cone({claimed_.first})) of_first_[n] = true;
    const std::vector<NodeId> second = graph_.cone({claimed_.second});
    in_steps_ =
        std::any_of(second.begin(), second.end(), [&](NodeId n) { return is_pattern_[n]; }) &&
        std::none_of(second.begin(), second.end(),
                     [&](NodeId n) { return !of_first_[n] && is_sum_of_many(n); });
    for (const NodeId n : sampled_.nodes()) {
      const Op op = graph_[n].op;
      if (op == Op::constant || op == Op::boolean) continue;
      if (of_first_[n]) suggestions_.keep(n);
      if (op == Op::input || is_stated_[n]) continue;
      if (is_pattern_[n]) learn_of_pattern(n);
      if (is_on_the_way(n)) {
        left_out_.push_back(n);
        continue;
      }
      const bool related =
          relate(n) || (is_pattern_[n] && !of_first_[n] && relate_left_out() && relate(n));
      if (related && is_sum_of_many(n) && follows_already()) return true;
      if (lemmas_.deadline().passed()) return false;
    }
    return follows() || (relate_left_out() && follows());
  }

  /// Terms of the second run are those of the first one, shifted to the right: of the first run
  /// they are to be shown to be shifted to the left.
  bool falls_the_other_way() const { return falls_the_other_way_; }

 private:
  /// Finds what the node is a function of.
  bool relate(NodeId n) {
    if (graph_[n].op == Op::maximum && graph_[n].args.size() > 2) {
      if (of_first_[n]) {
        maxima_.push_back(n);
      } else if (std::any_of(maxima_.begin(), maxima_.end(),
                             [&](NodeId m) { return bound(n, m); })) {
        if (relation_of_[n]->kind == NodeRelation::Kind::falls) {
          suggestions_.keep(relation_of_[n]->fall);
        }
        return true;
      }
    }
    const std::vector<NodeRelation> all = suggestions_.of(n);
    return std::any_of(all.begin(), all.end(), [&](const NodeRelation& r) {
      const bool constant = r.kind == NodeRelation::Kind::constant;
      return (constant ? is_of_one_product(n) : !of_first_[n]) && prove(r);
    });
  }

  /// On the way from a sum, or a pattern, to a pattern or the result: seldom needed, and each costs
  /// a query.
  bool is_on_the_way(NodeId n) const {
    if (of_first_[n] || is_pattern_[n]) return false;
    if (in_steps_) return n != claimed_.second && !is_of_one_product(n);
    bool sum = false;
    for (NodeId m : reached({n}, Depth::nearest)) {
      if (graph_[m].op == Op::input) return false;
      sum = sum || (m != n && is_sum_of_many(m) && is_variable(m, Depth::nearest));
    }
    return sum;
  }

  /// True if any of these were there.
  bool relate_left_out() {
    const std::vector<NodeId> all = std::exchange(left_out_, {});
    for (NodeId n : all) {
      if (lemmas_.deadline().passed()) return false;
      relate(n);
    }
    return !all.empty();
  }

  bool prove(const NodeRelation& r) {
    if (r.kind == NodeRelation::Kind::shifted && r.places > 0) falls_the_other_way_ = true;
    const Graph::Building building(graph_);
    const NodeId violated = (!holds(r, *claimed_.result)).id();
    const bool is_stage = is_stage_[r.node] || graph_[r.node].op == Op::maximum;
    const double seconds = is_pattern_[r.node] ? kPatternSeconds
                           : is_stage          ? kStageSeconds
                                               : kStepSeconds;
    const std::string name = text_of(r);
    const bool proved = is_sum_of_shifted(r) ||
                        (is_pattern_[r.node] && excluded_by_shared(name, violated, r)) ||
                        is_excluded(name, violated, is_stage || is_of_one_product(r.node), seconds);
    if (proved) keep(r);
    return proved;
  }

  /// Patterns on the way may be made of what both runs have in common.
  bool excluded_by_shared(const std::string& name, NodeId violated, const NodeRelation& r) {
    is_shared_.assign(graph_.size(), false);
    for (NodeId n : shared_frontier(graph_, r.base, r.node)) is_shared_[n] = true;
    return excluded(name, {violated}, Depth::shared, false, kStageSeconds);
  }

  /// At the depths that are worth it, the nearest first.
  bool is_excluded(const std::string& name, NodeId violated, bool to_the_inputs, double seconds) {
    return excluded(name, {violated}, Depth::nearest, false, seconds) ||
           excluded(name, {violated}, Depth::stages, false, seconds) ||
           (to_the_inputs && excluded(name, {violated}, Depth::inputs, false, seconds));
  }

  /// What relations of later patterns rest on.
  void learn_of_pattern(NodeId n) {
    const std::vector<Integer>& values = sampled_.values(n);
    const auto all = [&](const auto& holds) {
      return std::all_of(values.begin(), values.end(),
                         [&](const Integer& x) { return holds(decode(*claimed_.result, x)); });
    };
    const auto least = static_cast<unsigned>(claimed_.result->precision());
    if (!late_premises_.empty() && all([](const Decoded& x) { return x.is_finite(); })) {
      learn_that_finite(n);
    }
    if (all([&](const Decoded& x) {
          return !x.is_finite() || x.significand == 0 || bit_length(x.significand) >= least;
        })) {
      learn_that_not_subnormal(n);
    }
  }

  /// Whatever the patterns before it are.
  void learn_that_not_subnormal(NodeId n) {
    const Graph::Building building(graph_);
    const Unpacked x = unpack(*claimed_.result, Int::of(n));
    const Integer hidden = power_of_two(static_cast<unsigned>(claimed_.result->fraction_bits));
    const Bool subnormal = x.is_finite() && !x.is_zero() && x.significand < hidden;
    is_shared_.assign(graph_.size(), false);
    for (NodeId a : graph_.cone({n})) is_shared_[a] = a != n && is_pattern_[a];
    if (excluded("a pattern on the way is not subnormal", {subnormal.id()}, Depth::shared, false,
                 kStageSeconds)) {
      facts_.emplace_back(n, (!subnormal).id());
    }
  }

  /// A pattern on the way is finite where the premises say so of the results: whatever the
  /// arithmetic behind it makes of an infinity or a NaN.
  void learn_that_finite(NodeId n) {
    const Graph::Building building(graph_);
    const Bool finite = unpack(*claimed_.result, Int::of(n)).is_finite();
    std::vector<NodeId> conditions = late_premises_;
    conditions.push_back((!finite).id());
    std::vector<NodeId> arithmetic{n};
    for (NodeId a : graph_.cone(late_premises_)) {
      const Op op = graph_[a].op;
      if (op == Op::product || op == Op::shift_left || op == Op::floor_shift_right ||
          op == Op::bit_length) {
        arithmetic.push_back(a);
      }
    }
    const Change cut = [&](Substitution& copy) { return free_in_range(graph_, arithmetic, copy); };
    if (lemmas_.excluded("a pattern on the way is finite", graph_, conditions, premises_, cut,
                         kStepSeconds)) {
      facts_.emplace_back(n, finite.id());
    }
  }

  bool bound(NodeId n, NodeId base) {
    const Graph::Building building(graph_);
    const auto r = bound_by_members(n, base, sampled_, [&](const std::string& name, Bool violated) {
      return is_excluded(name, violated.id(), true, kStepSeconds);
    });
    if (r) keep(*r);
    return r.has_value();
  }

  void keep(const NodeRelation& r) {
    relation_of_[r.node] = r;
    if (r.kind != NodeRelation::Kind::constant) {
      const bool stage = is_stage_[r.node] || is_stage_[r.base];
      base_of_[r.base] = stage ? BaseOf::stage : std::max(base_of_[r.base], BaseOf::node);
    }
  }

  /// A sum of which each member is shifted alike, by linear arithmetic. Exactly so: no member is
  /// shifted to the right.
  bool is_sum_of_shifted(const NodeRelation& r) const {
    if (r.kind != NodeRelation::Kind::shifted || r.places > 0) return false;
    const LinearForm of_node = LinearForm::of(graph_, r.node);
    LinearForm of_base = LinearForm::of(graph_, r.base);
    LinearForm shifted(of_node.constant);
    for (const auto& [member, coefficient] : of_node.terms) {
      if (!is_related(member)) return false;
      const NodeRelation& m = *relation_of_[member];
      if (m.kind != NodeRelation::Kind::shifted || m.places > 0 || !(m.fall == r.fall)) {
        return false;
      }
      shifted.add(LinearForm::of(graph_, m.base), coefficient * m.factor);
    }
    shifted.add(of_base, -r.factor);
    return of_node.constant == 0 && shifted.is_constant() && shifted.constant == 0;
  }

  /// What premises say of the results of stages is not to be forgotten for following from them.
  void mark_stated() {
    is_stated_.resize(graph_.size());
    std::vector<NodeId> pending = late_premises_;
    while (!pending.empty()) {
      const NodeId n = pending.back();
      pending.pop_back();
      if (is_stated_[n] || !is_boolean(graph_[n].op)) continue;
      is_stated_[n] = true;
      pending.insert(pending.end(), graph_[n].args.begin(), graph_[n].args.end());
    }
  }

  /// It speaks of two operands at most: what class an operand is of, and not what becomes of sums.
  bool is_of_one_product(NodeId n) const {
    const std::vector<NodeId> cone = graph_.cone({n});
    return std::count_if(cone.begin(), cone.end(),
                         [&](NodeId x) { return graph_[x].op == Op::input; }) <= 2;
  }

  /// For people.
  std::string text_of(const NodeRelation& r) const {
    const auto node = [&](NodeId n) {
      for (const Mark& m : graph_.marks()) {
        if (m.node == n) return m.stage + " " + m.label;
      }
      return std::string(mmaspec::name(graph_[n].op)) + " " + std::to_string(n);
    };
    std::string text = node(r.node) + " is ";
    switch (r.kind) {
      case NodeRelation::Kind::constant:
        return text + r.constant.str();
      case NodeRelation::Kind::equal_pattern:
        return text + "the number " + node(r.base);
      case NodeRelation::Kind::negated_pattern:
        return text + "the negative of " + node(r.base);
      case NodeRelation::Kind::doubled_pattern:
        return text + "the double of " + node(r.base);
      case NodeRelation::Kind::falls:
        return text + "less than " + node(r.base) + " + " + r.fall.constant.str() +
               " by no more than " + std::to_string(r.fall.most);
      case NodeRelation::Kind::linear:
      case NodeRelation::Kind::shifted:
        break;
    }
    if (r.factor != 1) text += r.factor == -1 ? "-" : r.factor.str() + " ";
    text += node(r.base);
    if (r.kind == NodeRelation::Kind::shifted) text += " * 2^fall";
    if (r.places > 0) text += " / 2^" + std::to_string(r.places);
    if (r.constant != 0) text += " + " + r.constant.str();
    return text;
  }

  std::vector<NodeId> statement() const {
    std::vector<NodeId> all = claimed_.violated;
    all.insert(all.end(), late_premises_.begin(), late_premises_.end());
    return all;
  }

  /// Of more than two terms of either sign, as alignment leaves them.
  bool is_sum_of_many(NodeId n) const {
    const std::vector<NodeId>& terms = graph_[n].args;
    return graph_[n].op == Op::sum && std::count_if(terms.begin(), terms.end(), [&](NodeId t) {
                                        return graph_[t].range.low < 0;
                                      }) > 2;
  }

  /// Where of products of operands nothing is left to speak of, the statement may be asked at once.
  bool follows_already() {
    const std::vector<NodeId> left = reached(statement(), Depth::nearest);
    const bool products = std::any_of(left.begin(), left.end(), [&](NodeId n) {
      return graph_[n].op == Op::product && !is_variable(n, Depth::nearest);
    });
    return !products &&
           excluded("the statement", statement(), Depth::nearest, false, kStageSeconds);
  }

  /// The statement, from what was proved.
  bool follows() {
    const std::vector<NodeId> all = statement();
    for (const bool every : {false, true}) {
      for (const Depth depth : {Depth::nearest, Depth::stages, Depth::inputs}) {
        if (excluded("the statement", all, depth, every, kStageSeconds)) return true;
      }
    }
    return false;
  }

  bool excluded(const std::string& name, const std::vector<NodeId>& conditions, Depth depth,
                bool every_premise, double seconds) {
    std::vector<NodeId> below = reached(conditions, depth);
    std::sort(below.begin(), below.end());
    std::vector<NodeId> own;
    std::copy_if(below.begin(), below.end(), std::back_inserter(own),
                 [&](NodeId n) { return graph_[n].op == Op::input; });
    std::vector<NodeId> premises;
    for (std::size_t i = 0; i < premises_.size(); ++i) {
      const auto& inputs = inputs_of_[i];
      if (every_premise || std::includes(own.begin(), own.end(), inputs.begin(), inputs.end())) {
        premises.push_back(premises_[i]);
      }
    }
    const Change cut = [&](Substitution& copy) {
      std::vector<Bool> facts;
      // Premises keep all that they say: what follows from them is not put into them.
      Substitution of_premises(graph_);
      for (NodeId n : below) {
        if (is_variable(n, depth) && !copy.determines(n)) {
          facts.push_back(free_in_range(graph_, n, copy));
          if (is_boolean(graph_[n].op)) {
            of_premises.replace(n, copy.boolean(n));
          } else {
            of_premises.replace(n, copy.integer(n));
          }
        }
        if (is_related(n) && is_put_in(*relation_of_[n], depth)) {
          facts.push_back(put_in(*relation_of_[n], graph_, *claimed_.result, copy));
        }
      }
      for (const auto& [pattern, fact] : facts_) {
        if (std::binary_search(below.begin(), below.end(), pattern)) {
          facts.push_back(copy.boolean(fact));
        }
      }
      for (NodeId p : premises) facts.push_back(of_premises.boolean(p));
      facts.insert(facts.end(), of_premises.facts().begin(), of_premises.facts().end());
      return facts;
    };
    return lemmas_.excluded(name, graph_, conditions, {}, cut, seconds);
  }

  /// Others are functions of the node, and it becomes a variable.
  bool is_variable(NodeId n, Depth depth) const {
    if (n >= base_of_.size() || depth == Depth::inputs) return false;
    return base_of_[n] == BaseOf::stage || (depth == Depth::shared && is_shared_[n]) ||
           (depth != Depth::stages && base_of_[n] == BaseOf::node);
  }

  /// A bound is of use where a variable is bound.
  static bool is_put_in(const NodeRelation& r, Depth depth) {
    return r.kind != NodeRelation::Kind::falls || depth != Depth::inputs;
  }

  bool is_related(NodeId n) const { return n < relation_of_.size() && relation_of_[n]; }

  /// All nodes that a copy of the roots needs: past a related node its base, past a variable
  /// nothing.
  std::vector<NodeId> reached(std::vector<NodeId> pending, Depth depth) const {
    std::vector<NodeId> all;
    std::vector<bool> seen(graph_.size());
    while (!pending.empty()) {
      const NodeId n = pending.back();
      pending.pop_back();
      if (seen[n]) continue;
      seen[n] = true;
      all.push_back(n);
      if (is_related(n) && is_put_in(*relation_of_[n], depth)) {
        const NodeRelation& r = *relation_of_[n];
        if (r.kind != NodeRelation::Kind::constant) pending.push_back(r.base);
        if (r.kind == NodeRelation::Kind::shifted) {
          pending.insert(pending.end(), {r.fall.from, r.fall.to});
        }
      } else if (!is_variable(n, depth)) {
        pending.insert(pending.end(), graph_[n].args.begin(), graph_[n].args.end());
      }
    }
    return all;
  }

  enum class BaseOf : unsigned char { nothing, node, stage };

  bool falls_the_other_way_ = false;
  const Claimed claimed_;
  Graph& graph_;
  Lemmas& lemmas_;
  const SampledNodes sampled_;
  Suggestions suggestions_;
  std::vector<bool> of_first_;    ///< the first run's nodes
  std::vector<bool> is_shared_;   ///< by both sides of what is being asked
  bool in_steps_ = false;         ///< the second run goes from pattern to pattern by sums of two
  std::vector<NodeId> maxima_;    ///< the first run's, of many
  std::vector<NodeId> left_out_;  ///< the second run's, of what is on the way
  std::vector<bool> is_stage_;    ///< it is marked
  std::vector<bool> is_pattern_;  ///< as a pattern on the way
  std::vector<std::pair<NodeId, NodeId>> facts_;  ///< of patterns on the way
  std::vector<std::optional<NodeRelation>> relation_of_;
  std::vector<BaseOf> base_of_;
  std::vector<NodeId> premises_;                ///< of inputs alone
  std::vector<std::vector<NodeId>> inputs_of_;  ///< of each
  std::vector<NodeId> late_premises_;           ///< of results
  std::set<std::vector<NodeId>> tried_;         ///< variables of which the statement was asked
  std::vector<bool> is_stated_;                 ///< a Boolean that a late premise is made of
};

}  // namespace

std::vector<InputValues> samples_of(const Graph& graph, const std::vector<NodeId>& conditions,
                                    const Candidates& draw) {
  constexpr std::size_t kSamples = 160;
  constexpr int kMostBlocks = 64;
  const BatchEvaluator evaluator(graph, conditions);
  BatchEvaluator::Scratch scratch;
  Lanes inputs(graph.inputs().size(), BatchEvaluator::kBlock);
  Lanes results(conditions.size(), BatchEvaluator::kBlock);
  std::vector<InputValues> samples;
  for (int i = 0; i < kMostBlocks && samples.size() < kSamples; ++i) {
    draw(inputs);
    evaluator.evaluate(inputs, results, scratch);
    for (std::size_t lane = 0; lane < inputs.lanes() && samples.size() < kSamples; ++lane) {
      bool all = true;
      for (std::size_t r = 0; r < results.rows(); ++r) all = all && results[r][lane] != 0;
      if (!all) continue;
      InputValues& sample = samples.emplace_back();
      for (std::size_t r = 0; r < inputs.rows(); ++r) sample.emplace_back(inputs[r][lane]);
    }
  }
  return samples;
}

bool derive_by_relations(const Claimed& claimed, Lemmas& lemmas) {
  if (claimed.samples.empty()) return false;
  ByRelations forwards(claimed, lemmas);
  if (forwards.derive()) return true;
  if (!forwards.falls_the_other_way()) return false;
  Claimed swapped = claimed;
  std::swap(swapped.first, swapped.second);
  return ByRelations(swapped, lemmas).derive();
}

}  // namespace mmaspec
