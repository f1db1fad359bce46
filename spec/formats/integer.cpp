#include "spec/formats/integer.h"

#include "util/unsigned.h"

namespace mmaspec {
Int integer_value(const Format& format, Int pattern) {
  const Int low = bits(pattern, 0, u(format.fraction_bits));
  if (!format.twos_complement) return low;
  const Int sign = bits(pattern, u(format.sign_bit()), 1);
  return low - power_of_two(u(format.sign_bit())) * sign;
}

Int integer_pattern(const Format& format, Int x) {
  const Integer modulus = power_of_two(u(format.storage_bits));
  // A multiple of the modulus that makes x nonnegative.
  const Integer least = x.range().low;
  const Integer lifted = least >= 0 ? Integer(0) : Integer((-least + modulus - 1) / modulus);
  return bits(x + Integer(lifted * modulus), 0, u(format.storage_bits));
}

Int clamped(const Format& format, Int x) {
  return min(max(x, format.least_integer()), format.largest_integer());
}

Bool holds_integer(const Format& format, Int x) {
  return x >= format.least_integer() && x <= format.largest_integer();
}

}  // namespace mmaspec
