#include "queries/ask/lemmas/lemmas.h"

#include <algorithm>
#include <chrono>
#include <map>

#include "queries/ask/budget.h"
#include "queries/ask/dot_question.h"
#include "queries/ask/lemmas/known_bits.h"
#include "queries/numbers/difference.h"
#include "spec/formats/unpack.h"
#include "util/unsigned.h"

namespace mmaspec {
namespace {

using Clock = std::chrono::steady_clock;

Int magnitude(const Format& f, Int pattern) { return bits(pattern, 0, u(f.sign_bit())); }

/// The statement that the relation holds.
Bool holds(const Lemma& lemma, Int x, Int y) {
  switch (lemma.relation) {
    case Relation::equal:
      return x == y;
    case Relation::negated:
      return x == -y;
    case Relation::next:
      return y == x + 1;
    case Relation::negated_pattern: {
      const Format& f = *lemma.pair.format;
      const Bool signs_differ = bit(x, u(f.sign_bit())) ^ bit(y, u(f.sign_bit()));
      return !unpack(f, x).is_nan && magnitude(f, x) == magnitude(f, y) &&
             (magnitude(f, x) == 0 || signs_differ);
    }
    case Relation::ordered: {
      const Format& f = *lemma.pair.format;
      return !unpack(f, x).is_nan && !unpack(f, y).is_nan && ordinal(f, x) <= ordinal(f, y);
    }
  }
  throw std::logic_error("no such relation");
}

/// The pattern with the opposite sign of `first`, except that the sign of a zero is free.
Int negative_of(const Format& f, Int first, NodeId second) {
  const Int m = magnitude(f, first);
  const Bool zero_sign = input("zero sign " + std::to_string(second), 1) == 1;
  return with_sign(f, select(m == 0, zero_sign, !bit(first, u(f.sign_bit()))), m);
}

/// Substitutes one lemma in a copy, and adds to `assumed` what must be assumed with it.
void put_in(const Lemma& lemma, bool cut, const Graph& graph, Substitution& copy,
            std::vector<Bool>& assumed) {
  const NodeId x = lemma.pair.first;
  const NodeId y = lemma.pair.second;
  if (copy.determines(y)) return;
  if (cut) havoc(graph, x, copy);
  switch (lemma.relation) {
    case Relation::equal:
      copy.replace(y, copy.integer(x));
      break;
    case Relation::negated:
      copy.replace(y, -copy.integer(x));
      break;
    case Relation::next:
      copy.replace(y, copy.integer(x) + 1);
      break;
    case Relation::negated_pattern:
      if (!cut) break;
      assumed.push_back(!unpack(*lemma.pair.format, copy.integer(x)).is_nan);
      copy.replace(y, negative_of(*lemma.pair.format, copy.integer(x), y));
      break;
    case Relation::ordered:
      if (cut) havoc(graph, y, copy);
      assumed.push_back(holds(lemma, copy.integer(x), copy.integer(y)));
      break;
  }
}

}  // namespace

namespace {

/// Pairs of patterns with the same label, for executions whose other marks differ.
std::vector<StagePair> patterns_of_equal_label(const Graph& graph, const Format& result) {
  std::map<std::string, std::vector<NodeId>> patterns;
  for (const Mark& m : graph.marks()) {
    if (m.role == MarkRole::pattern) {
      patterns[std::string(m.stage) + ": " + std::string(m.label)].push_back(m.node);
    }
  }
  std::vector<StagePair> pairs;
  for (const auto& [name, nodes] : patterns) {
    if (nodes.size() == 2) pairs.push_back({name, nodes[0], nodes[1], MarkRole::pattern, &result});
  }
  std::sort(pairs.begin(), pairs.end(),
            [](const StagePair& x, const StagePair& y) { return x.second < y.second; });
  return pairs;
}

}  // namespace

std::vector<StagePair> stage_pairs(const Graph& graph, std::size_t first_begin,
                                   std::size_t second_begin, std::size_t end,
                                   const Format& result) {
  std::vector<StagePair> pairs;
  const auto& marks = graph.marks();
  if (second_begin - first_begin != end - second_begin) {
    return patterns_of_equal_label(graph, result);
  }
  for (std::size_t i = first_begin; i < second_begin; ++i) {
    const Mark& x = marks[i];
    const Mark& y = marks[i + second_begin - first_begin];
    if (x.stage != y.stage || x.label != y.label) return patterns_of_equal_label(graph, result);
    const bool pattern = x.role == MarkRole::pattern;
    pairs.push_back(
        {x.stage + ": " + x.label, x.node, y.node, x.role, pattern ? &result : nullptr});
  }
  return pairs;
}

std::vector<Bool> apply(const std::vector<Lemma>& lemmas, bool cut, const Graph& graph,
                        Substitution& copy) {
  std::vector<Bool> assumed;
  for (const Lemma& lemma : lemmas) put_in(lemma, cut, graph, copy, assumed);
  return assumed;
}

namespace {

/// The inputs on which `root` depends, except through `stops`. `stops` must be sorted.
std::vector<NodeId> inputs_of(const Graph& graph, NodeId root, const std::vector<NodeId>& stops) {
  std::vector<NodeId> inputs;
  std::vector<bool> seen(graph.size());
  std::vector<NodeId> pending{root};
  while (!pending.empty()) {
    const NodeId n = pending.back();
    pending.pop_back();
    if (seen[n] || std::binary_search(stops.begin(), stops.end(), n)) continue;
    seen[n] = true;
    if (graph[n].op == Op::input) inputs.push_back(n);
    pending.insert(pending.end(), graph[n].args.begin(), graph[n].args.end());
  }
  std::sort(inputs.begin(), inputs.end());
  return inputs;
}

/// Proves relations between two executions, one after another.
class StageLemmas {
 public:
  StageLemmas(const Question& base, const Deadline& deadline, const Portfolio& solvers,
              std::vector<AttemptReport>& attempts)
      : base_(base),
        graph_(*base.graph),
        deadline_(deadline),
        solvers_(solvers),
        attempts_(attempts),
        premises_(conjuncts(graph_, base.conditions)) {}

