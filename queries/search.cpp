#include "queries/search.h"

#include <algorithm>

namespace mmaspec {
namespace {

/// Operations that drawing one input is worth, about.
constexpr std::size_t kDrawing = 60;

}  // namespace

Search::Search(const Question& question, unsigned seed)
    : question_(question),
      draw_(question.candidates(seed)),
      evaluator_(*question.graph, question.conditions),
      inputs_(question.graph->inputs().size(), kLanes),
      holds_(question.conditions.size(), kLanes) {}

std::optional<InputValues> Search::run(std::size_t work) {
  const std::size_t each = evaluator_.operations() + kDrawing * inputs_.rows();
  const std::size_t rounds = std::max<std::size_t>(work / each / kLanes, 1);
  for (std::size_t round = 0; round < rounds; ++round) {
    draw_(inputs_);
    evaluator_.evaluate(inputs_, holds_, scratch_);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      ++tried_;
      bool all = true;
      for (std::size_t r = 0; all && r < holds_.rows(); ++r) all = holds_[r][lane] != 0;
      if (!all) continue;
      InputValues found;
      for (std::size_t i = 0; i < inputs_.rows(); ++i) found.emplace_back(inputs_[i][lane]);
      return found;
    }
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
