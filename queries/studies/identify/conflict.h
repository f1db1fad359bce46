#pragma once
/// Why no design of a space explains some answers.

#include <vector>

#include "queries/studies/identify/space/survivors.h"

namespace mmaspec {

struct Conflict {
  std::vector<Answered> answers;  ///< no design explains all of these
  bool irreducible = false;       ///< any of them left out, some design does
  bool smallest = false;          ///< no fewer of the given ones conflict, which is proved
};

/// Of answers that no design explains, the last one the reason, or one of them. Ends with the
/// deadline, with what it has.
Conflict smallest_conflict(const Space& space, const std::vector<Answered>& answers, int jobs,
                           const Deadline& deadline);

}  // namespace mmaspec