  void prove(const StagePair& pair, Relation relation) {
    const Lemma lemma{pair, relation};
    const NodeId x = pair.first;
    const NodeId y = pair.second;
    const bool maxima = graph_[x].op == Op::maximum && graph_[y].op == Op::maximum &&
                        graph_[x].args.size() == graph_[y].args.size();
    const bool proved =
        relation == Relation::next && maxima
            ? next_maximum(pair)
            : holds_always("lemma " + pair.name, holds(lemma, Int::of(x), Int::of(y)), pair);
    if (!proved) return;
    proved_.push_back(lemma);
    stops_.insert(stops_.end(), {x, y});
    std::sort(stops_.begin(), stops_.end());
  }

  std::vector<Lemma> proved() const { return proved_; }

 private:
  /// Proves max(second) = max(first) + 1 from the members: each member is larger by one in the
  /// second, or is at most the smallest value of the maximum in both; and some member is of the
  /// first kind.
  bool next_maximum(const StagePair& pair) {
    const Node& x = graph_[pair.first];
    const Node& y = graph_[pair.second];
    const Integer least = std::min(x.range.low, y.range.low);
    std::vector<Bool> larger;
    for (std::size_t i = 0; i < x.args.size(); ++i) {
      const Int m = Int::of(x.args[i]);
      const Int n = Int::of(y.args[i]);
      larger.push_back(n == m + 1 && m >= least);
      const std::string name = "lemma " + pair.name + ", member " + std::to_string(i);
      if (!holds_always(name, larger.back() || (m <= least && n <= least))) return false;
    }
    return holds_always("lemma " + pair.name + ", some member", any_of(larger));
  }

  bool holds_always(const std::string& name, Bool statement, const StagePair& pair = {}) {
    if (deadline_.passed()) return false;
    const auto begin = Clock::now();
    const NodeId violated = (!statement).id();
    // First try without premises about other inputs, which are seldom needed.
    const std::vector<NodeId> own = inputs_of(graph_, violated, stops_);
    std::vector<NodeId> near;
    for (NodeId p : premises_) {
      const std::vector<NodeId> inputs = inputs_of(graph_, p, {});
      if (std::includes(own.begin(), own.end(), inputs.begin(), inputs.end())) near.push_back(p);
    }
    bool proved = false;
    proof_.clear();
    // Common subexpressions of both.
    std::vector<NodeId> shared;
    if (pair.format != nullptr) shared = shared_dominators(graph_, pair.first, pair.second);
    if (near.size() < premises_.size()) proved = ask_whether(violated, near, shared, false);
    if (!proved) proved = ask_whether(violated, premises_, shared, true);
    attempts_.push_back({name, proved ? Verdict::unsatisfiable : Verdict::unknown, false,
                         proved ? "proved" : "not proved",
                         std::chrono::duration<double>(Clock::now() - begin).count(), 0, proof_});
    return proved;
  }

  bool ask_whether(NodeId violated, const std::vector<NodeId>& premises,
                   const std::vector<NodeId>& shared, bool all) {
    Question question = base_;
    question.conditions = premises;
    question.conditions.push_back(violated);
    question.given = [&](Substitution& copy) {
      std::vector<Bool> known = base_.given ? base_.given(copy) : std::vector<Bool>();
      const std::vector<Bool> more = apply(proved_, false, graph_, copy);
      known.insert(known.end(), more.begin(), more.end());
      return known;
    };
    question.cuts = {[&](Substitution& copy) { return apply(proved_, true, graph_, copy); }};
    if (!shared.empty()) question.cuts.push_back(havoc(graph_, shared));
    question.restrictions.clear();
    if (!all) question.candidates = {};
    Strategies strategies;
    strategies.set(Strategy::split, false);
    strategies.search_work = budget::kStageLemmaSearch;
    strategies.deadline =
        earlier(deadline_, Deadline::in(all ? budget::kStageLemma : budget::kStageLemma / 4));
    const Reply reply = ask(question, strategies, solvers_);
    if (reply.verdict != Verdict::unsatisfiable) return false;
    for (const AttemptReport& a : reply.attempts) {
      if (!a.proof.empty()) proof_ += (proof_.empty() ? "" : ", ") + a.proof;
    }
    return true;
  }

  const Question& base_;
  const Graph& graph_;
  const Deadline deadline_;
  const Portfolio& solvers_;
  std::vector<AttemptReport>& attempts_;
  std::vector<NodeId> premises_;
  std::vector<Lemma> proved_;
  std::string proof_;          ///< of the last attempt, if it succeeded
  std::vector<NodeId> stops_;  ///< nodes that proved lemmas relate, ascending
};

}  // namespace

std::vector<Lemma> prove_lemmas(const Question& base, const std::vector<StagePair>& pairs,
                                const std::function<Relation(const StagePair&)>& relation_of,
                                const Deadline& deadline, const Portfolio& solvers,
                                std::vector<AttemptReport>& attempts) {
  StageLemmas lemmas(base, deadline, solvers, attempts);
  for (const StagePair& pair : pairs) {
    if (pair.first == pair.second) continue;
    if (deadline.passed()) break;
    lemmas.prove(pair, relation_of(pair));
  }
  return lemmas.proved();
}

}  // namespace mmaspec
