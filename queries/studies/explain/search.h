#pragma once
/// Searches by elimination among the plans around all units.

#include <atomic>
#include <memory>
#include <vector>

#include "queries/studies/explain/product.h"
#include "queries/studies/explain/space/candidates.h"
#include "util/deadline.h"

namespace mmaspec::explain {

/// The remaining plans around one unit, in one order of K.
struct VersionSpace {
  std::shared_ptr<const Space> space;
  std::vector<Candidate> candidates;
  /// Number of elements, from the first on, on which all `candidates` were tried. Without
  /// candidates: the number on which the last ones agreed.
  std::size_t elements = 0;
};

struct SearchResult {
  std::vector<VersionSpace> left;  ///< spaces with remaining candidates
  std::vector<VersionSpace>
      nearest;  ///< if there are none: those eliminated last, most elements first
  std::size_t spaces = 0;
  std::size_t plans = 0;
  bool finished = false;  ///< whether the whole space was searched
};

/// `elements`: in the order in which they are tried. After some elements few candidates of a space
/// are left, and check_plan() checks the other elements.
SearchResult search(const std::vector<PreparedUnit>& units, const Product& product,
                    const MatrixFormats& formats, const std::vector<Element>& elements,
                    Extent extent, int threads, const Deadline& deadline);

/// The candidates of a space that reproduce most of the first `tried` elements, at most `count`.
std::vector<Candidate> nearest_candidates(const Space& space, const Product& product,
                                          const MatrixFormats& formats,
                                          const std::vector<Element>& elements, std::size_t tried,
                                          std::size_t count, const Deadline& deadline);

}  // namespace mmaspec::explain
