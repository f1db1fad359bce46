#pragma once
/// Absolute error bounds of dot products whose operands lie in a known range, for any K.

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
  Rational scale_a;  ///< of every scale factor of a; 1 without scale factors
  Rational scale_b;
  Rational
      product;  ///< |a[k] * b[k]| times its scale factors; at most the product of the bounds above
  /// Some factor a[k] or b[k] may be subnormal in its format.
  bool subnormal_factors = true;
  bool non_negative = false;  ///< no product, with its scale factors, nor c is less than zero
  bool non_positive = false;  ///< none is more
  /// |c| + sum |a[k] * b[k]|, with scale factors: of one dot product, where its operands are known.
  std::optional<Rational> magnitudes = {};
  /// |c + a[0] * b[0] + ... + a[n - 1] * b[n - 1]| for every n from 0 to K, with scale factors.
  std::optional<Rational> partial_sums = {};
};

/// -below <= d - (c + sum a[k] * b[k]) <= above.
struct ErrorInterval {
  Rational below;
  Rational above;
  /// The error is the sum of single errors, of cuts and roundings: the sum of the squares of their
  /// bounds.
  Rational squares = 0;

  Rational size() const { return std::max(below, above); }
};

/// An interval that holds the errors of all finite operands in the range; no step overflows.
/// std::nullopt if a step may overflow, or if no bound exists: factors other than one in an
/// epilogue, c that a plan does not read, product_overflow in the range, residues whose sums are
/// not exact, and the pseudo-code of bulk-normalized sums where such a sum may be subnormal, whose
/// bits are not its value then.
///
/// By induction over the steps: the magnitude of the running sum bounds the largest exponent of the
/// next step, which bounds what alignment cuts from each term and what rounding loses. The steps'
/// errors add up, because each step is exact but for its own cuts and roundings. Rounding down
/// makes errors of one sign; so does rounding toward zero where all terms have one sign. An
/// intermediate result lies within its error of the exact sum of some of the terms, which is at
/// most `magnitudes`; where the terms are added in order, of the first ones, which is at most
/// `partial_sums`; of consecutive ones, the difference of two of these. The time is linear in the
/// number of steps. After N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd
/// ed., section 3.1 and Blanchard et al., SIAM J. Sci. Comput. 42(3), 2020, section 3, in absolute
/// terms.
std::optional<ErrorInterval> error_in_range(const Instruction& instruction,
                                            const OperandRange& range);

}  // namespace mmaspec
