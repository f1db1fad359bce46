#pragma once
/// Which way the last relation of a kind was proved.

#include <functional>
#include <map>
#include <vector>

#include "queries/relations/node_relation.h"
#include "queries/relations/proved_relations.h"

namespace mmaspec {

/// Asks of a relation at depth after depth, with little time before much. Relations of one kind are
/// mostly proved alike, as those of each step of a chain: what proved the last one after others had
/// taken all their time in vain is gone first for the next one.
class LastWay {
 public:
  using Proves = std::function<bool(Depth depth, double seconds)>;

  /// Begins with another relation, for which there are so many seconds at most. True if it is
  /// proved as the last one of its kind was.
  bool proves_next(NodeRelation::Kind kind, double seconds, const Proves& proves);

  /// True as soon as it is proved at one of these depths, each of which may take so many seconds.
  bool proves(NodeRelation::Kind kind, const std::vector<Depth>& depths, double seconds,
              const Proves& proves);

 private:
  struct Way {
    Depth depth;
    double seconds;
  };

  std::map<NodeRelation::Kind, Way> last_;
  bool in_vain_ = false;  ///< some way took all its time, of the relation asked now
};

}  // namespace mmaspec
