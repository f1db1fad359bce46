#pragma once
/// Decoded values in JSON, in addition to bits.

#include "concrete/rows/row.h"
#include "util/json.h"

namespace mmaspec {

/// Adds the values of a row's patterns to its object: `values`, an object with those of a, b, c,
/// sa, sb, d, d_other that the row has. Values are hex floats, inf or nan, or lists of them.
/// `other_result`: d_other's format, if it is not d's.
void add_values(const VectorRow& row, const DotFormats& formats, Json& object,
                const Format* other_result = nullptr);

}  // namespace mmaspec
