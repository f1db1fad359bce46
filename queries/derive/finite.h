#pragma once
/// Simplifies the conditions of a term graph for operands of a class without infinities and NaNs.

#include "queries/derive/lemmas.h"
#include "queries/derive/term_graph.h"
#include "spec/formats/unpack.h"

namespace mmaspec {

/// The term graph with each condition replaced by a constant if solvers prove it constant for
/// operands of the class.
TermGraph within_class(const TermGraph& text, InputClass inputs, Lemmas& lemmas);

}  // namespace mmaspec
