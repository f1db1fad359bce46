#pragma once
/// IEEE 754 addition and fused multiply-add: two summands, rounded once.

#include "spec/formats/symbolic_result.h"
#include "spec/parts/terms.h"

namespace mmaspec {

/// x + y rounded once, never wider than the larger significand and a few guard bits: both are
/// rounded to odd below these, which changes no rounding of the sum (S. Boldo and G. Melquiond,
/// Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd, 2008).
/// Each significand is zero or has one of its two highest bits set (normalised operands, and
/// products of such). Exact zeros get IEEE's sign.
Int rounded_sum(const Term& x, const Term& y, const SymbolicResultFormat& result);

/// a * b + c in result.format, rounded once; NaNs come out as `nan`.
Int fused_multiply_add(const Format& fa, Int a, const Format& fb, Int b, const Format& fc, Int c,
                       const SymbolicResultFormat& result, const Integer& nan);

/// x * y + (+0) in result.format, rounded once; NaNs come out as `nan`. A product that is -0 comes
/// out as +0 (unless the rounding is down, or it `keeps_minus_zero`: x * y alone), one that rounds
/// to zero keeps its sign.
Int product_plus_zero(const Format& fx, Int x, const Format& fy, Int y,
                      const SymbolicResultFormat& result, const Integer& nan,
                      Bool keeps_minus_zero = false);

/// x * y in result.format, rounded once, with IEEE's sign of a zero; NaNs come out as `nan`.
Int multiply(const Format& fx, Int x, const Format& fy, Int y, const SymbolicResultFormat& result,
             const Integer& nan);

/// x[0] * y[0] + x[1] * y[1] in result.format, rounded once; NaNs come out as `nan`.
Int dot_of_two(const Format& fx, Int x0, Int x1, const Format& fy, Int y0, Int y1,
               const SymbolicResultFormat& result, const Integer& nan);

/// x + y in result.format, rounded once; NaNs come out as `nan`.
Int add(const Format& fx, Int x, const Format& fy, Int y, const SymbolicResultFormat& result,
        const Integer& nan);

}  // namespace mmaspec
