// Draws rows and selects those that fill the bins of cover points.
#include "queries/draw/test_rows.h"

#include <fmt/format.h>

#include <optional>
#include <stdexcept>

#include "concrete/batch/evaluator.h"
#include "queries/draw/fitting.h"
#include "queries/draw/samples.h"
#include "spec/parts/coverage.h"
#include "util/counted.h"

namespace mmaspec {
namespace {

constexpr std::size_t kLanes = 4 * BatchEvaluator::kBlock;
/// Drawn inputs for each row, while bins may still lack rows, and in all.
constexpr std::size_t kDrawsForBins = 32;
constexpr std::size_t kDraws = 256;

/// The design's result, the condition and the bins of operands as a program.
struct RowProgram {
  RowProgram(const Instruction& instruction, const TestRowsOptions& options, TestRows& result) {
    const Graph::Building building(graph);
    const DotFormats& f = instruction.formats;
    const DotOperands operands = dot_inputs(f);
    const Int d = instruction.algorithm.build(f, operands);
    const Bool holds = options.where ? options.where(f, operands, d) : Bool(true);
    std::vector<NodeId> roots{d.id(), holds.id()};
    if (!are_integers(f)) {
      for (const CoverPoint& p : cover_points(f, operands, d)) {
        result.points.push_back(
            {p.name, p.meaning, p.bins, std::vector<std::size_t>(p.bins.size())});
        roots.push_back(p.bin.id());
      }
    }
    evaluator.emplace(graph, roots);
    if (!options.where) return;
    std::vector<const Format*> formats(static_cast<std::size_t>(f.k), f.a);
    formats.insert(formats.end(), static_cast<std::size_t>(f.k), f.b);
    formats.push_back(f.c);
    formats.insert(formats.end(), 2 * static_cast<std::size_t>(f.scales()), f.scale);
    fitting.emplace(graph, std::vector<NodeId>{holds.id()}, formats, options.seed);
  }

  Graph graph;
  std::optional<BatchEvaluator> evaluator;
  std::optional<Fitting> fitting;
};

DotValues values_of_lane(const DotFormats& f, const Lanes& lanes, std::size_t lane) {
  DotValues values;
  std::size_t row = 0;
  const auto take = [&](std::vector<Integer>& into, int count) {
    for (int i = 0; i < count; ++i) into.emplace_back(lanes[row++][lane]);
  };
  take(values.a, f.k);
  take(values.b, f.k);
  values.c = lanes[row++][lane];
  take(values.scale_a, f.scales());
  take(values.scale_b, f.scales());
  return values;
}

}  // namespace

TestRows draw_test_rows(const Instruction& instruction, const TestRowsOptions& options) {
  TestRows result;
  RowProgram program(instruction, options, result);
  const DotFormats& f = instruction.formats;
  Sampler sampler(f, InputClass::any, options.seed);
  Lanes inputs(program.graph.inputs().size(), kLanes);
  Lanes results(2 + result.points.size(), kLanes);
  BatchEvaluator::Scratch scratch;
  // Each bin gets this many rows, if enough are drawn, before other rows are taken.
  const std::size_t quota = std::max<std::size_t>(1, options.count / (std::size_t{2} * kMostBins));
  for (std::size_t drawn = 0; result.rows.size() < options.count; drawn += kLanes) {
    if (drawn > kDraws * options.count + kLanes) {
      throw std::invalid_argument(
          fmt::format("--where: {} of {} drawn inputs satisfy it; --count {} needs more",
                      result.rows.size(), drawn, options.count));
    }
    sampler.fill(inputs);
    if (program.fitting) program.fitting->put_in(inputs);
    program.evaluator->evaluate(inputs, results, scratch);
    const bool only_for_bins = !result.points.empty() && drawn < kDrawsForBins * options.count;
    for (std::size_t lane = 0; lane < kLanes && result.rows.size() < options.count; ++lane) {
      if (results[1][lane] == 0) continue;
      std::vector<std::size_t> bins;
      bool is_wanted = !only_for_bins;
      for (std::size_t p = 0; p < result.points.size(); ++p) {
        bins.push_back(results[2 + p][lane]);
        is_wanted = is_wanted || result.points[p].hits.at(bins.back()) < quota;
      }
      if (!is_wanted) continue;
      for (std::size_t p = 0; p < bins.size(); ++p) ++result.points[p].hits[bins[p]];
      VectorRow row;
      row.instruction = instruction.name();
      row.values = values_of_lane(f, inputs, lane);
      row.d = Integer(results[0][lane]);
      result.rows.push_back({std::move(row), std::move(bins)});
    }
  }
  return result;
}

}  // namespace mmaspec
