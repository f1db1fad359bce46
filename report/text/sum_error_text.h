#pragma once
/// Output of error bounds for every K.

#include <string>
#include <vector>

#include "queries/errors/sum_error.h"
#include "queries/property/property.h"

namespace mmaspec {

/// True if `prove` answers with a formula in K: for error-bound of a chain or a plan, without a
/// given bound or condition.
bool has_bounds_in_k(const Property& property, const Subject& subject,
                     const std::vector<std::string>& where);

struct BoundInK {
  SumError error;
  bool normal_factors = false;  ///< for operands a and b that are not subnormal
};

/// For all operands, and for those that are not subnormal if that bound is less; empty: nothing is
/// proved.
std::vector<BoundInK> bounds_in_k(const Instruction& instruction);

std::string text_of(const Instruction& instruction, const std::vector<BoundInK>& bounds);
std::string json_of(const Instruction& instruction, const std::vector<BoundInK>& bounds);

}  // namespace mmaspec
