#pragma once
/// IEEE 754 addition and fused multiply-add: two summands, one rounding.

#include "spec/formats/symbolic_result.h"
#include "spec/parts/terms.h"

namespace mmaspec {

/// x + y rounded once. The sum is never wider than the larger significand and a few guard bits:
/// both summands are rounded to odd below these, which does not change any rounding of the sum (S.
/// Boldo and G. Melquiond, Emulation of FMA and correctly rounded sums: proved algorithms using
/// rounding to odd, 2008). Each significand must be zero or have one of its two highest bits set
/// (normalized operands, and products of such). Exact zeros get the sign that IEEE 754 specifies.
Int rounded_sum(const Term& x, const Term& y, const SymbolicResultFormat& result);

/// a * b + c in result.format, rounded once; NaN results have the pattern `nan`.
Int fused_multiply_add(const Format& fa, Int a, const Format& fb, Int b, const Format& fc, Int c,
                       const SymbolicResultFormat& result, const Integer& nan);

/// x * y + (+0) in result.format, rounded once; NaN results have the pattern `nan`. A product of -0
/// gives +0 (unless rounding is down, or with `keeps_minus_zero`, which computes x * y alone). A
/// product that rounds to zero keeps its sign.
Int product_plus_zero(const Format& fx, Int x, const Format& fy, Int y,
                      const SymbolicResultFormat& result, const Integer& nan,
                      Bool keeps_minus_zero = false);

/// The same for product k times its scale factors, rounded once.
Int scaled_product_plus_zero(const DotFormats& formats, const UnpackedOperands& operands,
                             std::size_t k, const SymbolicResultFormat& result, const Integer& nan,
                             Bool keeps_minus_zero);

/// x * y in result.format, rounded once, with IEEE 754's sign of a zero; NaN results have the
/// pattern `nan`.
Int multiply(const Format& fx, Int x, const Format& fy, Int y, const SymbolicResultFormat& result,
             const Integer& nan);

/// x[0] * y[0] + x[1] * y[1] in result.format, rounded once; NaN results have the pattern `nan`.
Int dot_of_two(const Format& fx, Int x0, Int x1, const Format& fy, Int y0, Int y1,
               const SymbolicResultFormat& result, const Integer& nan);

/// x + y in result.format, rounded once; NaN results have the pattern `nan`.
Int add(const Format& fx, Int x, const Format& fy, Int y, const SymbolicResultFormat& result,
        const Integer& nan);

}  // namespace mmaspec
