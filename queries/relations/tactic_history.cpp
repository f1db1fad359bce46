#include "queries/relations/tactic_history.h"

#include <algorithm>

#include "util/deadline.h"

namespace mmaspec {

bool TacticHistory::proves_next(RelationalInvariant::Kind kind, double seconds,
                                const Proves& proves) {
  in_vain_ = false;
  const auto way = last_.find(kind);
  if (way == last_.end()) return false;
  if (proves(way->second.depth, std::min(seconds, way->second.seconds))) return true;
  last_.erase(way);
  return false;
}

bool TacticHistory::proves(RelationalInvariant::Kind kind, const std::vector<Depth>& depths,
                           double seconds, const Proves& proves) {
  constexpr double kNearlyAll = 0.9;
  for (const Depth depth : depths) {
    const Deadline nearly = Deadline::in(kNearlyAll * seconds);
    if (proves(depth, seconds)) {
      if (in_vain_) last_.insert_or_assign(kind, Way{depth, seconds});
      return true;
    }
    in_vain_ = in_vain_ || nearly.passed();
  }
  return false;
}

}  // namespace mmaspec
