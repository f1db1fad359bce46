#pragma once
/// How a result is brought into a format, its parameters known or symbolic.

#include "spec/formats/round.h"
#include "spec/lang/choice.h"

namespace mmaspec {

/// ResultFormat with expressions for its parameters: one of numbers at constants.
struct SymbolicResultFormat {
  SymbolicResultFormat(const ResultFormat& result);  // NOLINT(google-explicit-constructor)
  SymbolicResultFormat(const Format* f, Choice<Rounding> r, Choice<Underflow> small,
                       Choice<Overflow> large, Int kept)
      : format(f), rounding(r), underflow(small), overflow(large), kept_fraction_bits(kept) {}

  const Format* format;
  Choice<Rounding> rounding;
  Choice<Underflow> underflow;
  Choice<Overflow> overflow;
  Int kept_fraction_bits;  ///< 0 .. format->fraction_bits, by its range
};

/// As for a ResultFormat (spec/formats/round.h), which is the same at constants.
Int round_and_pack(const Number& x, const SymbolicResultFormat& result);

}  // namespace mmaspec
