#include "concrete/dot/runner.h"

#include <algorithm>

#include "concrete/dot/lengths.h"
#include "spec/algorithms/chain_step.h"

namespace mmaspec {
namespace {

/// Largest number of products built together; up to it, one graph is faster.
constexpr int kMostProducts = 128;

int longest_part(const Algorithm& algorithm, const DotFormats& formats) {
  const int step = chain_step(algorithm, formats);
  int length = step;
  if (step == 0) return 0;  // a conversion
  for (int k = step; k <= std::min(kMostProducts, formats.k); k += step) {
    if (formats.k % k == 0) length = k;
  }
  return length;
}

}  // namespace

DotRunner::Part::Part(const Algorithm& algorithm, const DotFormats& formats)
    : model(std::make_unique<DotModel>(algorithm, formats)),
      scratch(model->evaluator().scratch()),
      batch(*model) {}

DotRunner::DotRunner(const Algorithm& algorithm, const DotFormats& formats)
    : DotRunner(formats, unpadded(algorithm, formats)) {}

DotRunner::DotRunner(const DotFormats& formats, const Unpadded& whole)
    : formats_(formats),
      whole_(whole.formats),
      part_k_(longest_part(*whole.algorithm, whole_)),
      first_(*whole.algorithm, part_of(whole_, part_k_)) {
  if (parts() > 1 && !(*whole_.c == *whole_.d)) {
    next_.emplace(*whole.algorithm, continuing_part_of(whole_, part_k_));
  }
}

DotValues DotRunner::with_zeros(const DotValues& values) const {
  require_lengths(formats_, values);
  DotValues all = values;
  all.a.resize(static_cast<std::size_t>(whole_.k), 0);
  all.b.resize(static_cast<std::size_t>(whole_.k), 0);
  return all;
}

DotValues DotRunner::slice(const DotValues& values, int number, const Integer& c) const {
  const auto of = [&](const std::vector<Integer>& all, int count) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(number) * count;
    return std::vector<Integer>(first, first + count);
  };
  const int scales = whole_.scales() / parts();
  return {of(values.a, part_k_), of(values.b, part_k_), c, of(values.scale_a, scales),
          of(values.scale_b, scales)};
}

Integer DotRunner::run(const DotValues& values) {
  if (is_padded()) return run_whole(with_zeros(values));
  require_lengths(formats_, values);
  return run_whole(values);
}

Integer DotRunner::run_whole(const DotValues& values) {
  if (parts() == 1) return first_.model->run(values, first_.scratch);
  Integer d = values.c;
  for (int i = 0; i < parts(); ++i) {
    d = part(i).model->run(slice(values, i, d), part(i).scratch);
  }
  return d;
}

std::vector<Integer> DotRunner::run(const std::vector<const DotValues*>& all) {
  if (!is_padded()) return run_whole(all);
  std::vector<DotValues> longer;
  longer.reserve(all.size());
  std::vector<const DotValues*> pointers;
  for (const DotValues* values : all) pointers.push_back(&longer.emplace_back(with_zeros(*values)));
  return run_whole(pointers);
}

std::vector<Integer> DotRunner::run_whole(const std::vector<const DotValues*>& all) {
  if (parts() == 1) return first_.batch.run(all);
  std::vector<Integer> d;
  for (const DotValues* values : all) {
    require_lengths(whole_, *values);
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
