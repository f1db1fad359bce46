#pragma once
/// Validates the lengths of operands.

#include "concrete/dot/model.h"

namespace mmaspec {

/// Throws std::invalid_argument unless the operands have the lengths of the formats.
void require_lengths(const DotFormats& formats, const DotValues& values);

}  // namespace mmaspec
