#pragma once
/// What becomes of the sum of all products: factors, C, and the format in which it is stored.

#include <cstdint>
#include <optional>
#include <vector>

#include "queries/studies/explain/arithmetic.h"
#include "queries/studies/explain/space/part_sums.h"
#include "queries/studies/explain/space/units.h"

namespace mmaspec::explain {

/// The arithmetic of plan:epilogue around one unit.
class StoredResult {
 public:
  explicit StoredResult(const PreparedUnit& unit);

  /// D's pattern of the parts' sum (with C, if it joined before) and C, both of the sums' format.
  /// `factors`: of the sum, f32 patterns, one after the other.
  std::uint64_t operator()(const Finish& finish, std::uint64_t sum, std::uint64_t c,
                           const std::vector<std::uint32_t>& factors) const;

 private:
  /// The sum times its factors, and with C where it joins the sum of all parts.
  std::uint64_t scaled(const Finish& finish, std::uint64_t sum, std::uint64_t c,
                       const std::vector<std::uint32_t>& factors) const;
  std::uint64_t stored(const Finish& finish, std::uint64_t sum) const;

  const Format& sums_;
  std::optional<SumArithmetic> arithmetic_;
  std::uint32_t beta_;
};

}  // namespace mmaspec::explain
