#include "queries/ask/lemmas/stages.h"

#include <algorithm>

#include "queries/ask/budget.h"
#include "queries/ask/dot_question.h"

namespace mmaspec {
namespace {

std::vector<NodeId> marked(const Graph& graph, std::string_view stage) {
  std::vector<NodeId> nodes;
  for (const Mark& m : graph.marks()) {
    if (m.stage == stage && m.role != MarkRole::largest_exponent) nodes.push_back(m.node);
  }
  return nodes;
}

/// The aligned products. The last term of each sum is c and is left out.
std::vector<NodeId> aligned_products(const Graph& graph) {
  std::vector<NodeId> nodes;
  const auto& marks = graph.marks();
  for (std::size_t i = 0; i + 1 < marks.size(); ++i) {
    if (marks[i].stage == "align" && marks[i].role != MarkRole::largest_exponent &&
        marks[i + 1].stage == "align") {
      nodes.push_back(marks[i].node);
    }
  }
  return nodes;
}

/// The two sums of two designs, if each design has exactly one.
std::optional<std::pair<NodeId, NodeId>> two_sums(const Graph& graph, const Runs& runs) {
  std::vector<NodeId> sums;
  for (const Mark& m : graph.marks()) {
    if (m.role == MarkRole::sum) sums.push_back(m.node);
  }
  if (sums.size() != 2 || !runs.of_two_designs) return {};
  return std::pair(sums[0], sums[1]);
}

/// Replaces two sums by one variable if one sum is the other times a power of two.
void cut_at_equal_sums(NodeId first, NodeId second, Substitution& copy) {
  constexpr unsigned kMostPlaces = 300;
  const Int x = copy.integer(first);
  const Int y = copy.integer(second);
  const auto variable = [](Int like) {
    const Range& r = like.range();
    return input("free sum", std::max(bit_length(r.high - r.low), 1U)) + r.low;
  };
  for (unsigned places = 0; places <= kMostPlaces; ++places) {
    const Integer factor = power_of_two(places);
    if (y.same_as(x * factor)) {
      const Int sum = variable(x);
      copy.replace(first, sum);
      copy.replace(second, sum * factor);
      return;
    }
    if (x.same_as(y * factor)) {
      const Int sum = variable(y);
      copy.replace(first, sum * factor);
      copy.replace(second, sum);
      return;
    }
  }
}

std::vector<StagePair> pairs_of(const Graph& graph, const Runs& runs) {
  const std::size_t half = graph.marks().size() / 2;
  std::vector<StagePair> pairs = stage_pairs(graph, 0, half, 2 * half, *runs.d);
  // Normalized values follow from the sum and are weaker: a cut there would lose the value of the
  // sum.
  std::erase_if(pairs, [](const StagePair& p) { return p.role == MarkRole::normalized; });
  return pairs;
}

}  // namespace

std::vector<Change> stage_cuts(const Graph& graph, const Runs& runs) {
  std::vector<Change> cuts;
  if (const auto sums = two_sums(graph, runs)) {
    cuts.push_back([sums](Substitution& copy) {
      cut_at_equal_sums(sums->first, sums->second, copy);
      return std::vector<Bool>();
    });
  }
  if (runs.of_two_designs) {
    const NodeId x = runs.results[0];
    const NodeId y = runs.results[1];
    cuts.push_back(havoc(graph, shared_frontier(graph, x, y)));
    cuts.push_back(havoc(graph, shared_dominators(graph, x, y)));
  }
  cuts.push_back(havoc(graph, marked(graph, "sum")));
  cuts.push_back(havoc(graph, marked(graph, "align")));
  cuts.push_back(set_free_within_reach(graph, aligned_products(graph)));
  return cuts;
}

bool depends_on_inputs_alone(const Graph& graph, const Runs& runs, NodeId condition) {
  const std::vector<NodeId> cone = graph.cone({condition});
  const std::vector<StagePair> pairs = pairs_of(graph, runs);
  return std::none_of(pairs.begin(), pairs.end(), [&](const StagePair& p) {
    return std::binary_search(cone.begin(), cone.end(), p.first) ||
           std::binary_search(cone.begin(), cone.end(), p.second);
  });
}

bool put_in_known_bits(Question& question, Graph& graph, const std::vector<NodeId>& where,
                       const Portfolio& solvers, const Deadline& deadline) {
  if (where.empty()) return false;
  const std::vector<KnownBits> fixed = fixed_bits(graph, where, solvers, deadline);
  if (fixed.empty()) return false;
  question.given = [fixed, &graph, also = std::move(question.given)](Substitution& copy) {
    put_in(fixed, graph, copy);
    return also ? also(copy) : std::vector<Bool>();
  };
  return true;
}

Reply ask_in_stages(Question question, const Runs& runs, const std::vector<NodeId>& lemma_premises,
                    const Strategies& strategies, const Portfolio& solvers) {
  const Graph& graph = *question.graph;
  std::vector<AttemptReport> attempts;
  std::vector<Lemma> lemmas;
  const bool may_need = !is_one_expression(question) && !solvers.backends().empty();
  if (may_need && strategies.uses(Strategy::cut) && runs.results.size() == 2) {
    Question base = question;
    base.conditions = lemma_premises;
    const auto relation = [&](const StagePair& pair) {
      return runs.relation ? runs.relation(pair) : Relation::equal;
    };
    lemmas = prove_lemmas(base, pairs_of(graph, runs), relation,
                          strategies.deadline.part(budget::kStageLemmasShare), solvers, attempts);
  }
  if (!lemmas.empty()) {
    const auto cut = [&](Substitution& copy) { return apply(lemmas, true, graph, copy); };
    question.cuts.insert(question.cuts.begin(), cut);
    question.cuts_at_lemmas = 1;
  }
  Reply reply = ask(question, strategies, solvers);
  reply.attempts.insert(reply.attempts.begin(), attempts.begin(), attempts.end());
  return reply;
}

}  // namespace mmaspec
