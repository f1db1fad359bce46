#include "queries/ask/strategies/attempts.h"

namespace mmaspec {
namespace {

/// The largest number of pieces that a question is split into.
constexpr std::size_t kMostPieces = 40;

}  // namespace

/// Splits into cases by the member that attains the largest maximum.
void add_split(const Attempts& attempts, const Backend& backend, std::vector<Attempt>& all) {
  const Graph& from = *attempts.question().graph;
  // The pieces of one solver form a group: the question is proved if all of them are.
  const int group = static_cast<int>(all.size());
  NodeId largest = 0;
  std::size_t members = 1;
  for (NodeId n : from.cone(attempts.question().conditions)) {
    if (from[n].op != Op::maximum || from[n].args.size() <= members) continue;
    largest = n;
    members = from[n].args.size();
  }
  if (members < 3 || members > kMostPieces) return;
  for (std::size_t i = 0; i < members; ++i) {
    const NodeId member = from[largest].args[i];
    all.push_back(attempts.make("split " + std::to_string(i + 1) + "/" + std::to_string(members),
                                backend, [&from, largest, member](Substitution& copy) {
                                  // This member attains the maximum: the others are at most as
                                  // large.
                                  const Int by = copy.integer(member);
                                  std::vector<Bool> at_most;
                                  for (NodeId m : from[largest].args) {
                                    at_most.push_back(copy.integer(m) <= by);
                                  }
                                  copy.replace(largest, by);
                                  return at_most;
                                }));
    all.back().group = group;
  }
}

}  // namespace mmaspec
