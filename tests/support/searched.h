#pragma once
/// Search without solvers and analytical proofs; all inputs are tried if there are few.

#include "queries/prove/prove.h"

namespace mmaspec {

enum class AllInputs { tried_if_few, left_out };

/// `work`: in operations; the default takes about 0.1 s.
inline Outcome searched(const std::string& property, const Subject& subject,
                        AllInputs all = AllInputs::tried_if_few, std::size_t work = 30'000'000) {
  ProveOptions options;
  options.strategies = Strategies::none();
  options.strategies.set(Strategy::search, true);
  options.strategies.set(Strategy::enumerate, all == AllInputs::tried_if_few);
  options.strategies.search_work = work;
  options.shrink = options.smaller = false;
  const Portfolio nobody(std::vector<std::unique_ptr<Backend>>(), Limits{60});
  return prove(find_property(property), subject, options, nobody).outcome;
}

}  // namespace mmaspec
