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

/// True if a magnitude in units of its last place is rounded up: `odd`: the last place is odd,
/// `round_bit`: the first digit below it, `sticky`: some digit below that is one.
Bool rounds_up(const Choice<Rounding>& rounding, Bool sign, Bool odd, Bool round_bit, Bool sticky);

/// As for a ResultFormat (spec/formats/round.h), and equal to it for constants.
Int round_and_pack(const Number& x, const SymbolicResultFormat& result);

}  // namespace mmaspec
