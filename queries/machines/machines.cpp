#include "queries/machines/machines.h"

#include <algorithm>

namespace mmaspec {
namespace {

constexpr std::size_t kDraws = 1000;

Instruction instruction_of(const LibraryChoice& choice) {
  return find_instruction(std::string(choice.architecture) + "/" + std::string(choice.mnemonic));
}

}  // namespace

std::vector<SharedProduct> diff_machines(const std::string& first, const std::string& second,
                                         const DiffOptions& options, const Portfolio& solvers) {
  const auto choices = shared_choices(first, second);
  const Deadline whole =
      earlier(options.strategies.deadline, Deadline::in(solvers.limits().seconds));
  std::vector<SharedProduct> products;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const auto& [x, y] = choices[i];
    DiffOptions asked = options;
    asked.strategies.deadline = whole.part(1.0 / static_cast<double>(choices.size() - i));
    SharedProduct product{x, y, diff(instruction_of(x), instruction_of(y), asked, solvers), {}};
    if (product.result.verdict == Verdict::satisfiable) {
      product.ordinary =
          statistics(product.result.pair, Distribution::normal, kDraws, options.strategies.seed);
    }
    products.push_back(std::move(product));
  }
  return products;
}

}  // namespace mmaspec
