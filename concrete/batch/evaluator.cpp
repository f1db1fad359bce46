#include "concrete/batch/evaluator.h"

#include <algorithm>

#include "concrete/batch/block.h"
#include "concrete/batch/compile.h"
#include "concrete/batch/program.h"
#include "concrete/evaluator.h"

namespace mmaspec {
namespace {

constexpr std::size_t kAlignment = 64;

std::vector<BatchIsa> found_isas() {
  std::vector<BatchIsa> all{BatchIsa::portable};
#if defined(__x86_64__) || defined(__i386__)
  if (__builtin_cpu_supports("avx2")) all.push_back(BatchIsa::avx2);
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512cd")) {
    all.push_back(BatchIsa::avx512);
  }
#endif
  return all;
}

std::byte* align(std::uint64_t* words) {
  const auto address = reinterpret_cast<std::uintptr_t>(words);
  const auto skip = (kAlignment - address % kAlignment) % kAlignment;
  return reinterpret_cast<std::byte*>(words) + skip;
}

template <typename T>
void fill(std::byte* at, std::uint64_t value) {
  std::fill_n(reinterpret_cast<T*>(at), batch::kLanes, static_cast<T>(value));
}

void write_constant(std::byte* registers, const batch::ConstantRegister& constant) {
  std::byte* at = registers + constant.at;
  switch (constant.type) {
    case batch::Type::boolean:
      return fill<std::uint8_t>(at, constant.words[0]);
    case batch::Type::i16:
      return fill<std::uint16_t>(at, constant.words[0]);
    case batch::Type::i32:
      return fill<std::uint32_t>(at, constant.words[0]);
    case batch::Type::i64:
    case batch::Type::wide:
      for (std::uint64_t word : constant.words) {
        fill<std::uint64_t>(at, word);
        at += sizeof(std::uint64_t) * batch::kLanes;
      }
      return;
  }
}

/// Registers with the program's constants. The first words say whose they are and where they were
/// written: a copy of a scratch may be aligned otherwise.
std::byte* prepare(const batch::Program& program, BatchEvaluator::Scratch& scratch) {
  constexpr std::size_t kHeader = 2;
  const auto address = [&] { return reinterpret_cast<std::uintptr_t>(scratch.data()); };
  if (scratch.size() > kHeader && scratch[0] == program.number && scratch[1] == address()) {
    return align(scratch.data() + kHeader);
  }
  scratch.assign(kHeader + (program.bytes + kAlignment) / sizeof(std::uint64_t), 0);
  scratch[0] = program.number;
  scratch[1] = address();
  std::byte* registers = align(scratch.data() + kHeader);
  for (const batch::ConstantRegister& c : program.constants) write_constant(registers, c);
  return registers;
}

void require_claims(const batch::Program& program, const std::vector<std::uint64_t>& violations) {
  for (std::size_t i = 0; i < violations.size(); ++i) {
    if (violations[i] != 0) throw ClaimViolated(program.claims[i]);
  }
}

}  // namespace

std::string_view to_string(BatchIsa isa) {
  return isa == BatchIsa::avx512 ? "avx512" : isa == BatchIsa::avx2 ? "avx2" : "portable";
}

const std::vector<BatchIsa>& batch_isas() {
  static const std::vector<BatchIsa> all = found_isas();
  return all;
}

BatchEvaluator::BatchEvaluator(const Graph& graph, const std::vector<NodeId>& roots, BatchIsa isa)
    : program_(std::make_unique<const batch::Program>(batch::compile(graph, roots, {}, isa))) {
  static_assert(kBlock == batch::kLanes);
}
BatchEvaluator::~BatchEvaluator() = default;
BatchEvaluator::BatchEvaluator(BatchEvaluator&&) noexcept = default;
BatchEvaluator& BatchEvaluator::operator=(BatchEvaluator&&) noexcept = default;

void BatchEvaluator::evaluate(const Lanes& inputs, Lanes& results, Scratch& scratch) const {
  const batch::Program& program = *program_;
  if (results.rows() != program.roots || results.lanes() != inputs.lanes()) {
    throw std::logic_error("results of " + std::to_string(results.rows()) + " x " +
                           std::to_string(results.lanes()) + " for " +
                           std::to_string(program.roots) + " roots and " +
                           std::to_string(inputs.lanes()) + " lanes");
  }
  std::vector<const std::uint64_t*> in(std::min(program.inputs, inputs.rows()));
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = inputs[i];
  std::vector<std::uint64_t*> out(program.roots);
  for (std::size_t r = 0; r < out.size(); ++r) out[r] = results[r];
  evaluate(in, inputs.lanes(), out, scratch);
}

void BatchEvaluator::evaluate(const std::vector<const std::uint64_t*>& inputs, std::size_t lanes,
                              const std::vector<std::uint64_t*>& results, Scratch& scratch) const {
  const batch::Program& program = *program_;
  if (results.size() != program.roots) {
    throw std::logic_error(std::to_string(results.size()) + " results for " +
                           std::to_string(program.roots) + " roots");
  }
  static const std::vector<std::uint64_t> kZeros(kBlock, 0);
  std::byte* registers = prepare(program, scratch);
  std::vector<const std::uint64_t*> in(program.inputs, kZeros.data());
  std::vector<std::uint64_t*> out(program.roots);
  std::vector<std::uint64_t> violations(program.claims.size(), 0);
  for (std::size_t first = 0; first < lanes; first += kBlock) {
    for (std::size_t i = 0; i < std::min(in.size(), inputs.size()); ++i) in[i] = inputs[i] + first;
    for (std::size_t r = 0; r < out.size(); ++r) out[r] = results[r] + first;
    const batch::Frame frame{registers,         in.data(),
                             out.data(),        std::min(kBlock, lanes - first),
                             violations.data(), nullptr};
    for (const batch::Step& step : program.steps) step.run(step, frame);
  }
  require_claims(program, violations);
}

BlockEvaluator::BlockEvaluator(const Graph& graph, const std::vector<NodeId>& roots,
                               const std::vector<NodeId>& held, BatchIsa isa)
    : program_(std::make_unique<const batch::Program>(batch::compile(graph, roots, held, isa))) {
  static_assert(kBlock == batch::kLanes);
}
BlockEvaluator::~BlockEvaluator() = default;

void BlockEvaluator::evaluate(const Block& block, BatchEvaluator::Scratch& scratch) const {
  std::vector<std::uint64_t> violations(program_->claims.size(), 0);
  const batch::Frame frame{prepare(*program_, scratch), block.inputs, block.results, block.lanes,
                           violations.data(),           block.uniform};
  const auto first = static_cast<std::ptrdiff_t>(block.same_held ? program_->held_steps : 0);
  for (auto step = program_->steps.begin() + first; step != program_->steps.end(); ++step) {
    step->run(*step, frame);
  }
  require_claims(*program_, violations);
}

std::size_t BatchEvaluator::operations() const { return program_->steps.size(); }
std::size_t BatchEvaluator::working_set() const { return program_->bytes; }

}  // namespace mmaspec
