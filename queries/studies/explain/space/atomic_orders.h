#pragma once
/// Atomic additions of many parts: finds the order in which they were executed.

#include <vector>

#include "queries/studies/explain/search.h"

namespace mmaspec::explain {

/// Seven to nine equal parts, of which the last may be shorter, whose f32 sums are added to +0 in
/// memory: the orders that reproduce all `elements`. Every space contains the orders of fewer
/// parts; more parts have too many orders.
std::vector<VersionSpace> search_atomic_orders(const std::vector<PreparedUnit>& units,
                                               const Product& product, const MatrixFormats& formats,
                                               const std::vector<Element>& elements,
                                               const Deadline& deadline);

}  // namespace mmaspec::explain
