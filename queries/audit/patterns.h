#pragma once
/// Whether what an algorithm of a user's own gives is a pattern of its result's format.

#include "spec/own/recorded.h"

namespace mmaspec {

/// Ranges are wider than what a result takes on, so where the range alone does not say so, it is
/// tried on drawn inputs; the evaluators see to it at every later evaluation. Throws
/// std::invalid_argument with a result that is none.
void require_patterns(const Recorded& recorded);

}  // namespace mmaspec
