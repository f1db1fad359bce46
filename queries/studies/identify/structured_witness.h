#pragma once
/// Structured inputs (queries/studies/identify/structured_rows.h) tried on two designs.

#include <optional>

#include "concrete/dot/model.h"
#include "spec/algorithms/algorithm.h"
#include "util/deadline.h"

namespace mmaspec {

/// One of `count` structured inputs (with c = +0 unless `has_c`) on which the designs differ, any
/// NaN being equal to any; those are drawn by the numbers of bits that the designs keep. The same
/// inputs each time, unless the time is over.
std::optional<DotValues> structured_witness(const Algorithm& first, const Algorithm& second,
                                            const DotFormats& formats, std::size_t count,
                                            const Deadline& deadline, bool has_c = true);

}  // namespace mmaspec
