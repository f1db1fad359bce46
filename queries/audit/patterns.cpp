#include "queries/audit/patterns.h"

#include <stdexcept>

#include "concrete/dot/model.h"
#include "concrete/evaluator.h"
#include "queries/draw/samples.h"

namespace mmaspec {

void require_patterns(const Recorded& recorded) {
  const Integer end = power_of_two(static_cast<unsigned>(recorded.formats.d->storage_bits));
  const Range& range = recorded.graph[recorded.result].range;
  if (range.low >= 0 && range.high < end) return;
  const ExactEvaluator evaluator(recorded.graph, {recorded.result});
  ExactEvaluator::Values values = evaluator.scratch();
  constexpr int kSamples = 300;
  Sampler sampler(recorded.formats, InputClass::any, 0);
  for (int i = 0; i < kSamples; ++i) {
    evaluator.evaluate(in_input_order(sampler.next()), values);
    const Integer& d = values[recorded.result];
    if (d >= 0 && d < end) continue;
    throw std::invalid_argument("the result, such as " + d.str() + ", is not a bit pattern of " +
                                std::string(recorded.formats.d->name));
  }
}

}  // namespace mmaspec
