#include "queries/lemmas.h"

#include <algorithm>
#include <chrono>

#include "queries/difference.h"
#include "spec/formats/unpack.h"

namespace mmaspec {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kLemmaSearch = 20'000'000;  // operations
constexpr double kLemmaSeconds = 15;

unsigned u(int n) { return static_cast<unsigned>(n); }

Int magnitude(const Format& f, Int pattern) { return bits(pattern, 0, u(f.sign_bit())); }

/// That the relation holds.
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
      return !unpack(f, x).is_nan && !unpack(f, y).is_nan && place(f, x) <= place(f, y);
    }
  }
  throw std::logic_error("no such relation");
}

/// A pattern that is related so to `first`, but for the sign of a zero.
Int negative_of(const Format& f, Int first, NodeId second) {
  const Int m = magnitude(f, first);
  const Bool zero_sign = input("zero sign " + std::to_string(second), 1) == 1;
  return with_sign(f, select(m == 0, zero_sign, !bit(first, u(f.sign_bit()))), m);
}

/// Puts one lemma in; what is to be assumed with it, if anything.
void put_in(const Lemma& lemma, bool cut, const Graph& graph, Substitution& copy,
            std::vector<Bool>& assumed) {
  const NodeId x = lemma.pair.first;
  const NodeId y = lemma.pair.second;
  if (copy.determines(y)) return;
  if (cut) set_free(graph, x, copy);
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
      if (cut) set_free(graph, y, copy);
      assumed.push_back(holds(lemma, copy.integer(x), copy.integer(y)));
      break;
  }
}

}  // namespace

std::vector<StagePair> stage_pairs(const Graph& graph, std::size_t first_begin,
                                   std::size_t second_begin, std::size_t end,
                                   const Format& result) {
  std::vector<StagePair> pairs;
  const auto& marks = graph.marks();
  if (second_begin - first_begin != end - second_begin) return pairs;
  for (std::size_t i = first_begin; i < second_begin; ++i) {
    const Mark& x = marks[i];
    const Mark& y = marks[i + second_begin - first_begin];
    if (x.stage != y.stage || x.label != y.label) return {};
    const bool pattern = x.label.starts_with("pattern of ");
    pairs.push_back({x.stage + ": " + x.label, x.node, y.node, pattern ? &result : nullptr});
  }
  return pairs;
}

std::vector<Bool> apply(const std::vector<Lemma>& lemmas, bool cut, const Graph& graph,
                        Substitution& copy) {
  std::vector<Bool> assumed;
  for (const Lemma& lemma : lemmas) put_in(lemma, cut, graph, copy, assumed);
  return assumed;
}

std::vector<Lemma> prove_lemmas(const Question& base, const std::vector<StagePair>& pairs,
                                const std::function<Relation(const StagePair&)>& relation_of,
                                double seconds, const Portfolio& solvers,
                                std::vector<AttemptReport>& attempts) {
  const auto start = Clock::now();
  const auto left = [&] {
    return seconds - std::chrono::duration<double>(Clock::now() - start).count();
  };
  const Graph& graph = *base.graph;
  std::vector<Lemma> proved;
  for (const StagePair& pair : pairs) {
    if (pair.first == pair.second) continue;
    if (left() <= 0) break;
    const Lemma lemma{pair, relation_of(pair)};
    Question question = base;
    question.conditions.push_back((!holds(lemma, Int::of(pair.first), Int::of(pair.second))).id());
    question.given = [&](Substitution& copy) {
      std::vector<Bool> all = base.given ? base.given(copy) : std::vector<Bool>();
      const std::vector<Bool> more = apply(proved, false, graph, copy);
      all.insert(all.end(), more.begin(), more.end());
      return all;
    };
    question.cuts = {[&](Substitution& copy) { return apply(proved, true, graph, copy); }};
    question.restrictions.clear();
    Strategies strategies;
    strategies.split = false;
    strategies.search_work = kLemmaSearch;
    strategies.seconds = std::min(left(), kLemmaSeconds);
    const Reply reply = ask(question, strategies, solvers);
    const bool holds = reply.verdict == Verdict::unsatisfiable;
    attempts.push_back({"lemma " + pair.name, reply.verdict, false, holds ? "proved" : "not proved",
                        reply.seconds, 0});
    if (holds) proved.push_back(lemma);
  }
  return proved;
}

}  // namespace mmaspec
