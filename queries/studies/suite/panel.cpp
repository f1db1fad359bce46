#include "queries/studies/suite/panel.h"

#include <algorithm>
#include <limits>

#include "queries/ask/climb.h"
#include "queries/ask/dot_question.h"
#include "queries/draw/samples.h"
#include "spec/formats/text.h"

namespace mmaspec {

Int compared_result(const Format& format, Int d, bool signed_zero) {
  const Unpacked x = unpack(format, d);
  Int result = d;
  if (!signed_zero && format.has_sign) {
    result = select(x.is_finite() && x.is_zero(), Int(0), result);
  }
  return format.has_nan() ? select(x.is_nan, Int(canonical_nan(format)), result) : result;
}

Integer compared_result(const Format& format, const Integer& d, bool signed_zero) {
  const Decoded x = decode(format, d);
  if (x.is_nan) return canonical_nan(format);
  return !signed_zero && x.is_finite() && x.significand == 0 ? Integer(0) : d;
}

Panel::Panel(const std::vector<SuiteDesign>& designs, const PanelOptions& options)
    : formats_(designs.at(0).run.formats), options_(options), graph_(std::make_unique<Graph>()) {
  const Graph::Building building(*graph_);
  const DotOperands in = dot_inputs(formats_);
  std::vector<Int> patterns;
  for (const SuiteDesign& design : designs) {
    const Int d = design.run.algorithm.build(formats_, in);
    const NodeId result = compared_result(*formats_.d, d, options_.signed_zero).id();
    const auto known = std::find(results_.begin(), results_.end(), result);
    expression_of_.push_back(static_cast<std::size_t>(known - results_.begin()));
    patterns.push_back(d);
    if (known != results_.end()) continue;
    results_.push_back(result);
    first_of_.push_back(expression_of_.size() - 1);
  }
  if (options_.where) {
    for (Int d : patterns) premises_.push_back(options_.where(formats_, in, d).id());
    std::sort(premises_.begin(), premises_.end());
    premises_.erase(std::unique(premises_.begin(), premises_.end()), premises_.end());
    conditions_ = premises_.size();
  }
  premises_.push_back(belong(options_.inputs, formats_, in).id());
  fitting_.emplace(*graph_, premises_, input_formats(*graph_, formats_), 0);
}

Candidates Panel::draws(unsigned seed) const {
  return [fits = has_condition(), sampler = Sampler(formats_, options_.inputs, seed),
          fitting = fitting_->reseeded(seed)](Lanes& lanes) mutable {
    sampler.fill(lanes);
    if (fits) fitting.fill(lanes);
  };
}

Panel::Runner::Runner(const Panel& panel)
    : panel_(panel),
      evaluator_(panel.graph(),
                 [&] {
                   std::vector<NodeId> roots = panel.results_;
                   roots.insert(roots.end(), panel.premises_.begin(), panel.premises_.end());
                   return roots;
                 }()),
      results_(0, 0) {}

void Panel::Runner::evaluate(const Lanes& inputs) {
  const std::size_t rows = panel_.results_.size() + panel_.premises_.size();
  if (results_.rows() != rows || results_.lanes() != inputs.lanes()) {
    results_ = Lanes(rows, inputs.lanes());
  }
  evaluator_.evaluate(inputs, results_, scratch_);
}

bool Panel::Runner::answers_of(std::size_t lane, std::vector<std::uint64_t>& answers) const {
  for (std::size_t r = answers.size(); r < results_.rows(); ++r) {
    if (results_[r][lane] == 0) return false;
  }
  for (std::size_t i = 0; i < answers.size(); ++i) answers[i] = results_[i][lane];
  return true;
}

std::optional<Partition> Panel::Runner::run(const DotValues& values) {
  const InputValues inputs = input_values(panel_.graph(), values);
  Lanes lanes(inputs.size(), 1);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    lanes[i][0] = inputs[i].convert_to<std::uint64_t>();
  }
  std::optional<Partition> found;
  run(lanes, [&](std::size_t, Partition p) { found = std::move(p); });
  return found;
}

std::optional<InputValues> Panel::climb_for(const PairSet& pairs,
                                            const std::vector<InputValues>& starts, unsigned seed,
                                            std::size_t work, const Deadline& deadline) {
  const Graph::Building building(*graph_);
  std::vector<Int> parted;
  for (std::size_t j = 1; j < expressions(); ++j) {
    for (std::size_t i = 0; i < j; ++i) {
      if (!pairs[pair_index(i, j)]) continue;
      parted.push_back(select(Int::of(results_[i]) != Int::of(results_[j]), Int(1), Int(0)));
    }
  }
  const NodeId count = total(parted).id();
  const auto wanted = static_cast<double>(parted.size());
  const Landscape landscape{graph_.get(),
                            premises_,
                            count,
                            count,
                            [&](std::uint64_t parted_here, std::uint64_t) {
                              const auto height = static_cast<double>(parted_here);
                              return height >= wanted ? std::numeric_limits<double>::infinity()
                                                      : height;
                            },
                            formats_.k,
                            input_formats(*graph_, formats_)};
  return climb(landscape, *fitting_, draws(seed), starts, seed, work, deadline);
}

}  // namespace mmaspec
