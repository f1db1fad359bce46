#pragma once
/// What of operands can be wrong: their lengths.

#include "concrete/dot/model.h"

namespace mmaspec {

/// Throws std::invalid_argument unless the lengths are those of the formats.
void require_lengths(const DotFormats& formats, const DotValues& values);

}  // namespace mmaspec
