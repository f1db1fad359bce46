#include "queries/relations/derivation_goal.h"

#include <algorithm>
#include <set>

#include "concrete/batch/evaluator.h"
#include "queries/relations/candidate_invariants.h"
#include "spec/formats/text.h"
#include "spec/lang/bounds.h"

namespace mmaspec {

DerivationGoal goal_of(const Question& question) {
  const ComparedRuns& runs = question.compared.value();
  return {*runs.graph,   runs.first,
          runs.second,   runs.premises,
          runs.violated, samples_of(*runs.graph, runs.premises, question.candidates(0)),
          runs.result};
}

std::vector<InputValues> samples_of(const Graph& graph, const std::vector<NodeId>& conditions,
                                    const Candidates& draw) {
  constexpr std::size_t kSamples = 160;
  constexpr int kMostBlocks = 64;
  const BatchEvaluator evaluator(graph, conditions);
  BatchEvaluator::Scratch scratch;
  Lanes inputs(graph.inputs().size(), BatchEvaluator::kBlock);
  Lanes results(conditions.size(), BatchEvaluator::kBlock);
  std::vector<InputValues> samples;
  for (int i = 0; i < kMostBlocks && samples.size() < kSamples; ++i) {
    BuildBy::check();
    draw(inputs);
    evaluator.evaluate(inputs, results, scratch);
    for (std::size_t lane = 0; lane < inputs.lanes() && samples.size() < kSamples; ++lane) {
      bool all = true;
      for (std::size_t r = 0; r < results.rows(); ++r) all = all && results[r][lane] != 0;
      if (!all) continue;
      InputValues& sample = samples.emplace_back();
      for (std::size_t r = 0; r < inputs.rows(); ++r) sample.emplace_back(inputs[r][lane]);
    }
  }
  return samples;
}

std::vector<NodeId> roots_of(const DerivationGoal& claimed) {
  std::vector<NodeId> all = claimed.violated;
  all.insert(all.end(), claimed.premises.begin(), claimed.premises.end());
  all.insert(all.end(), {claimed.first, claimed.second});
  return all;
}

std::vector<NodeId> premises_of(const DerivationGoal& claimed, bool of_results) {
  std::set<NodeId> results{claimed.first, claimed.second};
  for (const Mark& m : claimed.graph.marks()) {
    if (m.role == MarkRole::sum || m.role == MarkRole::pattern) results.insert(m.node);
  }
  std::vector<NodeId> all = claimed.premises;
  std::erase_if(all, [&](NodeId p) {
    const std::vector<NodeId> cone = claimed.graph.cone({p});
    const bool late = std::any_of(cone.begin(), cone.end(), [&](NodeId n) {
      return results.contains(n) && claimed.graph[n].op != Op::input;
    });
    return late != of_results;
  });
  return all;
}

std::vector<bool> booleans_of(const Graph& graph, std::vector<NodeId> pending) {
  std::vector<bool> all(graph.size());
  while (!pending.empty()) {
    const NodeId n = pending.back();
    pending.pop_back();
    if (all[n] || !is_boolean(graph[n].op)) continue;
    all[n] = true;
    pending.insert(pending.end(), graph[n].args.begin(), graph[n].args.end());
  }
  return all;
}

std::vector<InputValues> without_nans(const DerivationGoal& claimed) {
  constexpr std::size_t kFew = 32;
  const SimulationSignatures sampled(claimed.graph, roots_of(claimed), claimed.samples);
  std::set<NodeId> patterns;
  for (const Mark& m : claimed.graph.marks()) {
    if (m.role == MarkRole::pattern && !sampled.values(m.node).empty()) patterns.insert(m.node);
  }
  std::vector<InputValues> kept;
  for (std::size_t i = 0; i < claimed.samples.size(); ++i) {
    if (std::none_of(patterns.begin(), patterns.end(), [&](NodeId n) {
          return decode(*claimed.result, sampled.values(n)[i]).is_nan;
        })) {
      kept.push_back(claimed.samples[i]);
    }
  }
  return kept.size() < kFew ? claimed.samples : kept;
}

}  // namespace mmaspec
