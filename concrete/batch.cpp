#include "concrete/batch.h"

#include "concrete/exact.h"

namespace mmaspec {

namespace batch {
struct Program {
  const Graph* graph;
  std::vector<NodeId> roots;
  ExactEvaluator exact;
};
}  // namespace batch

std::string_view to_string(BatchIsa isa) {
  return isa == BatchIsa::avx512 ? "avx512" : isa == BatchIsa::avx2 ? "avx2" : "portable";
}

const std::vector<BatchIsa>& batch_isas() {
  static const std::vector<BatchIsa> all{BatchIsa::portable};
  return all;
}

BatchEvaluator::BatchEvaluator(const Graph& graph, const std::vector<NodeId>& roots, BatchIsa)
    : program_(new batch::Program{&graph, roots, ExactEvaluator(graph, roots)}) {}
BatchEvaluator::~BatchEvaluator() = default;
BatchEvaluator::BatchEvaluator(BatchEvaluator&&) noexcept = default;
BatchEvaluator& BatchEvaluator::operator=(BatchEvaluator&&) noexcept = default;

void BatchEvaluator::evaluate(const Lanes& inputs, Lanes& results, Scratch&) const {
  ExactEvaluator::Values values = program_->exact.scratch();
  std::vector<Integer> in(inputs.rows());
  const Integer modulus = power_of_two(64);
  for (std::size_t lane = 0; lane < inputs.lanes(); ++lane) {
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = inputs[i][lane];
    program_->exact.evaluate(in, values);
    for (std::size_t r = 0; r < program_->roots.size(); ++r) {
      Integer rest = values[program_->roots[r]] % modulus;
      if (rest < 0) rest += modulus;
      results[r][lane] = rest.convert_to<std::uint64_t>();
    }
  }
}

std::size_t BatchEvaluator::operations() const { return program_->exact.nodes().size(); }
std::size_t BatchEvaluator::working_set() const { return 0; }

}  // namespace mmaspec
