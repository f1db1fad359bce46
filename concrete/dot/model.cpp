#include "concrete/dot/model.h"

#include "concrete/dot/lengths.h"

namespace mmaspec {
namespace {

void require_length(const char* name, std::size_t given, int wanted) {
  if (given != static_cast<std::size_t>(wanted)) {
    throw std::invalid_argument(std::string(name) + " has " + std::to_string(given) +
                                " values, expected " + std::to_string(wanted));
  }
}

}  // namespace

void require_lengths(const DotFormats& formats, const DotValues& values) {
  require_length("a", values.a.size(), formats.k);
  require_length("b", values.b.size(), formats.k);
  require_length("sa", values.scale_a.size(), formats.scales());
  require_length("sb", values.scale_b.size(), formats.scales());
}

std::vector<Integer> in_input_order(const DotValues& values) {
  std::vector<Integer> all = values.a;
  all.insert(all.end(), values.b.begin(), values.b.end());
  all.push_back(values.c);
  all.insert(all.end(), values.scale_a.begin(), values.scale_a.end());
  all.insert(all.end(), values.scale_b.begin(), values.scale_b.end());
  return all;
}

DotModel::DotModel(const Algorithm& algorithm, const DotFormats& formats)
    : formats_(formats), graph_(std::make_unique<Graph>()), result_(0) {
  const Graph::Building building(*graph_);
  result_ = algorithm.build(formats, dot_inputs(formats)).id();
  evaluator_ = std::make_unique<ExactEvaluator>(*graph_, std::vector<NodeId>{result_});
}

void DotModel::check(const DotValues& values) const { require_lengths(formats_, values); }

Integer DotModel::run(const DotValues& values, ExactEvaluator::Values& scratch) const {
  check(values);
  evaluator_->evaluate(in_input_order(values), scratch);
  return scratch[result_];
}

Integer DotModel::run(const DotValues& values) const { return trace(values)[result_]; }

ExactEvaluator::Values DotModel::trace(const DotValues& values) const {
  check(values);
  ExactEvaluator::Values all = evaluator_->scratch();
  evaluator_->evaluate(in_input_order(values), all);
  return all;
}

}  // namespace mmaspec
