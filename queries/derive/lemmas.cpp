#include "queries/derive/lemmas.h"

#include <algorithm>
#include <chrono>

#include "encoder/encode.h"
#include "queries/ask/buildable.h"
#include "queries/derive/term_abstraction.h"
#include "solver/ticker.h"
#include "spec/lang/bounds.h"

namespace mmaspec {
namespace {

using Clock = std::chrono::steady_clock;

/// The inputs on which the roots depend.
std::vector<NodeId> inputs_below(const Graph& graph, const std::vector<NodeId>& roots) {
  std::vector<NodeId> inputs;
  for (NodeId n : graph.cone(roots)) {
    if (graph[n].op == Op::input) inputs.push_back(n);
  }
  return inputs;
}

/// The conditions in a graph whose inputs are named by their order.
std::vector<NodeId> renamed(const Graph& from, const std::vector<NodeId>& conditions) {
  Substitution copy(from);
  int count = 0;
  for (NodeId i : inputs_below(from, conditions)) {
    copy.replace(i, input("v" + std::to_string(count++), from[i].width));
  }
  std::vector<NodeId> result;
  for (NodeId c : conditions) result.push_back(copy.boolean(c).id());
  for (Bool fact : copy.facts()) result.push_back(fact.id());
  return result;
}

Lemmas::Stated copies_of(const std::vector<NodeId>& conditions) {
  return [conditions](Substitution& copy) {
    std::vector<Bool> all;
    for (NodeId c : conditions) all.push_back(copy.boolean(c));
    return all;
  };
}

}  // namespace

bool Lemmas::is_unsat(const std::string& name, const Graph& graph,
                      const std::vector<NodeId>& conditions, const std::vector<NodeId>& premises,
                      const Change& cut, double seconds) {
  return is_unsat(name, graph, copies_of(conditions), premises, cut, false, seconds);
}

bool Lemmas::excluded_as_stated(const std::string& name, const Graph& graph,
                                const Stated& conditions, const std::vector<NodeId>& premises,
                                const Change& cut, double seconds) {
  return is_unsat(name, graph, conditions, premises, cut, false, seconds);
}

bool Lemmas::excluded_of_all(const std::string& name, const Graph& graph, NodeId condition,
                             const Change& cut, double seconds) {
  return is_unsat(name, graph, copies_of({condition}), {}, cut, true, seconds);
}

bool Lemmas::is_unsat(const std::string& name, const Graph& graph, const Stated& conditions,
                      const std::vector<NodeId>& premises, const Change& cut, bool of_all,
                      double seconds) {
  if (deadline_.passed()) return false;
  Graph graph_of_copy;
  const Graph::Building building(graph_of_copy);
  const Built<bool> is_proved = build_if_possible([&] {
    Substitution copy(graph);
    std::vector<Bool> holds;
    if (cut) holds = cut(copy);
    std::vector<NodeId> all;
    for (Bool c : conditions(copy)) all.push_back(c.id());
    // A fact holds if the variables have the values of the nodes that they replace.
    if (of_all && !copy.facts().empty()) return does_not_apply(name, "needs more than ranges");
    for (NodeId p : premises) holds.push_back(copy.boolean(p));
    holds.insert(holds.end(), copy.facts().begin(), copy.facts().end());
    const std::vector<NodeId> own = inputs_below(graph_of_copy, all);
    for (Bool b : holds) {
      const std::vector<NodeId> inputs = inputs_below(graph_of_copy, {b.id()});
      if (std::includes(own.begin(), own.end(), inputs.begin(), inputs.end())) {
        all.push_back(b.id());
      }
    }
    return ask_merged(name, graph_of_copy, all, seconds) || ask(name, graph_of_copy, all, seconds);
  });
  return is_proved.value ? *is_proved.value : does_not_apply(name, is_proved.why_not);
}

bool Lemmas::ask_merged(const std::string& name, const Graph& graph,
                        const std::vector<NodeId>& conditions, double seconds) {
  Graph graph_of_merged;
  const Graph::Building building(graph_of_merged);
  const auto merged = with_terms_merged(graph, conditions);
  return merged && ask(name, graph_of_merged, *merged, seconds);
}

bool Lemmas::does_not_apply(const std::string& name, const std::string& why) {
  AttemptReport report;
  report.name = "derive: " + name;
  report.outcome = "does not apply: " + why;
  attempts_.push_back(report);
  return false;
}

bool Lemmas::ask(const std::string& name, const Graph& graph, const std::vector<NodeId>& conditions,
                 double seconds) {
  const auto begin = Clock::now();
  Graph canonical;
  const Graph::Building building(canonical);
  const std::vector<NodeId> all = renamed(graph, conditions);
  const auto constant = [&](bool value) {
    return [&canonical, value](NodeId n) { return canonical[n].range == Range{value, value}; };
  };
  if (std::any_of(all.begin(), all.end(), constant(false))) return true;
  if (std::all_of(all.begin(), all.end(), constant(true))) return false;
  BvTerms terms;
  Encoder encoder(canonical, terms);
  Query query{&terms, {}};
  for (NodeId c : all) query.assertions.push_back(encoder.boolean(c));
  const std::string text = to_smtlib(query, false);
  const bool is_new = asked_.insert(text).second;
  AttemptReport report;
  const auto known = solvers_.known().of(text);
  // A formula is asked again if solvers had less time before.
  const double given = std::min({seconds, deadline_.left(), solvers_.limits().seconds});
  if (known && (known->verdict != Verdict::unknown || known->seconds >= given)) {
    const bool proved = known->verdict == Verdict::unsatisfiable;
    if (proved && is_new) {
      report.name = "derive: " + name;
      report.verdict = known->verdict;
      report.outcome = "proved before";
      report.proof = known->reason;
      attempts_.push_back(report);
    }
    return proved;
  }
  Ticker ticker(solvers_.progress(), "proving, lemma " + std::to_string(asked_.size()));
  ticker.tell();
  const Answer answer = decide_by(Deadline::in(given), query, solvers_);
  const bool proved = answer.verdict == Verdict::unsatisfiable;
  solvers_.known().add(text, {answer.verdict, given, answer.reason});
  report.name = "derive: " + name;
  report.verdict = proved ? Verdict::unsatisfiable : Verdict::unknown;
  report.outcome = proved                                   ? "proved by " + answer.solver
                   : answer.verdict == Verdict::satisfiable ? "not so"
                                                            : "not proved";
  report.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  if (proved) report.proof = answer.reason;
  attempts_.push_back(report);
  return proved;
}

}  // namespace mmaspec
