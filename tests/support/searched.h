#pragma once
/// What no solver and no argument has a part in: search, and all inputs where these are few.

#include "queries/prove/prove.h"

namespace mmaspec {

enum class AllInputs { tried_if_few, left_out };

/// `work`: in operations; by default 0.1 s or so.
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
