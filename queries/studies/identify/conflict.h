#pragma once
/// Why no design of a space explains a set of answers.

#include <vector>

#include "queries/studies/identify/space/version_space.h"

namespace mmaspec {

struct Conflict {
  std::vector<Answered> answers;  ///< no design explains all of these
  bool irreducible = false;       ///< without any one of them, some design explains the rest
  bool smallest = false;          ///< it is proved that no smaller set of the given answers
                                  ///< conflicts
};

/// A small conflicting subset of answers that no design explains, where the last answer is one that
/// conflicts. Ends at the deadline with the smallest one found.
Conflict smallest_conflict(const Space& space, const std::vector<Answered>& answers, int jobs,
                           const Deadline& deadline);

}  // namespace mmaspec
