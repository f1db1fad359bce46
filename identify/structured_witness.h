#pragma once
/// Structured inputs (identify/structured_rows.h) tried on two designs.

#include <optional>

#include "concrete/dot/model.h"
#include "spec/algorithms/algorithm.h"
#include "util/deadline.h"

namespace mmaspec {

/// One of `count` structured inputs on which the designs differ, any NaN being equal to any; those
/// are drawn by the numbers of bits that the designs keep. The same inputs each time, unless the
/// time is over.
std::optional<DotValues> structured_witness(const Algorithm& first, const Algorithm& second,
                                            const DotFormats& formats, std::size_t count,
                                            const Deadline& deadline);

}  // namespace mmaspec
