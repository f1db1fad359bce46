#pragma once
/// Texts that go from pattern to pattern, as a chain of steps does: what each part keeps, the whole
/// keeps.

#include "queries/derive/lemmas.h"
#include "queries/derive/text.h"

namespace mmaspec {

/// Nodes between c and d through which all passes that c decides, and that are patterns of as many
/// bits as d has; from c on.
std::vector<NodeId> patterns_between(const Text& text, Lemmas& lemmas);

/// What a later part of a chain must do with what is no next number, where its operands but c are
/// finite: of an infinite c it makes that infinity or NaN, of a NaN a NaN, and of both zeros alike.
bool keeps_ends(const Text& part, Lemmas& lemmas);

}  // namespace mmaspec
