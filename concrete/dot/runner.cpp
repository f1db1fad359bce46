#include "concrete/dot/runner.h"

#include <algorithm>

#include "concrete/dot/lengths.h"
#include "spec/algorithms/chain_step.h"

namespace mmaspec {
namespace {

/// Products that are built together: those of an instruction are, and run faster so.
constexpr int kTogether = 128;
constexpr std::size_t kLanesAtOnce = 2 * BatchEvaluator::kBlock;

int part_length(const Algorithm& algorithm, const DotFormats& formats) {
  const int step = chain_step(algorithm, formats);
  int length = step;
  for (int k = step; k <= std::min(kTogether, formats.k); k += step) {
    if (formats.k % k == 0) length = k;
  }
  return length;
}

DotFormats part_of(const DotFormats& formats, int k, bool first) {
  DotFormats part = formats;
  part.k = k;
  if (!first) part.c = formats.d;
  return part;
}

}  // namespace

DotRunner::Part::Part(const Algorithm& algorithm, const DotFormats& formats)
    : model(std::make_unique<DotModel>(algorithm, formats)),
      scratch(model->evaluator().scratch()),
      batch(*model) {}

DotRunner::DotRunner(const Algorithm& algorithm, const DotFormats& formats)
    : formats_(formats),
      part_k_(part_length(algorithm, formats)),
      first_(algorithm, part_of(formats, part_k_, true)) {
  if (parts() > 1 && !(*formats.c == *formats.d)) {
    next_.emplace(algorithm, part_of(formats, part_k_, false));
  }
}

DotValues DotRunner::slice(const DotValues& values, int number, const Integer& c) const {
  const auto of = [&](const std::vector<Integer>& all, int count) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(number) * count;
    return std::vector<Integer>(first, first + count);
  };
  const int scales = formats_.scales() / parts();
  return {of(values.a, part_k_), of(values.b, part_k_), c, of(values.scale_a, scales),
          of(values.scale_b, scales)};
}

Integer DotRunner::run(const DotValues& values) {
  require_lengths(formats_, values);
  if (parts() == 1) return first_.model->run(values, first_.scratch);
  Integer d = values.c;
  for (int i = 0; i < parts(); ++i) {
    d = part(i).model->run(slice(values, i, d), part(i).scratch);
  }
  return d;
}

void DotRunner::run(const Lanes& inputs, Lanes& results) {
  const auto rows = [](const DotFormats& f) {
    return static_cast<std::size_t>(2 * f.k + 1 + 2 * f.scales());
  };
  if (inputs.rows() != rows(formats_) || results.rows() != 1 || results.lanes() != inputs.lanes()) {
    throw std::logic_error("lanes of other dot-adds");
  }
  if (parts() == 1) return first_.batch.run(inputs, results);
  const auto k = static_cast<std::size_t>(formats_.k);
  const auto part_k = static_cast<std::size_t>(part_k_);
  const auto scales = static_cast<std::size_t>(formats_.scales());
  const std::size_t part_scales = scales / static_cast<std::size_t>(parts());
  // So many lanes at once that the rows of a part stay in the cache.
  for (std::size_t first = 0; first < inputs.lanes(); first += kLanesAtOnce) {
    const std::size_t count = std::min(kLanesAtOnce, inputs.lanes() - first);
    Lanes slice(2 * part_k + 1 + 2 * part_scales, count);
    Lanes d(1, count);
    std::copy_n(inputs[2 * k] + first, count, d[0]);
    for (int i = 0; i < parts(); ++i) {
      const auto n = static_cast<std::size_t>(i);
      std::size_t row = 0;
      const auto take = [&](std::size_t from, std::size_t rows_of_part) {
        for (std::size_t r = 0; r < rows_of_part; ++r) {
          std::copy_n(inputs[from + n * rows_of_part + r] + first, count, slice[row++]);
        }
      };
      take(0, part_k);
      take(k, part_k);
      std::copy_n(d[0], count, slice[row++]);
      take(2 * k + 1, part_scales);
      take(2 * k + 1 + scales, part_scales);
      part(i).batch.run(slice, d);
    }
    std::copy_n(d[0], count, results[0] + first);
  }
}

std::vector<Integer> DotRunner::run(const std::vector<const DotValues*>& all) {
  if (parts() == 1) return first_.batch.run(all);
  std::vector<Integer> d;
  for (const DotValues* values : all) {
    require_lengths(formats_, *values);
    d.push_back(values->c);
  }
  std::vector<DotValues> slices(all.size());
  std::vector<const DotValues*> pointers;
  for (const DotValues& s : slices) pointers.push_back(&s);
  for (int i = 0; i < parts(); ++i) {
    for (std::size_t row = 0; row < all.size(); ++row) slices[row] = slice(*all[row], i, d[row]);
    d = part(i).batch.run(pointers);
  }
  return d;
}

}  // namespace mmaspec
