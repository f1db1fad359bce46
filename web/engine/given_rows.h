#pragma once
/// Rows of inputs and results that a user gave, in formats that the request names.

#include <vector>

#include "concrete/dot/model.h"
#include "vectors/row.h"
#include "web/engine/requests.h"

namespace mmaspec::web {

struct GivenRows {
  std::vector<VectorRow> rows;  ///< each with its result
  DotFormats formats;           ///< K is the rows'
};

/// {formats, rows}: at most `most_rows` of at most `most_products` products. Throws
/// std::invalid_argument, which names the row.
GivenRows given_rows(const Json& request, std::size_t most_rows, int most_products);

}  // namespace mmaspec::web
