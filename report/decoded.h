#pragma once
/// Decoded values in addition to bits in JSON.

#include "concrete/rows/row.h"
#include "util/json.h"

namespace mmaspec {

/// Adds to a row's object what its patterns mean: `values`, an object of the members a, b, c, sa,
/// sb, d, d_other that the row has, hex floats or inf, nan; lists where these are.
/// `other_result`: d_other's format, where it is not d's.
void add_values(const VectorRow& row, const DotFormats& formats, Json& object,
                const Format* other_result = nullptr);

}  // namespace mmaspec
