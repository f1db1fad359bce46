// Builds the conditions of a difference.

#include "queries/goals/stated_difference.h"

#include "queries/statement/operands.h"

namespace mmaspec {

std::vector<NodeId> premises_of(const Pair& pair, const Miter& joint, InputClass inputs,
                                const Condition& where) {
  const DotFormats& formats = pair.first.formats;
  const DotOperands in = dot_inputs(formats);
  std::vector<NodeId> all{belong(inputs, formats, in).id(), joint.comparable.id()};
  if (where) all.push_back(where(formats, in, joint.d_first).id());
  return all;
}

StatedDifference state_difference(const Pair& pair, const Difference& difference, InputClass inputs,
                                  Match match, const Condition& where) {
  const Miter joint = build_miter(pair, match);
  const Bool differs = differ(difference, *pair.first.formats.d, joint.d_first,
                              *pair.second.formats.d, joint.d_second);
  return {joint, premises_of(pair, joint, inputs, where), differs};
}

}  // namespace mmaspec
