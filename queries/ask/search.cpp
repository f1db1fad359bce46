#include "queries/ask/search.h"

#include <algorithm>

namespace mmaspec {
namespace {

/// Bits of all inputs together up to which they are enumerated: some ten seconds.
constexpr unsigned kFewSearchedBits = 27;

unsigned input_bits(const Graph& graph) {
  unsigned bits = 0;
  for (NodeId i : graph.inputs()) bits += graph[i].width;
  return bits;
}

}  // namespace

Search::Search(const Question& question, unsigned seed)
    : question_(question),
      draw_(question.candidates(seed)),
      evaluator_(*question.graph, question.conditions),
      inputs_(question.graph->inputs().size(), kLanes),
      holds_(question.conditions.size(), kLanes) {}

std::optional<InputValues> Search::run(std::size_t work, const Deadline& deadline) {
  const std::size_t each = evaluator_.operations() + question_.drawing * inputs_.rows();
  const std::size_t rounds = std::max<std::size_t>(work / each / kLanes, 1);
  for (std::size_t round = 0; round < rounds && !deadline.passed(); ++round) {
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

bool can_enumerate(const Question& question) {
  return input_bits(*question.graph) <= kFewSearchedBits;
}

Answer enumerate(const Question& question) {
  const Graph& graph = *question.graph;
  const std::vector<NodeId>& inputs = graph.inputs();
  const BatchEvaluator evaluator(graph, question.conditions);
  BatchEvaluator::Scratch scratch;
  const std::uint64_t count = std::uint64_t{1} << input_bits(graph);
  const std::size_t lanes = std::min<std::uint64_t>(count, 4 * BatchEvaluator::kBlock);
  Lanes values(inputs.size(), lanes);
  Lanes holds(question.conditions.size(), lanes);
  Answer answer;
  for (std::uint64_t first = 0; first < count; first += lanes) {
    unsigned low = 0;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const unsigned width = graph[inputs[i]].width;
      const std::uint64_t mask = (std::uint64_t{1} << width) - 1;
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        values[i][lane] = ((first + lane) >> low) & mask;
      }
      low += width;
    }
    evaluator.evaluate(values, holds, scratch);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      bool all = true;
      for (std::size_t r = 0; all && r < holds.rows(); ++r) all = holds[r][lane] != 0;
      if (!all) continue;
      answer.verdict = Verdict::satisfiable;
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        answer.model[graph.input_name(inputs[i])] = values[i][lane];
      }
      return answer;
    }
  }
  answer.verdict = Verdict::unsatisfiable;
  return answer;
}

}  // namespace mmaspec
