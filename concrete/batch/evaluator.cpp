#include "concrete/batch/evaluator.h"

#include <algorithm>

#include "concrete/batch/block.h"
#include "concrete/batch/compile.h"
#include "concrete/batch/kernels/program.h"
#include "concrete/batch/native/native.h"
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
  if (batch::Native::is_there()) all.push_back(BatchIsa::native);
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

/// The registers for one evaluation of a program.
struct Prepared {
  std::byte* registers;
  bool is_as_before;  ///< they are unchanged since the last evaluation
};

/// Returns registers with the program's constants, or the memory of machine code if there is some.
/// The first words identify the program and the address, because a copy of a scratch may be aligned
/// differently.
Prepared prepare(const batch::Program& program, const batch::Native* native,
                 BatchEvaluator::Scratch& scratch) {
  constexpr std::size_t kHeader = 3;
  const auto address = [&] { return reinterpret_cast<std::uintptr_t>(scratch.data()); };
  const std::uint64_t way = native == nullptr ? 0 : 1;
  if (scratch.size() > kHeader && scratch[0] == program.number && scratch[1] == address() &&
      scratch[2] == way) {
    return {align(scratch.data() + kHeader), true};
  }
  const std::size_t bytes = native == nullptr ? program.bytes : native->bytes();
  scratch.assign(kHeader + (bytes + kAlignment) / sizeof(std::uint64_t), 0);
  scratch[0] = program.number;
  scratch[1] = address();
  scratch[2] = way;
  std::byte* registers = align(scratch.data() + kHeader);
  if (native == nullptr) {
    for (const batch::ConstantRegister& c : program.constants) write_constant(registers, c);
  }
  return {registers, false};
}

/// `same_held` is used only if the registers are unchanged since the last evaluation.
void evaluate_block(const batch::Program& program, const batch::Native* native,
                    const batch::Frame& frame, bool same_held) {
  if (native != nullptr) return native->run(frame, same_held);
  const auto first = static_cast<std::ptrdiff_t>(same_held ? program.held_steps : 0);
  for (auto step = program.steps.begin() + first; step != program.steps.end(); ++step) {
    step->run(*step, frame);
  }
}

const batch::Native* native_of(const batch::Program& program, std::size_t blocks) {
  return program.native == nullptr ? nullptr : program.native->next(blocks);
}

void require_claims(const batch::Program& program, const std::vector<std::uint64_t>& violations) {
  for (std::size_t i = 0; i < violations.size(); ++i) {
    if (violations[i] != 0) throw ClaimViolated(program.claims[i]);
  }
}

}  // namespace

std::string_view to_string(BatchIsa isa) {
  switch (isa) {
    case BatchIsa::portable:
      return "portable";
    case BatchIsa::avx2:
      return "avx2";
    case BatchIsa::avx512:
      return "avx512";
    case BatchIsa::native:
      return "native";
    case BatchIsa::fastest:
      return "fastest";
  }
  return "";
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
  const batch::Native* native = native_of(program, (lanes + kBlock - 1) / kBlock);
  std::byte* registers = prepare(program, native, scratch).registers;
  std::vector<const std::uint64_t*> in(program.inputs, kZeros.data());
  std::vector<std::uint64_t*> out(program.roots);
  std::vector<std::uint64_t> violations(program.claims.size(), 0);
  for (std::size_t first = 0; first < lanes; first += kBlock) {
    for (std::size_t i = 0; i < std::min(in.size(), inputs.size()); ++i) in[i] = inputs[i] + first;
    for (std::size_t r = 0; r < out.size(); ++r) out[r] = results[r] + first;
    const batch::Frame frame{registers,         in.data(),
                             out.data(),        std::min(kBlock, lanes - first),
                             violations.data(), nullptr};
    evaluate_block(program, native, frame, false);
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
  const batch::Native* native = native_of(*program_, 1);
  const Prepared prepared = prepare(*program_, native, scratch);
  const batch::Frame frame{prepared.registers, block.inputs,      block.results,
                           block.lanes,        violations.data(), block.uniform};
  evaluate_block(*program_, native, frame, block.same_held && prepared.is_as_before);
  require_claims(*program_, violations);
}

std::size_t BatchEvaluator::operations() const { return program_->steps.size(); }
std::size_t BatchEvaluator::working_set() const { return program_->bytes; }

}  // namespace mmaspec
