#pragma once
/// The ways in which K is split into parts and promotions.

#include <vector>

#include "queries/studies/explain/space/product_orders.h"

namespace mmaspec::explain {

/// How K is split, in points of SegmentSums.
struct Shape {
  int every = 0;          ///< points between two promotions; 0: there are none
  std::vector<int> ends;  ///< the ends of the parts; the last one is the last point

  friend bool operator<(const Shape& x, const Shape& y) {
    return x.every != y.every ? x.every < y.every : x.ends < y.ends;
  }
};

/// The shapes that are tried for K in `steps` steps of the unit, with a point every `grain` steps.
/// `adds`: whether sums can be added, so that K may be split.
std::vector<Shape> shapes_of_k(const ProductsOrder& order, std::size_t steps, int grain, bool adds,
                               Extent extent);

}  // namespace mmaspec::explain
