#include "queries/studies/machines/machines.h"

#include <algorithm>

namespace mmaspec {
namespace {

constexpr double kAskedShare = 0.8;  // share of a question's time; the rest is for its statistics

/// `machine`: the user's name for the architecture.
Instruction instruction_of(const LibraryChoice& choice, const std::string& machine) {
  return find_instruction(machine + "/" + std::string(choice.mnemonic));
}

}  // namespace

Statistics statistics(const Pair& pair, const StatisticsOptions& options, unsigned seed) {
  const DotFormats& f = pair.first.formats;
  if (options.data != nullptr) {
    return statistics(pair, options.data->each_product(f, options.count, seed), options.where,
                      options.deadline);
  }
  TypicalData data(f, options.distribution, seed);
  std::size_t left = options.count;
  const NextProducts next = [&](std::size_t most) {
    const std::size_t count = std::min(most, left);
    left -= count;
    return data.next(count);
  };
  return statistics(pair, next, options.where, options.deadline);
}

std::vector<SharedProduct> diff_machines(const std::string& first, const std::string& second,
                                         const DiffOptions& options,
                                         const StatisticsOptions& statistics_options,
                                         const Portfolio& solvers) {
  const auto choices = shared_choices(find_architecture(first), find_architecture(second));
  const unsigned seed = options.strategies.seed;
  if (statistics_options.data != nullptr) {
    for (const auto& [x, y] : choices) {
      statistics_options.data->products(instruction_of(x, first).formats, 1, seed);
    }
  }
  const Deadline whole =
      earlier(options.strategies.deadline, Deadline::in(solvers.limits().seconds));
  std::vector<SharedProduct> products;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const auto& [x, y] = choices[i];
    DiffOptions asked = options;
    const Deadline own = whole.part(1.0 / static_cast<double>(choices.size() - i));
    asked.strategies.deadline = own.part(kAskedShare);
    SharedProduct product{
        x, y, diff(instruction_of(x, first), instruction_of(y, second), asked, solvers), {}};
    if (product.result.verdict == Verdict::satisfiable) {
      StatisticsOptions how = statistics_options;
      how.deadline = own;
      product.statistics = statistics(product.result.pair, how, seed);
    }
    products.push_back(std::move(product));
  }
  return products;
}

}  // namespace mmaspec
