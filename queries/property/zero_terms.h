#pragma once
/// Helpers for properties of dot-adds most of whose terms are zero.

#include <optional>

#include "queries/property/property.h"
#include "spec/formats/integer.h"
#include "spec/parts/terms.h"

namespace mmaspec {

/// The factor of a product that an operand contributes: its significand, or the integer.
inline Int factor(const Format& format, Int pattern) {
  return format.is_integer() ? integer_value(format, pattern) : unpack(format, pattern).significand;
}

/// The nodes of all products of significands except `kept`, all of which are zero if `zero` holds.
struct ZeroProducts {
  Bool zero;
  std::vector<std::pair<NodeId, Integer>> known;
};
inline ZeroProducts zero_products(const DotFormats& formats, const DotOperands& operands,
                                  std::optional<std::size_t> kept) {
  std::vector<Bool> all;
  std::vector<std::pair<NodeId, Integer>> known;
  for (std::size_t k = 0; k < operands.a.size(); ++k) {
    if (k == kept) continue;
    const Int a = factor(*formats.a, operands.a[k]);
    const Int b = factor(*formats.b, operands.b[k]);
    known.emplace_back((a * b).id(), 0);
    all.push_back(a == 0 || b == 0);
  }
  return {all_of(all), std::move(known)};
}

inline Bool product_is_zero(const DotFormats& formats, const DotOperands& operands, std::size_t k) {
  return unpack(*formats.a, operands.a[k]).significand == 0 ||
         unpack(*formats.b, operands.b[k]).significand == 0;
}

}  // namespace mmaspec
