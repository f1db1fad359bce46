#include "queries/ask/search.h"

#include <algorithm>
#include <map>

#include "queries/ask/lemmas/known_bits.h"

namespace mmaspec {
namespace {

/// Largest number of bits, over all inputs, that is enumerated: about ten seconds.
constexpr unsigned kMostBits = 27;

/// Largest number of inputs for which fixed bits are computed.
constexpr std::size_t kMostInputs = 64;

constexpr std::size_t kManyOperands = 2048;  // above this, inputs are tried one block at a time

}  // namespace

std::size_t lanes_at_once(std::size_t operands) {
  return (operands < kManyOperands ? 4 : 1) * BatchEvaluator::kBlock;
}

Search::Search(const Question& question, unsigned seed)
    : question_(question),
      draw_(question.candidates(seed)),
      evaluator_(*question.graph, question.conditions),
      inputs_(question.graph->inputs().size(), lanes_at_once(question.graph->inputs().size())),
      holds_(question.conditions.size(), inputs_.lanes()) {}

std::optional<InputValues> Search::run(std::size_t work, const Deadline& deadline) {
  const std::size_t each = evaluator_.operations() + question_.drawing * inputs_.rows();
  const std::size_t rounds = std::max<std::size_t>(work / each / inputs_.lanes(), 1);
  for (std::size_t round = 0; round < rounds && !deadline.passed(); ++round) {
    draw_(inputs_);
    evaluator_.evaluate(inputs_, holds_, scratch_);
    for (std::size_t lane = 0; lane < inputs_.lanes(); ++lane) {
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

Enumeration::Enumeration(const Question& question, const Portfolio& solvers,
                         const Deadline& deadline)
    : question_(question), is_possible_(find_rows(solvers, deadline)) {}

bool Enumeration::find_rows(const Portfolio& solvers, const Deadline& deadline) {
  const Graph& graph = *question_.graph;
  std::vector<NodeId> used;
  for (const NodeId n : graph.cone(question_.conditions)) {
    if (graph[n].op == Op::input) used.push_back(n);
  }
  unsigned bits = 0;
  for (const NodeId i : used) bits += graph[i].width;
  std::map<NodeId, std::vector<NodeId>> alone;  // conditions that depend on one input only
  if (bits > kMostBits) {
    if (used.size() > kMostInputs) return false;
    for (const NodeId c : conjuncts(graph, question_.conditions)) {
      std::vector<NodeId> inputs;
      for (const NodeId n : graph.cone({c})) {
        if (graph[n].op == Op::input) inputs.push_back(n);
      }
      if (inputs.size() == 1) alone[inputs[0]].push_back(c);
    }
  }
  unsigned free = 0;
  for (const NodeId i : used) free += alone.contains(i) ? 0 : graph[i].width;
  rows_.assign(graph.inputs().size(), {});
  for (std::size_t r = 0; r < rows_.size() && free <= kMostBits; ++r) {
    const NodeId i = graph.inputs()[r];
    const unsigned width = graph[i].width;
    if (!std::binary_search(used.begin(), used.end(), i)) continue;
    if (width > 64) return false;
    std::uint64_t mask = 0;
    if (const auto own = alone.find(i); own != alone.end()) {
      for (const KnownBits& fixed : fixed_bits(graph, own->second, solvers, deadline)) {
        mask = fixed.mask.convert_to<std::uint64_t>();
        rows_[r].value = fixed.value.convert_to<std::uint64_t>();
      }
    }
    for (unsigned bit = 0; bit < width; ++bit) {
      if ((mask >> bit & 1) == 0) rows_[r].free.push_back(bit);
    }
    if (alone.contains(i)) free += static_cast<unsigned>(rows_[r].free.size());
  }
  bits_ = free;
  return free <= kMostBits;
}

std::size_t Enumeration::work() const {
  const BatchEvaluator evaluator(*question_.graph, question_.conditions);
  return evaluator.operations() << bits_;
}

Answer Enumeration::run(const Deadline& deadline) const {
  const Graph& graph = *question_.graph;
  const BatchEvaluator evaluator(graph, question_.conditions);
  BatchEvaluator::Scratch scratch;
  const std::uint64_t count = std::uint64_t{1} << bits_;
  const std::size_t lanes = std::min<std::uint64_t>(count, 4 * BatchEvaluator::kBlock);
  Lanes values(rows_.size(), lanes);
  Lanes holds(question_.conditions.size(), lanes);
  Answer answer;
  answer.solver = "enumeration";
  for (std::uint64_t first = 0; first < count; first += lanes) {
    if (deadline.passed()) {
      answer.reason = "out of time";
      return answer;
    }
    unsigned taken = 0;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      const Row& row = rows_[r];
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const std::uint64_t index = (first + lane) >> taken;
        std::uint64_t value = row.value;
        for (std::size_t j = 0; j < row.free.size(); ++j) value |= (index >> j & 1) << row.free[j];
        values[r][lane] = value;
      }
      taken += static_cast<unsigned>(row.free.size());
    }
    evaluator.evaluate(values, holds, scratch);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      bool all = true;
      for (std::size_t r = 0; all && r < holds.rows(); ++r) all = holds[r][lane] != 0;
      if (!all) continue;
      answer.verdict = Verdict::satisfiable;
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        answer.model[graph.input_name(graph.inputs()[i])] = values[i][lane];
      }
      return answer;
    }
  }
  answer.verdict = Verdict::unsatisfiable;
  return answer;
}

}  // namespace mmaspec
