#pragma once
/// The intermediate sums of a plan for one element.

#include <cstdint>
#include <string>
#include <vector>

#include "queries/studies/explain/product.h"
#include "queries/studies/explain/space/candidates.h"

namespace mmaspec::explain {

/// An intermediate sum.
struct TracedSum {
  /// `products 0 to 15`, in the order in which the unit gets them; or `s2 = s1 + products 16 to
  /// 31`.
  std::string sum;
  std::uint64_t value;   ///< a pattern
  const Format* format;  ///< the format of the pattern
};

/// The chains' sums in the order of K, the sums computed from them, and at last the stored result.
std::vector<TracedSum> trace_of(const Space& space, const Candidate& candidate,
                                const Product& product, const MatrixFormats& formats,
                                const Element& element);

}  // namespace mmaspec::explain
