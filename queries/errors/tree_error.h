#pragma once
/// The error analysis of designs that are trees of steps, each of which rounds, cuts or flushes:
/// bounds of a number on the way are carried from step to step, whatever tree the steps form.

#include <optional>

#include "queries/errors/error_analysis.h"

namespace mmaspec {

/// As error_by_analysis(), of the designs of fused multiply-adds, pairs, floors, ones'
/// complements and bulk normalization.
std::optional<Rational> tree_error(const Algorithm& algorithm, const DotFormats& formats,
                                   ErrorOf of);

}  // namespace mmaspec
