#pragma once
/// Under which conditions a property's reduced form says all that the whole says
/// (UnderCondition::reduces); and the orders in which products can come.

#include <vector>

#include "queries/property/property.h"

namespace mmaspec {

/// Products first .. first + count - 1 and as many from `second` on change places; whole blocks do
/// so with their scale factors.
struct ProductSwap {
  int first;
  int second;
  int count;
};

/// Swaps of neighbours that together make every order in which the products inside each block of
/// `within` (0: all) can come. Products with block scale factors move inside their block, or a
/// whole block moves.
std::vector<ProductSwap> neighbour_swaps(const DotFormats& formats, int within);

/// Swaps that, one after the other and each made or not, make every such order: sorting networks,
/// which sort whatever order they are given.
std::vector<ProductSwap> order_network(const DotFormats& formats, int within);

/// Swaps where `made` holds.
void apply(const ProductSwap& swap, Bool made, const DotFormats& formats, DotOperands& operands);

/// The condition says the same of operands in every order that the property asks of, and nothing of
/// the result: so all orders on the way from one to another satisfy it too.
bool is_kept_by_each_order(const Subject& subject, const Condition& condition,
                           const Portfolio& solvers);

/// The same of any order: so that any product's place stands for any other's.
bool is_kept_by_each_place(const Subject& subject, const Condition& condition,
                           const Portfolio& solvers);

/// The same of a[k] and b[k] changing places.
bool is_kept_by_each_swap(const Subject& subject, const Condition& condition,
                          const Portfolio& solvers);

/// With the other operands given, the condition holds of all numbers c between two of which it
/// holds (of zero: of either zero), and it says nothing of the result. False where that is not seen
/// within seconds.
bool is_interval_of_c(const Subject& subject, const Condition& condition, const Portfolio& solvers);

}  // namespace mmaspec
