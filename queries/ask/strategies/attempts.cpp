#include "queries/ask/strategies/attempts.h"

#include <algorithm>

#include "concrete/evaluator.h"
#include "encoder/encode.h"
#include "queries/ask/budget.h"
#include "queries/ask/buildable.h"

namespace mmaspec {
namespace {

/// Width in bits above which a number spans a whole exponent range.
constexpr unsigned kWide = 140;

InputValues inputs_of(const Graph& graph, const std::map<std::string, Integer>& model) {
  InputValues values;
  for (NodeId i : graph.inputs()) {
    const auto it = model.find(graph.input_name(i));
    values.push_back(it == model.end() ? Integer(0) : it->second);
  }
  return values;
}

/// True if the model's inputs satisfy the conditions. An input that the model does not name is 0.
bool all_hold(const Graph& graph, const std::vector<NodeId>& conditions,
              const std::map<std::string, Integer>& model) {
  const ExactEvaluator evaluator(graph, conditions);
  ExactEvaluator::Values values = evaluator.scratch();
  try {
    evaluator.evaluate(inputs_of(graph, model), values);
  } catch (const ClaimViolated&) {
    return false;
  }
  return std::all_of(conditions.begin(), conditions.end(),
                     [&](NodeId c) { return values[c] != 0; });
}

/// A copy of a question in a separate graph, with some nodes replaced.
class Copy {
 public:
  /// `change` replaces nodes, and returns additional conditions.
  template <typename Change>
  Copy(const Question& question, const Change& change) : original_(question) {
    const Graph::Building building(graph_);
    Substitution copy(*question.graph);
    if (question.given) {
      for (Bool also : question.given(copy)) conditions_.push_back(also.id());
    }
    for (Bool also : change(copy)) conditions_.push_back(also.id());
    for (NodeId c : question.conditions) conditions_.push_back(copy.boolean(c).id());
    for (NodeId i : question.graph->inputs()) inputs_.push_back(copy.integer(i).id());
    for (Bool fact : copy.facts()) conditions_.push_back(fact.id());
  }

  Answer solve(const Backend& backend) const {
    BvTerms terms;
    Encoder encoder(graph_, terms);
    Query query{&terms, {}};
    for (NodeId c : conditions_) query.assertions.push_back(encoder.boolean(c));
    Answer answer = backend.solve(query);
    if (answer.verdict != Verdict::satisfiable) return answer;
    const bool is_of_copy = all_hold(graph_, conditions_, answer.model);
    answer.model = original_model(answer.model);
    if (original_.given && is_of_copy &&
        !all_hold(*original_.graph, original_.conditions, answer.model)) {
      // Facts that hold only under the conditions were substituted into the conditions too. If no
      // input satisfies the conditions, such facts are arbitrary.
      return {Verdict::unknown, {}, "", 0, "satisfies no constraint beyond the known ones"};
    }
    return answer;
  }

 private:
  /// The values of the original's inputs that correspond to a model of the copy.
  std::map<std::string, Integer> original_model(const std::map<std::string, Integer>& model) const {
    const ExactEvaluator evaluator(graph_, inputs_);
    ExactEvaluator::Values values = evaluator.scratch();
    evaluator.evaluate(inputs_of(graph_, model), values);
    std::map<std::string, Integer> result;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      result[original_.graph->input_name(original_.graph->inputs()[i])] = values[inputs_[i]];
    }
    return result;
  }

  const Question& original_;
  Graph graph_;
  std::vector<NodeId> conditions_;
  std::vector<NodeId> inputs_;  ///< copies of the original's
};

}  // namespace

Attempt Attempts::make(const std::string& strategy, const Backend& backend,
                       const Change& change) const {
  Attempt attempt;
  attempt.name = strategy.empty() ? backend.name() : strategy + ", " + backend.name();
  attempt.backend = backend.name();
  attempt.run = [this, &backend, change]() -> Answer {
    Built<Answer> answer =
        build_if_possible([&] { return Copy(question_, change).solve(backend); });
    if (answer.value) return *std::move(answer.value);
    return {Verdict::unknown, {}, "", 0, "does not apply: " + answer.why_not};
  };
  return attempt;
}

Attempt Attempts::whole(const Backend& backend) const {
  if (question_.given) {
    return make("", backend, [](Substitution&) { return std::vector<Bool>(); });
  }
  Attempt attempt;
  attempt.name = attempt.backend = backend.name();
  attempt.run = [this, &backend] {
    BvTerms terms;
    Encoder encoder(*question_.graph, terms);
    Query query{&terms, {}};
    for (NodeId c : question_.conditions) query.assertions.push_back(encoder.boolean(c));
    return backend.solve(query);
  };
  return attempt;
}

void Attempts::at_first(std::vector<Attempt>& all) const {
  for (const auto& backend : backends_) {
    if (backend->leads()) continue;
    all.push_back(whole(*backend));
    all.back().name += ", at first";
    all.back().seconds = budget::kBeforeStrategies;
  }
}

void Attempts::wholes(bool leading, std::vector<Attempt>& all) const {
  for (const auto& backend : backends_) {
    if (backend->leads() == leading) all.push_back(whole(*backend));
  }
}

std::vector<NodeId> Attempts::wide_conditions() const {
  const Graph& graph = *question_.graph;
  std::vector<NodeId> wide;
  for (NodeId c : question_.conditions) {
    for (NodeId n : graph.cone({c})) {
      if (is_boolean(graph[n].op) || width_of(graph[n].range) <= kWide) continue;
      wide.push_back(c);
      break;
    }
  }
  if (wide.size() == question_.conditions.size()) wide.clear();
  return wide;
}

void leave_out(const std::vector<NodeId>& conditions, Substitution& copy) {
  for (NodeId c : conditions) copy.replace(c, Bool(true));
}

}  // namespace mmaspec
