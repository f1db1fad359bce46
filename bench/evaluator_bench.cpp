// Dot products per second: every distinct design of the catalogue on each instruction set (one
// thread, its own CPU time), the exact evaluator and the sampler beside them, and how one design
// scales with threads (real time).
//
//   evaluator_bench --benchmark_filter='batch/hopper/mma.m16n8k16.f32.f16.f16.f32/avx512'

#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <thread>

#include "concrete/batch/evaluator.h"
#include "concrete/dot/lane_runner.h"
#include "queries/audit/check.h"
#include "queries/draw/samples.h"

namespace mmaspec {
namespace {

constexpr std::size_t kLanes = 8 * BatchEvaluator::kBlock;

/// A design with inputs to run it on.
struct Case {
  explicit Case(const Instruction& instruction)
      : model(instruction.algorithm, instruction.formats),
        inputs(model.graph().inputs().size(), kLanes) {
    Sampler(instruction.formats, InputClass::any, 1).fill(inputs);
  }
  DotModel model;
  Lanes inputs;
};

void count(benchmark::State& state, std::size_t each) {
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) *
                          static_cast<std::int64_t>(each));
}

void run_batch(benchmark::State& state, const Instruction& instruction, BatchIsa isa) {
  const Case c(instruction);
  const BatchEvaluator evaluator(c.model.graph(), {c.model.result()}, isa);
  BatchEvaluator::Scratch scratch;
  Lanes results(1, kLanes);
  for (auto _ : state) {
    evaluator.evaluate(c.inputs, results, scratch);
    benchmark::DoNotOptimize(results[0]);
  }
  count(state, kLanes);
  state.counters["steps"] = static_cast<double>(evaluator.operations());
  state.counters["KiB"] = static_cast<double>(evaluator.working_set()) / 1024;
}

void run_threads(benchmark::State& state, const BatchEvaluator& evaluator, const Lanes& inputs) {
  BatchEvaluator::Scratch scratch;
  Lanes results(1, kLanes);
  for (auto _ : state) {
    evaluator.evaluate(inputs, results, scratch);
    benchmark::DoNotOptimize(results[0]);
  }
  count(state, kLanes);
}

/// Products a second of an instruction, and of plans of it: what a plan costs beside its steps.
void run_products(benchmark::State& state, const Instruction& instruction) {
  LaneRunner runner(instruction.algorithm, instruction.formats);
  const DotFormats& f = instruction.formats;
  constexpr std::size_t kPlanLanes = 2 * BatchEvaluator::kBlock;
  Lanes inputs(static_cast<std::size_t>(2 * f.k + 1 + 2 * f.scales()), kPlanLanes);
  Sampler(f, InputClass::any, 1).fill(inputs);
  Lanes results(1, kPlanLanes);
  for (auto _ : state) {
    runner.run(inputs, results);
    benchmark::DoNotOptimize(results[0]);
  }
  count(state, kPlanLanes * static_cast<std::size_t>(f.k));
}

void run_exact(benchmark::State& state, const Instruction& instruction) {
  const DotModel model(instruction.algorithm, instruction.formats);
  Sampler sampler(instruction.formats, InputClass::any, 1);
  std::vector<DotValues> values;
  for (int i = 0; i < 256; ++i) values.push_back(sampler.next());
  ExactEvaluator::Values scratch = model.evaluator().scratch();
  for (auto _ : state) {
    for (const DotValues& v : values) benchmark::DoNotOptimize(model.run(v, scratch));
  }
  count(state, values.size());
}

void run_sampler(benchmark::State& state, const Instruction& instruction) {
  Sampler sampler(instruction.formats, InputClass::any, 1);
  Case c(instruction);
  for (auto _ : state) {
    sampler.fill(c.inputs);
    benchmark::DoNotOptimize(c.inputs[0]);
  }
  count(state, kLanes);
}

void run_compile(benchmark::State& state, const Instruction& instruction) {
  const DotModel model(instruction.algorithm, instruction.formats);
  for (auto _ : state) {
    benchmark::DoNotOptimize(BatchEvaluator(model.graph(), {model.result()}).operations());
  }
}

void register_threads(const Instruction& instruction) {
  const auto c = std::make_shared<Case>(instruction);
  const auto evaluator =
      std::make_shared<BatchEvaluator>(c->model.graph(), std::vector<NodeId>{c->model.result()});
  benchmark::RegisterBenchmark(
      ("threads/" + instruction.name()).c_str(),
      [c, evaluator](benchmark::State& state) { run_threads(state, *evaluator, c->inputs); })
      ->ThreadRange(1, static_cast<int>(std::max(1U, std::thread::hardware_concurrency())))
      ->UseRealTime()
      ->Unit(benchmark::kMicrosecond);
}

void register_all() {
  static const std::vector<Instruction> designs = distinct(catalogue());
  for (const Instruction& i : designs) {
    for (BatchIsa isa : batch_isas()) {
      benchmark::RegisterBenchmark(
          ("batch/" + i.name() + "/" + std::string(to_string(isa))).c_str(),
          [&i, isa](benchmark::State& state) { run_batch(state, i, isa); })
          ->MinTime(0.05)
          ->Unit(benchmark::kMicrosecond);
    }
  }
  static const Instruction usual = find_instruction("hopper/mma.m16n8k16.f32.f16.f16.f32");
  benchmark::RegisterBenchmark(("exact/" + usual.name()).c_str(),
                               [](benchmark::State& state) { run_exact(state, usual); });
  benchmark::RegisterBenchmark(("sampler/" + usual.name()).c_str(),
                               [](benchmark::State& state) { run_sampler(state, usual); });
  benchmark::RegisterBenchmark(("compile/" + usual.name()).c_str(),
                               [](benchmark::State& state) { run_compile(state, usual); });
  register_threads(usual);
  static const std::vector<Instruction> plans = [] {
    std::vector<Instruction> all{usual};
    for (const char* plan : {"chain(%,k=4096)", "promote(%,k=4096,every=128)",
                             "split-k(%,k=4096,parts=4)", "epilogue(%,k=4096,out=bf16)"}) {
      std::string name = plan;
      name.replace(name.find('%'), 1, usual.name());
      all.push_back(find_instruction("plan:" + name));
    }
    return all;
  }();
  for (const Instruction& i : plans) {
    benchmark::RegisterBenchmark(("products/" + i.name()).c_str(),
                                 [&i](benchmark::State& state) { run_products(state, i); })
        ->MinTime(0.2)
        ->Unit(benchmark::kMicrosecond);
  }
}

}  // namespace
}  // namespace mmaspec

int main(int argc, char** argv) {
  mmaspec::register_all();  // not before main(): the catalogue is there only now
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
