// Measures dot products per second: every distinct design of the catalogue on each instruction set
// (one thread, CPU time), the exact evaluator and the sampler for comparison, and the scaling of
// one design with threads (wall time).
//
//   evaluator_bench --benchmark_filter='batch/hopper/mma.m16n8k16.f32.f16.f16.f32/avx512'

#include <benchmark/benchmark.h>

#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "concrete/batch/evaluator.h"
#include "concrete/device/runner.h"
#include "concrete/dot/lane_runner.h"
#include "concrete/dot/runner.h"
#include "concrete/matrix/aligned_tiles.h"
#include "concrete/matrix/matrix.h"
#include "queries/audit/check.h"
#include "queries/compare/compare.h"
#include "queries/draw/samples.h"

namespace mmaspec {
namespace {

/// Few enough that a cache of 512 KiB holds the operands of 16 products and the results.
constexpr std::size_t kLanes = 4 * BatchEvaluator::kBlock;

/// A design with inputs.
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

/// Whole matrices with M = N = 256 and K = 1024 (or one dot product if the design cannot be
/// chained) computed by `run`, packing included. Items are dot products with the instruction's own
/// K. `run` must have been called once before, because devices compile kernels in the first call.
using RunTasks = std::function<void(const std::vector<MatrixTask>&)>;
void run_matrix(benchmark::State& state, const Instruction& instruction,
                const std::function<RunTasks(const Instruction& whole)>& prepare) {
  constexpr std::size_t kSide = 256;
  constexpr std::size_t kLength = 1024;
  const Instruction whole = for_matrices(instruction, kLength);
  const RunTasks run = prepare(whole);
  const DotFormats& f = whole.formats;
  const auto k = static_cast<std::size_t>(f.k);
  Sampler sampler(instruction.formats, InputClass::any, 1);
  const auto words = [](const Format& format) {
    return format.storage_bits <= 8 ? 1U : static_cast<unsigned>(format.storage_bits) / 8;
  };
  std::vector<std::uint64_t> space(kSide * k * 2 + kSide * kSide * 2);
  const auto matrix = [&](std::size_t at, std::size_t rows, std::size_t columns, unsigned bytes) {
    const auto step = static_cast<std::ptrdiff_t>(bytes);
    return PatternSpan{reinterpret_cast<std::byte*>(space.data() + at), bytes, rows, columns,
                       step * static_cast<std::ptrdiff_t>(columns),     step};
  };
  const PatternSpan a = matrix(0, kSide, k, words(*f.a));
  const PatternSpan b = matrix(kSide * k, k, kSide, words(*f.b));
  const PatternSpan c = matrix(2 * kSide * k, kSide, kSide, words(*f.c));
  const PatternSpan d = matrix(2 * kSide * k + kSide * kSide, kSide, kSide, words(*f.d));
  const auto put = [](const PatternSpan& to, std::size_t row, std::size_t column,
                      const Integer& x) {
    const auto value = x.convert_to<std::uint64_t>();
    std::memcpy(to.at(row, column), &value, to.bytes);
  };
  DotValues values;
  const auto own = static_cast<std::size_t>(instruction.formats.k);
  for (std::size_t i = 0; i < kSide; ++i) {
    for (std::size_t j = 0; j < k; ++j) {
      if (j % own == 0) values = sampler.next();
      put(a, i, j, values.a[j % own]);
      put(b, j, i, values.b[j % own]);
      if (j < kSide) put(c, i, j, values.c);
    }
  }
  const auto view = [](const PatternSpan& s) {
    return PatternView{s.data, s.bytes, s.rows, s.columns, s.row_step, s.column_step};
  };
  const std::vector<MatrixTask> task{{{view(a), view(b), view(c), {}, {}}, d}};
  run(task);
  for (auto _ : state) {
    run(task);
    benchmark::DoNotOptimize(space.data());
  }
  count(state, kSide * kSide * (k / own));
}

/// With this number of threads (0: one for each core).
RunTasks on_host(const Instruction& whole, aligned::Isa isa, int threads) {
  const auto runner = std::make_shared<MatrixRunner>(whole.algorithm, whole.formats, isa);
  return [=](const std::vector<MatrixTask>& tasks) { runner->run(tasks, threads); };
}

/// One design's matrices on all cores, in CPU time of all threads: the batch evaluator, the
/// floating-point kernels if they compute it, and the first OpenCL device if there is one.
void register_devices(const Instruction& i) {
  const auto add = [&](const char* by, std::function<RunTasks(const Instruction& whole)> prepare) {
    benchmark::RegisterBenchmark(
        ("device/" + i.name() + "/" + by).c_str(),
        [i, prepare](benchmark::State& state) { run_matrix(state, i, prepare); })
        ->MeasureProcessCPUTime()
        ->Unit(benchmark::kMillisecond);
  };
  add("batch", [](const Instruction& whole) { return on_host(whole, aligned::Isa::none, 0); });
  if (AlignedTiles::make(i.algorithm, i.formats, aligned::Isa::fastest) != nullptr) {
    add("kernels",
        [](const Instruction& whole) { return on_host(whole, aligned::Isa::fastest, 0); });
  }
  std::shared_ptr<device::Device> opencl;
  try {
    opencl = device::open_device("opencl");
  } catch (const std::invalid_argument&) {
    return;
  }
  add("opencl", [i, opencl](const Instruction&) {
    const auto runner =
        std::make_shared<device::DeviceRunner>(opencl, i.algorithm, i.formats, i.name());
    return [runner](const std::vector<MatrixTask>& tasks) { runner->run(tasks); };
  });
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

/// Products per second of an instruction, and of plans that use it: what a plan costs in addition
/// to its steps.
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

/// The time to the first result.
void run_compile(benchmark::State& state, const Instruction& instruction, BatchIsa isa) {
  const DotModel model(instruction.algorithm, instruction.formats);
  const Lanes inputs(model.graph().inputs().size(), 1);
  Lanes results(1, 1);
  for (auto _ : state) {
    BatchEvaluator::Scratch scratch;
    BatchEvaluator(model.graph(), {model.result()}, isa).evaluate(inputs, results, scratch);
    benchmark::DoNotOptimize(results[0]);
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
    if (i.formats.scale == nullptr && *i.formats.c == *i.formats.d) {
      benchmark::RegisterBenchmark(("matrix/" + i.name()).c_str(),
                                   [&i](benchmark::State& state) {
                                     run_matrix(state, i, [](const Instruction& whole) {
                                       return on_host(whole, aligned::Isa::fastest, 1);
                                     });
                                   })
          ->MinTime(0.05)
          ->Unit(benchmark::kMillisecond);
    }
  }
  static const Instruction usual = find_instruction("hopper/mma.m16n8k16.f32.f16.f16.f32");
  benchmark::RegisterBenchmark(("exact/" + usual.name()).c_str(),
                               [](benchmark::State& state) { run_exact(state, usual); });
  benchmark::RegisterBenchmark(("sampler/" + usual.name()).c_str(),
                               [](benchmark::State& state) { run_sampler(state, usual); });
  for (BatchIsa isa : batch_isas()) {
    benchmark::RegisterBenchmark(
        ("compile/" + usual.name() + "/" + std::string(to_string(isa))).c_str(),
        [isa](benchmark::State& state) { run_compile(state, usual, isa); });
  }
  register_threads(usual);
  for (const char* name : {"hopper/mma.m16n8k16.f32.f16.f16.f32", "cdna3/v_mfma_f32_32x32x8_f16",
                           "hopper/mma.m16n8k32.f32.e4m3.e4m3.f32", "arm/fmla.f64"}) {
    register_devices(find_instruction(name));
  }
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
  mmaspec::register_all();  // not before main(), because the catalogue must be initialized
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
