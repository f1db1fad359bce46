#include <chrono>
#include <stdexcept>

#include "apps/web/engine/fields.h"
#include "concrete/dot/runner.h"
#include "concrete/rows/row.h"
#include "queries/draw/samples.h"

namespace mmaspec::web {

Json random_rows(const Json& request) {
  const Instruction i = find(text_of(request, "name"));
  const int count = integer_of(request, "count", 1, 1 << 20, 1);
  Sampler sampler(i.formats, InputClass::any,
                  static_cast<unsigned>(integer_of(request, "seed", 0, 1 << 30, 0)));
  std::vector<DotValues> rows;
  for (int n = 0; n < count; ++n) rows.push_back(sampler.next());
  std::vector<const DotValues*> all;
  for (const DotValues& row : rows) all.push_back(&row);
  DotRunner runner(i.algorithm, i.formats);
  const std::vector<Integer> d = runner.run(all);
  std::string text;
  for (std::size_t n = 0; n < rows.size(); ++n) {
    text += to_json_line({i.name(), std::move(rows[n]), d[n], "", {}, ""}, i.formats) + "\n";
  }
  return {{"text", text}};
}

Json measure(const Json& request) {
  using Clock = std::chrono::steady_clock;
  const Instruction i = find(text_of(request, "name"));
  const int seconds = integer_of(request, "seconds", 1, 60, 1);
  constexpr std::size_t kLanes = 16 * BatchEvaluator::kBlock;
  const DotModel model(i.algorithm, i.formats);
  const BatchEvaluator evaluator(model.graph(), {model.result()});
  Lanes inputs(model.graph().inputs().size(), kLanes);
  Lanes results(1, kLanes);
  BatchEvaluator::Scratch scratch;
  Sampler(i.formats, InputClass::finite, 0).fill(inputs);
  const auto start = Clock::now();
  double passed = 0;
  double count = 0;
  while (passed < seconds) {
    evaluator.evaluate(inputs, results, scratch);
    count += kLanes;
    passed = std::chrono::duration<double>(Clock::now() - start).count();
  }
  return {{"dot_products_per_second", count / passed}};
}

}  // namespace mmaspec::web
