#pragma once
/// The last steps from the sum of all products to D: factors, C, and the format in which it is
/// stored.

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

  /// D's pattern for the parts' sum (with C if it was added before) and C, both in the sums'
  /// format. `factors`: the factors of the sum, f32 patterns, applied in sequence.
  std::uint64_t operator()(const Finish& finish, std::uint64_t sum, std::uint64_t c,
                           const std::vector<std::uint32_t>& factors) const;

 private:
  /// The sum times its factors, plus C if it is added to the sum of all parts.
  std::uint64_t scaled(const Finish& finish, std::uint64_t sum, std::uint64_t c,
                       const std::vector<std::uint32_t>& factors) const;
  std::uint64_t stored(const Finish& finish, std::uint64_t sum) const;

  const Format& sums_;
  std::optional<SumArithmetic> arithmetic_;
  std::uint32_t beta_;
};

}  // namespace mmaspec::explain
