// The environment of a page: one thread, and no floating-point kernels.

#include <stdexcept>

#include "concrete/aligned/lanes.h"
#include "concrete/matrix/threads.h"

namespace mmaspec {

std::size_t number_of_threads(int /*asked*/) { return 1; }

void on_threads(std::size_t /*threads*/, std::size_t jobs,
                const std::function<std::function<void(std::size_t)>()>& start) {
  const std::function<void(std::size_t)> run = start();
  for (std::size_t i = 0; i < jobs; ++i) run(i);
}

namespace aligned {

std::unique_ptr<LanesRunner> make_lanes_runner(const Algorithm& /*algorithm*/,
                                               const DotFormats& /*formats*/, Isa /*isa*/) {
  return nullptr;
}

void LanesRunner::run(const std::vector<const std::uint64_t*>& /*rows*/, std::size_t /*lanes*/,
                      std::uint64_t* /*d*/) {
  throw std::logic_error("there are no such kernels");
}

}  // namespace aligned
}  // namespace mmaspec
