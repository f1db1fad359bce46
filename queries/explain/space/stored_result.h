#pragma once
/// What becomes of the sum of all products: factors, C, and the format in which it is stored.

#include <cstdint>
#include <optional>
#include <vector>

#include "queries/explain/arithmetic.h"
#include "queries/explain/space/part_sums.h"
#include "queries/explain/space/units.h"

namespace mmaspec::explain {

/// The arithmetic of plan:epilogue around one unit.
class StoredResult {
 public:
  explicit StoredResult(const PreparedUnit& unit);

  /// D's pattern of the parts' sum (with C, if it joined before) and C, both of the sums' format.
  std::uint64_t operator()(const Finish& finish, std::uint64_t sum, std::uint64_t c) const;
  /// The sum times its factors, and with C where it joins the sum of all parts.
  std::uint64_t scaled(const Finish& finish, std::uint64_t sum, std::uint64_t c) const;

 private:
  std::uint64_t stored(const Finish& finish, std::uint64_t sum) const;

  const Format& sums_;
  std::optional<SumArithmetic> arithmetic_;
  std::vector<std::uint32_t> factors_;
  std::uint32_t beta_;
};

}  // namespace mmaspec::explain
