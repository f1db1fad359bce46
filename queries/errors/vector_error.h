#pragma once
/// The error analysis of vector units' designs (spec/algorithms/vector/): bounds of a number on the
/// way are carried from step to step, whatever tree the steps form.

#include <optional>

#include "queries/errors/error_analysis.h"

namespace mmaspec {

/// As error_by_analysis(), of the designs of pairs, floors, ones' complements and bulk
/// normalization, and of fused multiply-adds in several chains or with flushed operands.
std::optional<Rational> vector_error(const Algorithm& algorithm, const DotFormats& formats,
                                     ErrorOf of);

}  // namespace mmaspec
