#pragma once
/// The orders in which a unit may get the products.

#include <optional>
#include <vector>

#include "queries/studies/explain/space/units.h"
#include "spec/plans/operand_schemes.h"

namespace mmaspec::explain {

/// The order in which a unit gets the products.
struct ProductsOrder {
  std::optional<Permute> permute = {};  ///< nullopt: ascending
  /// If not 0: ascending order, but in each of `parts` equal parts the rest comes first: see
  /// RestFirst.
  int tile = 0;
  int parts = 1;

  /// Whether blocks of all K are distributed among several accumulations, except for products that
  /// do not fill an unrolled iteration.
  bool is_dealt() const {
    return permute && permute->order == ProductOrder::interleaved && permute->within == 0;
  }
  bool is_unrolled() const { return permute && permute->unroll > 0; }
  bool is_reversed() const { return permute && permute->order == ProductOrder::reversed; }
};

/// The orders of K that are tried for a unit with `unit_k` products in a step.
std::vector<ProductsOrder> orders_of_products(int unit_k, std::size_t products, Extent extent);

/// The index of the product at each position of the operands for a unit with `unit_k` products in a
/// step, padded to whole steps; -1, and indices beyond the last product: +0 * +0.
std::vector<int> ordered_products(const ProductsOrder& order, int unit_k, std::size_t products);

}  // namespace mmaspec::explain
