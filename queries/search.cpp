#include "queries/search.h"

#include <algorithm>

namespace mmaspec {

Search::Search(const Question& question, unsigned seed)
    : question_(question),
      draw_(question.candidates(seed)),
      evaluator_(*question.graph, question.conditions),
      values_(evaluator_.scratch()) {}

bool Search::holds(const InputValues& candidate) {
  evaluator_.evaluate(candidate, values_);
  return std::all_of(question_.conditions.begin(), question_.conditions.end(),
                     [&](NodeId c) { return values_[c] != 0; });
}

std::optional<InputValues> Search::run(std::size_t work) {
  const std::size_t nodes = std::max<std::size_t>(evaluator_.nodes().size(), 1);
  for (std::size_t i = 0; i < std::max<std::size_t>(work / nodes, 1); ++i) {
    InputValues candidate = draw_();
    ++tried_;
    if (holds(candidate)) return candidate;
  }
  return std::nullopt;
}

Answer Search::answer(const InputValues& found) const {
  Answer answer;
  answer.verdict = Verdict::satisfiable;
  for (std::size_t i = 0; i < found.size(); ++i) {
    answer.model[question_.graph->input_name(question_.graph->inputs()[i])] = found[i];
  }
  return answer;
}

}  // namespace mmaspec
