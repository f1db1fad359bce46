#pragma once
/// Successors of numbers. For monotonicity it suffices to compare a number with its successor,
/// because steps to the successor connect any two numbers.

#include "queries/property/property.h"
#include "spec/formats/integer.h"

namespace mmaspec {

/// The pattern of the next larger number after a finite one; if that is zero, -0 if `other_zero`.
/// The successor of a zero is the least positive number or, if `other_zero`, the zero of the other
/// sign, which has the same value. The largest integer has no successor and stays.
inline Int successor(const Format& f, Int pattern, Bool other_zero) {
  if (f.is_integer()) {
    return integer_pattern(f, clamped(f, integer_value(f, pattern) + 1));
  }
  const Integer unit = power_of_two(static_cast<unsigned>(f.ignored_low_bits));
  const Int size = bits(pattern, 0, static_cast<unsigned>(f.sign_bit()));
  const Bool negative = bit(pattern, static_cast<unsigned>(f.sign_bit()));
  const Bool down = negative && size != 0;
  const Bool turned = size == 0 && other_zero;
  const Int stepped = select(turned, 0, size + select(down, Integer(-unit), unit));
  const Bool below = (down && (size != unit || other_zero)) || (turned && !negative);
  return with_sign(f, below, max(stepped, 0));
}

}  // namespace mmaspec
