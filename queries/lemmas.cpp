#include "queries/lemmas.h"

#include <algorithm>
#include <chrono>

#include "queries/difference.h"
#include "spec/formats/unpack.h"

namespace mmaspec {
namespace {

using Clock = std::chrono::steady_clock;

unsigned u(int n) { return static_cast<unsigned>(n); }

Int magnitude(const Format& f, Int pattern) { return bits(pattern, 0, u(f.sign_bit())); }

/// That the relation holds.
Bool holds(const Lemma& lemma, Int x, Int y) {
  switch (lemma.relation) {
    case Relation::equal:
      return x == y;
    case Relation::negated:
      return x == -y;
    case Relation::negated_pattern: {
      const Format& f = *lemma.pair.format;
      const Bool nan = unpack(f, x).is_nan;
      const Bool signs_differ = bit(x, u(f.sign_bit())) ^ bit(y, u(f.sign_bit()));
      return select(nan, x == y,
                    magnitude(f, x) == magnitude(f, y) && (magnitude(f, x) == 0 || signs_differ));
    }
    case Relation::ordered: {
      const Format& f = *lemma.pair.format;
      return unpack(f, x).is_nan || unpack(f, y).is_nan || place(f, x) <= place(f, y);
    }
  }
  throw std::logic_error("no such relation");
}

bool applies(Relation relation, const StagePair& pair) {
  return (relation == Relation::ordered || relation == Relation::negated_pattern) ==
         (pair.format != nullptr);
}

/// A pattern that is related so to `first`, but for the sign of a zero.
Int negative_of(const Format& f, Int first, NodeId second) {
  const Int m = magnitude(f, first);
  const Bool zero_sign = input("zero sign " + std::to_string(second), 1) == 1;
  const Bool sign = select(m == 0, zero_sign, !bit(first, u(f.sign_bit())));
  return select(unpack(f, first).is_nan, first, with_sign(f, sign, m));
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
    case Relation::negated_pattern:
      if (cut) copy.replace(y, negative_of(*lemma.pair.format, copy.integer(x), y));
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

std::vector<Lemma> prove_lemmas(const Graph& graph, const std::vector<StagePair>& pairs,
                                const std::vector<NodeId>& premises,
                                const std::vector<Relation>& relations, double seconds,
                                const Portfolio& solvers, std::vector<AttemptReport>& attempts) {
  const auto start = Clock::now();
  const auto left = [&] {
    return seconds - std::chrono::duration<double>(Clock::now() - start).count();
  };
  std::vector<Lemma> proved;
  for (const StagePair& pair : pairs) {
    if (pair.first == pair.second) continue;
    for (const Relation relation : relations) {
      if (!applies(relation, pair) || left() <= 0) continue;
      const Lemma lemma{pair, relation};
      Question question{&graph, premises};
      question.conditions.push_back(
          (!holds(lemma, Int::of(pair.first), Int::of(pair.second))).id());
      question.given = [&](Substitution& copy) { return apply(proved, false, graph, copy); };
      question.cuts = {[&](Substitution& copy) { return apply(proved, true, graph, copy); }};
      Strategies strategies;
      strategies.restrict = strategies.split = false;
      strategies.seconds = left();
      const Reply reply = ask(question, strategies, solvers);
      const std::string name = "lemma " + pair.name;
      attempts.push_back({name, reply.verdict, false,
                          reply.verdict == Verdict::unsatisfiable ? "proved" : "not proved",
                          reply.seconds, 0});
      if (reply.verdict != Verdict::unsatisfiable) continue;
      proved.push_back(lemma);
      break;
    }
  }
  return proved;
}

}  // namespace mmaspec
