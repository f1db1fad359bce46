#pragma once
/// Which sums a plan makes of one element on the way to its result.

#include <cstdint>
#include <string>
#include <vector>

#include "queries/studies/explain/product.h"
#include "queries/studies/explain/space/candidates.h"

namespace mmaspec::explain {

/// A sum on the way.
struct TracedSum {
  /// `products 0 to 15`, in the order in which the unit gets them; or `s2 = s1 + products 16 to
  /// 31`.
  std::string sum;
  std::uint64_t value;   ///< a pattern
  const Format* format;  ///< its
};

/// The chains' sums in the order of K, what becomes of them, and last what is stored.
std::vector<TracedSum> trace_of(const Space& space, const Candidate& candidate,
                                const Product& product, const MatrixFormats& formats,
                                const Element& element);

}  // namespace mmaspec::explain
