#pragma once
/// Rows of inputs and results from the user, in formats that the request names.

#include <vector>

#include "apps/web/engine/requests.h"
#include "concrete/dot/model.h"
#include "concrete/rows/row.h"

namespace mmaspec::web {

struct GivenRows {
  std::vector<VectorRow> rows;  ///< each with its result
  DotFormats formats;           ///< with the K of the rows
};

/// Reads {formats, rows}: at most `most_rows` rows of at most `most_products` products. Throws
/// std::invalid_argument that names the row.
GivenRows given_rows(const Json& request, std::size_t most_rows, int most_products);

}  // namespace mmaspec::web
