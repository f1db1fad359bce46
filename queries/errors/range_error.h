#pragma once
/// Absolute error bounds for any K of dot products whose operands lie in a known range.

#include <algorithm>
#include <optional>

#include "spec/catalog/instruction.h"
#include "spec/formats/text.h"

namespace mmaspec {

/// Upper bounds of the magnitudes of all finite operands of a dot product.
struct OperandRange {
  Rational a;        ///< |a[k]| for every k
  Rational b;        ///< |b[k]| for every k
  Rational c;        ///< |c|; 0: c is zero
  Rational scale_a;  ///< upper bound of every scale factor of a; 1 without scale factors
  Rational scale_b;
  Rational
      product;  ///< |a[k] * b[k]| times its scale factors; at most the product of the bounds above
  /// Whether some factor a[k] or b[k] may be subnormal in its format.
  bool subnormal_factors = true;
  bool non_negative = false;  ///< c, and every product with its scale factors, is at least zero
  bool non_positive = false;  ///< the same: at most zero
  /// |c| + sum |a[k] * b[k]| with scale factors, for a single dot product with known operands.
  std::optional<Rational> magnitudes = {};
  /// Upper bound of |c + a[0] * b[0] + ... + a[n - 1] * b[n - 1]| for every n from 0 to K, with
  /// scale factors.
  std::optional<Rational> partial_sums = {};
};

/// -below <= d - (c + sum a[k] * b[k]) <= above.
struct ErrorInterval {
  Rational below;
  Rational above;
  /// The error is a sum of single errors of cuts and roundings. This is the sum of the squares of
  /// their bounds.
  Rational squares = 0;

  Rational size() const { return std::max(below, above); }
};

/// An interval that contains the errors of all finite operands in the range, if no step overflows.
///
/// nullopt if a step may overflow or if no bound exists: factors other than one in an epilogue; a c
/// that a plan does not read; product_overflow in the range; residues whose sums are not exact; and
/// the pseudo-code of bulk-normalized sums where such a sum may be subnormal, because its bits then
/// do not represent its value.
///
/// By induction over the steps: the magnitude of the running sum bounds the largest exponent of the
/// next step, which bounds what alignment cuts from each term and what rounding loses. The steps'
/// errors add up, because each step is exact except for its own cuts and roundings. Rounding down
/// gives errors of one sign; so does rounding toward zero if all terms have the same sign. An
/// intermediate result lies within its error of the exact sum of a subset of the terms, which is at
/// most `magnitudes`. If the terms are added in order, the subset is a prefix, whose sum is at most
/// `partial_sums`; a sum of consecutive terms is the difference of two prefixes. The time is linear
/// in the number of steps. After N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd
/// ed., section 3.1 and Blanchard et al., SIAM J. Sci. Comput. 42(3), 2020, section 3, in absolute
/// terms.
std::optional<ErrorInterval> error_in_range(const Instruction& instruction,
                                            const OperandRange& range);

}  // namespace mmaspec
