#pragma once
/// Tries structured inputs (queries/studies/identify/structured_rows.h) on two designs.

#include <optional>

#include "concrete/dot/model.h"
#include "spec/algorithms/algorithm.h"
#include "util/deadline.h"

namespace mmaspec {

/// One of `count` structured inputs (with c = +0 unless `has_c`) on which the designs differ. All
/// NaNs are equal. The inputs depend on the numbers of bits that the designs keep. The same inputs
/// are tried each time, unless the deadline passes.
std::optional<DotValues> structured_witness(const Algorithm& first, const Algorithm& second,
                                            const DotFormats& formats, std::size_t count,
                                            const Deadline& deadline, bool has_c = true);

}  // namespace mmaspec
