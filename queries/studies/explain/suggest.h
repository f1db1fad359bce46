#pragma once
/// Small matrices whose product distinguishes plans.

#include <cstdint>
#include <string>
#include <vector>

#include "queries/studies/explain/space/units.h"
#include "util/deadline.h"

namespace mmaspec::explain {

/// Operands for which plans give different results.
struct Suggestion {
  std::size_t rows = 0;  ///< of A, and columns of B
  std::size_t k = 0;
  std::vector<std::uint64_t> a;  ///< rows x k patterns
  std::vector<std::uint64_t> b;  ///< k x rows
  std::vector<std::uint64_t> c;  ///< rows x rows; empty without C
  /// Number of classes of plans that the elements do not distinguish further.
  std::size_t classes = 0;
};

/// For two or more plans with K = k. `has_c`: whether they get a C; otherwise c is +0.
Suggestion suggest(const std::vector<std::string>& names, std::size_t k, bool has_c,
                   const Deadline& deadline);

}  // namespace mmaspec::explain
