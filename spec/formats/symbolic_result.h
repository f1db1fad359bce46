#pragma once
/// How a result is converted to a format, with known or symbolic parameters.

#include "spec/formats/round.h"
#include "spec/lang/choice.h"

namespace mmaspec {

/// ResultFormat with expressions as parameters. With constants it is equivalent to a ResultFormat.
struct SymbolicResultFormat {
  SymbolicResultFormat(const ResultFormat& result);  // NOLINT(google-explicit-constructor)
  SymbolicResultFormat(const Format* f, Choice<Rounding> r, Choice<Underflow> small,
                       Choice<Overflow> large, Int kept)
      : format(f), rounding(r), underflow(small), overflow(large), kept_fraction_bits(kept) {}

  const Format* format;
  Choice<Rounding> rounding;
  Choice<Underflow> underflow;
  Choice<Overflow> overflow;
  Int kept_fraction_bits;  ///< in the range 0 .. format->fraction_bits
};

/// As for a ResultFormat (spec/formats/round.h), and equal to it for constants.
Int round_and_pack(const Number& x, const SymbolicResultFormat& result);

}  // namespace mmaspec
