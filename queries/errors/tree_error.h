#pragma once
/// Error analysis of designs that are trees of steps, each of which rounds, cuts or flushes. Bounds
/// of intermediate results are propagated from step to step, for any shape of tree.

#include <optional>

#include "queries/errors/error_analysis.h"

namespace mmaspec {

/// As error_by_analysis(), for the designs of fused multiply-adds, pairs, floors, ones' complements
/// and bulk normalization.
std::optional<Rational> tree_error(const Algorithm& algorithm, const DotFormats& formats,
                                   ErrorOf of);

}  // namespace mmaspec
