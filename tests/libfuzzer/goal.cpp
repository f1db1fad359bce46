// Fuzz target: goals and proofs for the kernel (proof/kernel/). The input is a goal, a line `%`, a
// proof's lines, a line `%`, and an LRAT proof, which is used for each step.

#include <algorithm>
#include <stdexcept>

#include "proof/kernel/proof.h"
#include "proof/kernel/ranges.h"
#include "tests/libfuzzer/target.h"

namespace mmaspec {
namespace {

/// Circuits of long words, or of many nodes, take long.
constexpr std::size_t kMostNodes = 300;
constexpr unsigned kMostBits = 64;

bool is_small(const kernel::Kernel& k) {
  return k.graph().nodes.size() <= kMostNodes &&
         std::all_of(k.ranges().begin(), k.ranges().end(),
                     [](const Range& r) { return kernel::width_of(r) <= kMostBits; });
}

void read(std::string_view text) {
  const auto [goal_text, rest] = libfuzzer::cut(text, "%\n");
  const auto [proof, lrat] = libfuzzer::cut(rest, "%\n");
  try {
    const kernel::Goal goal = kernel::goal_of(goal_text);
    libfuzzer::require(kernel::to_json(goal) == goal_text, "a goal that does not read back");
    kernel::Kernel k(goal);
    if (!is_small(k)) return;
    // Without the digests of a proof's lines, which mutations would invalidate.
    kernel::Step step;
    for (const NodeId c : goal.conditions) step.refuted.push_back({c});
    try {
      k.admit(step, lrat);
      libfuzzer::require(k.theorem().goal().conditions == goal.conditions, "another goal");
    } catch (const kernel::Rejected&) {
    }
    const std::string of_each(lrat);
    kernel::check(goal, proof, [&](std::size_t, const Cnf&) { return of_each; });
  } catch (const std::invalid_argument&) {
  } catch (const kernel::Rejected&) {
  }
}

}  // namespace
}  // namespace mmaspec

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  mmaspec::read(mmaspec::libfuzzer::text_of(data, size));
  return 0;
}
