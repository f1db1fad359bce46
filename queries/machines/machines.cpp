#include "queries/machines/machines.h"

#include <algorithm>

namespace mmaspec {
namespace {

Instruction instruction_of(const LibraryChoice& choice) {
  return find_instruction(std::string(choice.architecture) + "/" + std::string(choice.mnemonic));
}

}  // namespace

Statistics statistics(const Pair& pair, const StatisticsOptions& options, unsigned seed) {
  const DotFormats& f = pair.first.formats;
  return statistics(pair,
                    options.data != nullptr
                        ? options.data->products(f, options.count, seed)
                        : TypicalData(f, options.distribution, seed).next(options.count),
                    options.where);
}

std::vector<SharedProduct> diff_machines(const std::string& first, const std::string& second,
                                         const DiffOptions& options,
                                         const StatisticsOptions& statistics_options,
                                         const Portfolio& solvers) {
  const auto choices = shared_choices(first, second);
  const unsigned seed = options.strategies.seed;
  if (statistics_options.data != nullptr) {
    for (const auto& [x, y] : choices) {
      statistics_options.data->products(instruction_of(x).formats, 1, seed);
    }
  }
  const Deadline whole =
      earlier(options.strategies.deadline, Deadline::in(solvers.limits().seconds));
  std::vector<SharedProduct> products;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const auto& [x, y] = choices[i];
    DiffOptions asked = options;
    asked.strategies.deadline = whole.part(1.0 / static_cast<double>(choices.size() - i));
    SharedProduct product{x, y, diff(instruction_of(x), instruction_of(y), asked, solvers), {}};
    if (product.result.verdict == Verdict::satisfiable) {
      product.statistics = statistics(product.result.pair, statistics_options, seed);
    }
    products.push_back(std::move(product));
  }
  return products;
}

}  // namespace mmaspec
