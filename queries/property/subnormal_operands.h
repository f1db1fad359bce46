#pragma once
/// The cases of subnormal-inputs.

#include <optional>
#include <vector>

#include "queries/property/property.h"

namespace mmaspec {

/// An operand, and the index of the product of which it is a factor.
struct SubnormalOperand {
  char name;
  std::optional<std::size_t> k;
};

/// Operands whose subnormals, times 1, are numbers that d holds.
inline std::vector<SubnormalOperand> subnormal_operands(const Subject& s) {
  const DotFormats& f = s.formats();
  const std::size_t products = s.form == Form::whole ? static_cast<std::size_t>(f.k) : 1;
  std::vector<SubnormalOperand> all;
  const auto reaches_d = [&](const Format& format) {
    const int least = format.least_exponent() - format.fraction_bits;
    return format.has_zero && format.fraction_bits > 0 &&
           least >= f.d->least_exponent() - f.d->fraction_bits;
  };
  // Scale factors below 1 reduce products again.
  for (std::size_t k = 0; f.scale == nullptr && k < products; ++k) {
    if (reaches_d(*f.a)) all.push_back({'a', k});
    if (reaches_d(*f.b)) all.push_back({'b', k});
  }
  if (reaches_d(*f.c)) all.push_back({'c', std::nullopt});
  return all;
}

}  // namespace mmaspec
