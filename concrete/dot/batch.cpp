#include "concrete/dot/batch.h"

namespace mmaspec {
namespace {

/// The operands as lanes; nullopt if lengths are wrong or a pattern has more than 64 bits.
std::optional<Lanes> lanes_of(const std::vector<const DotValues*>& all, std::size_t rows) {
  Lanes lanes(rows, all.size());
  for (std::size_t lane = 0; lane < all.size(); ++lane) {
    const std::vector<Integer> values = in_input_order(*all[lane]);
    if (values.size() != rows) return std::nullopt;
    for (std::size_t i = 0; i < rows; ++i) {
      if (values[i] < 0 || bit_length(values[i]) > 64) return std::nullopt;
      lanes[i][lane] = values[i].convert_to<std::uint64_t>();
    }
  }
  return lanes;
}

}  // namespace

std::vector<Integer> BatchDotModel::run_exactly(const std::vector<const DotValues*>& all) const {
  ExactEvaluator::Values scratch = model_->evaluator().scratch();
  std::vector<Integer> results;
  for (const DotValues* values : all) results.push_back(model_->run(*values, scratch));
  return results;
}

std::vector<Integer> BatchDotModel::run(const std::vector<const DotValues*>& all) {
  if (all.size() < kFew) return run_exactly(all);
  const std::optional<Lanes> lanes = lanes_of(all, model_->graph().inputs().size());
  if (!lanes) return run_exactly(all);  // it reports what is wrong
  if (!batch_) batch_.emplace(model_->graph(), std::vector<NodeId>{model_->result()});
  Lanes results(1, all.size());
  try {
    batch_->evaluate(*lanes, results, scratch_);
  } catch (const ClaimViolated&) {
    return run_exactly(all);  // it reports for which value
  }
  return {results[0], results[0] + all.size()};
}

}  // namespace mmaspec
