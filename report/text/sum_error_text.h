#pragma once
/// Error bounds for every K, as they are shown.

#include <string>
#include <vector>

#include "queries/errors/sum_error.h"
#include "queries/property/property.h"

namespace mmaspec {

/// Whether `prove` answers with a formula in K: error-bound of a chain or a plan, of which neither
/// a bound nor a condition is given.
bool has_bounds_in_k(const Property& property, const Subject& subject,
                     const std::vector<std::string>& where);

struct BoundInK {
  SumError error;
  bool normal_factors = false;  ///< of operands a and b of which none is subnormal
};

/// Of all operands, and of those that are not subnormal where that is less; none: nothing is
/// proved.
std::vector<BoundInK> bounds_in_k(const Instruction& instruction);

std::string text_of(const Instruction& instruction, const std::vector<BoundInK>& bounds);
std::string json_of(const Instruction& instruction, const std::vector<BoundInK>& bounds);

}  // namespace mmaspec
