#pragma once
/// The search by elimination among the plans around all units.

#include <atomic>
#include <memory>
#include <vector>

#include "queries/studies/explain/product.h"
#include "queries/studies/explain/space/candidates.h"
#include "util/deadline.h"

namespace mmaspec::explain {

/// What is left of one unit's plans in one order of K.
struct Survivors {
  std::shared_ptr<const Space> space;
  std::vector<Candidate> candidates;
  /// Elements on which all of `candidates` were tried, from the first on. With no candidate left:
  /// on how many the last ones agreed.
  std::size_t elements = 0;
};

struct SearchResult {
  std::vector<Survivors> left;  ///< spaces in which some are left
  std::vector<Survivors>
      nearest;  ///< where none is: those that were left last, most elements first
  std::size_t spaces = 0;
  std::size_t plans = 0;
  bool finished = false;  ///< the whole space was searched
};

/// `elements`: in the order in which they are tried. After some elements few candidates of a space
/// are left, and the other elements remain for check_plan().
SearchResult search(const std::vector<PreparedUnit>& units, const Product& product,
                    const MatrixFormats& formats, const std::vector<Element>& elements,
                    Extent extent, int threads, const Deadline& deadline);

/// The candidates of a space that reproduce most of the first `tried` elements, at most `count`.
std::vector<Candidate> nearest_candidates(const Space& space, const Product& product,
                                          const MatrixFormats& formats,
                                          const std::vector<Element>& elements, std::size_t tried,
                                          std::size_t count, const Deadline& deadline);

}  // namespace mmaspec::explain
