#pragma once
/// Term graphs that map a pattern to a pattern, like one step of a chain. A property that each part
/// keeps holds for the whole.

#include "queries/derive/lemmas.h"
#include "queries/derive/term_graph.h"

namespace mmaspec {

/// Nodes between c and d through which all paths from c to d pass and that are patterns of as many
/// bits as d, in order from c to d.
std::vector<NodeId> patterns_between(const TermGraph& text, Lemmas& lemmas);

/// True if a later part of a chain keeps infinities, NaNs and zeros, if its operands except c are
/// finite: an infinite c gives the same infinity or a NaN, a NaN gives a NaN, and both zeros give
/// the same result.
bool keeps_ends(const TermGraph& part, Lemmas& lemmas);

}  // namespace mmaspec
