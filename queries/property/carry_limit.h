#pragma once
/// The limit of carry-bits.

#include <optional>
#include <stdexcept>

#include "queries/property/property.h"
#include "util/unsigned.h"

namespace mmaspec {

/// The fraction bits of a fused sum of a fixed width; nullopt: the design has no such sum.
inline std::optional<int> fused_fraction_bits(const Subject& s) {
  const auto* padded = s.first.algorithm.as<Padded>();
  const auto* fused = (padded != nullptr ? *padded->whole : s.first.algorithm).as<FusedDotAdd>();
  return fused == nullptr ? std::nullopt : std::optional(fused->fraction_bits);
}

/// The least magnitude of a sum that overflows the register, in units of the sum's last bit. Throws
/// std::invalid_argument if the subject's parameter is not a number of bits.
inline Integer carry_limit(const Subject& s) {
  if (!s.parameter || denominator(*s.parameter) != 1 || *s.parameter < 0 || *s.parameter > 64) {
    throw std::invalid_argument("carry-bits: --bound must be a number of bits, 0 to 64");
  }
  return power_of_two(u(*fused_fraction_bits(s)) + 2 +
                      numerator(*s.parameter).convert_to<unsigned>());
}

}  // namespace mmaspec
