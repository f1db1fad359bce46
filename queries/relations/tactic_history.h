#pragma once
/// Tactic history: which depth last proved a relation of each kind.

#include <functional>
#include <map>
#include <vector>

#include "queries/relations/invariant_store.h"
#include "queries/relations/relational_invariant.h"

namespace mmaspec {

/// Asks for a relation with iterative deepening: short time limits first, then longer ones.
/// Relations of one kind, such as those of each step of a chain, are mostly proved at the same
/// depth. If the depth that proved the last one came after others that used all their time, the
/// next relation starts with it.
class TacticHistory {
 public:
  using Proves = std::function<bool(Depth depth, double seconds)>;

  /// Starts a new relation with this time limit in seconds. True if the depth that proved the last
  /// relation of its kind proves it.
  bool proves_next(RelationalInvariant::Kind kind, double seconds, const Proves& proves);

  /// True if it is proved at one of these depths, each of which has this time limit in seconds.
  bool proves(RelationalInvariant::Kind kind, const std::vector<Depth>& depths, double seconds,
              const Proves& proves);

 private:
  struct Way {
    Depth depth;
    double seconds;
  };

  std::map<RelationalInvariant::Kind, Way> last_;
  bool in_vain_ = false;  ///< some depth used all its time, for the current relation
};

}  // namespace mmaspec
