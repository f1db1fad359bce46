#pragma once
/// Decides under which conditions a property's reduced form is equivalent to the whole form
/// (UnderCondition::reduces), and generates orders of products.

#include <vector>

#include "queries/property/property.h"

namespace mmaspec {

/// Exchanges products first .. first + count - 1 with `count` products from `second` on. Whole
/// blocks move with their scale factors.
struct ProductSwap {
  int first;
  int second;
  int count;
};

/// Swaps of neighbours that generate every order of the products inside each block of `within` (0:
/// all) products. Products with block scale factors move inside their block, or a whole block
/// moves.
std::vector<ProductSwap> neighbour_swaps(const DotFormats& formats, int within);

/// A sequence of optional swaps that can produce every such order: a sorting network.
std::vector<ProductSwap> order_network(const DotFormats& formats, int within);

/// Applies the swap if `made` holds.
void apply(const ProductSwap& swap, Bool made, const DotFormats& formats, DotOperands& operands);

/// True if the condition has the same value for operands in every order that the property covers,
/// and does not depend on the result. All intermediate orders between two orders then satisfy it
/// too.
bool is_kept_by_each_order(const Subject& subject, const Condition& condition,
                           const Refuter& refuter);

/// The same for every order of the products, so that each product can represent any other.
bool is_kept_by_each_place(const Subject& subject, const Condition& condition,
                           const Refuter& refuter);

/// The same for exchanging a[k] and b[k].
bool is_kept_by_each_swap(const Subject& subject, const Condition& condition,
                          const Refuter& refuter);

/// True if, for fixed other operands, the condition holds for all c between two values of c for
/// which it holds (for zero: for both zeros), and if it does not depend on the result. False if
/// the refuter does not prove this.
bool is_interval_of_c(const Subject& subject, const Condition& condition, const Refuter& refuter);

}  // namespace mmaspec
