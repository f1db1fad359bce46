#pragma once
/// The statement that two instructions never differ, as conditions on a graph that no input may
/// satisfy.

#include <vector>

#include "queries/numbers/difference.h"
#include "queries/statement/condition.h"
#include "queries/statement/pairing.h"
#include "spec/formats/unpack.h"

namespace mmaspec {

/// The conditions that every input of a question about a pair satisfies, on the joint graph, which
/// is the current one. A condition of the user is the last.
std::vector<NodeId> premises_of(const Pair& pair, const Miter& joint, InputClass inputs,
                                const Condition& where);

/// That two instructions never differ, in the graph that was current when it was built.
struct StatedDifference {
  Miter joint;
  std::vector<NodeId> premises;
  Bool differs;
};
StatedDifference state_difference(const Pair& pair, const Difference& difference, InputClass inputs,
                                  Match match, const Condition& where);

}  // namespace mmaspec
