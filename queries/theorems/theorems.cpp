#include "queries/theorems/theorems.h"

namespace mmaspec {
namespace {

constexpr std::string_view kHandbook =
    "Muller et al., Handbook of Floating-Point Arithmetic (2018), 2.2";
constexpr std::string_view kMikaitis =
    "Mikaitis, Monotonicity of multi-term floating-point adders (IEEE Trans. Computers, 2024)";
constexpr std::string_view kIeee = "IEEE 754-2019, 4.3 and 5.1";
constexpr std::string_view kHigham =
    "Higham, Accuracy and Stability of Numerical Algorithms (2002), 2.2 and 3.1";
constexpr std::string_view kBlanchard =
    "Blanchard et al., Mixed precision block fused multiply-add (SIAM J. Sci. Comput., 2020)";
constexpr std::string_view kOzaki =
    "Ozaki et al., Error-free transformations of matrix multiplication (Numer. Algorithms, 2012)";

constexpr std::string_view kOrder = "queries/theorems/steps/order.cpp";
constexpr std::string_view kSigns = "queries/theorems/steps/signs.cpp";
constexpr std::string_view kOneRounding = "queries/theorems/steps/one_rounding.cpp";
constexpr std::string_view kExactSteps = "queries/theorems/steps/exact_steps.cpp";
constexpr std::string_view kOverflow = "queries/theorems/steps/overflow.cpp";
constexpr std::string_view kStepsTest = "tests/queries/theorems/steps_test.cpp";

}  // namespace

const std::vector<TheoremRecord>& theorems() {
  using T = TrustedTheorem;
  static const std::vector<TheoremRecord> all{
      {T::monotone_steps,
       "If each step that an operand passes through rounds an exact result once, the result is "
       "monotone in this operand.",
       kHandbook, kOrder, kStepsTest},
      {T::accumulator_outweighs,
       "If the next larger c adds at least as much as its larger exponent cuts from all other "
       "terms of a block, the result is monotone in c.",
       kMikaitis, kOrder, kStepsTest},
      {T::group_outweighs,
       "If groups of products are summed exactly, and a non-zero group is larger than all that "
       "its exponent cuts from the other terms, the result is monotone in each product.",
       kMikaitis, kOrder, kStepsTest},
      {T::saturating_sum,
       "An integer sum whose steps add exactly and saturate is monotone in each term.", "", kOrder,
       kStepsTest},
      {T::doubling,
       "If all terms double and stay normal, every intermediate number doubles, and no rounding "
       "changes.",
       kHigham, "queries/theorems/doubling.cpp", kStepsTest},
      {T::sign_symmetry,
       "If each step cuts and rounds by magnitude, negated operands give the negated result.",
       kHandbook, kSigns, kStepsTest},
      {T::one_rounding,
       "If the exact result is rounded once and nothing else is cut, the result is that rounding, "
       "and two designs with the same rounding are equal.",
       kIeee, kOneRounding, kStepsTest},
      {T::zero_products,
       "If each step adds a zero without an error, zero products leave c as it is.", kIeee,
       kExactSteps, kStepsTest},
      {T::subnormals_kept,
       "If each step is an operation of IEEE 754 without flushing, subnormal operands count and "
       "subnormal results are kept.",
       kIeee, kExactSteps, kStepsTest},
      {T::exact_near_overflow,
       "If nothing is cut where the terms can reach the largest number, the result overflows only "
       "if the rounded exact result does.",
       "", kOverflow, kStepsTest},
      {T::no_overflow,
       "If all that is added at once is less than a quarter ulp of the largest number, finite "
       "operands give neither an infinity nor a NaN.",
       "", kOverflow, kStepsTest},
      {T::no_overflow_in_range,
       "If the precondition bounds the operands, a bound of every intermediate number shows that "
       "no step overflows.",
       kHigham, "queries/errors/range_error.cpp", "tests/queries/errors/range_error_test.cpp"},
      {T::pair_commutes, "The rounded sum of two rounded products does not depend on their order.",
       kIeee, kSigns, kStepsTest},
      {T::integers_exact,
       "An integer sum that wraps is exact modulo 2^n, and one that saturates once is exact if the "
       "exact result is a number of the format of d.",
       "", kExactSteps, kStepsTest},
      {T::error_of_steps,
       "The error of a result is at most the sum of what each step cuts and rounds, in ulp of the "
       "largest term.",
       kBlanchard, "queries/errors/error_analysis.cpp",
       "tests/queries/errors/error_analysis_test.cpp"},
      {T::componentwise_error,
       "The error of a result is at most a multiple of u (|c| + sum |a[k]| |b[k]|), for every K.",
       kBlanchard, "queries/errors/sum_error.cpp", "tests/queries/errors/sum_error_test.cpp"},
      {T::norm_error_of_words,
       "The error of a sum of products of scaled words is at most a multiple of "
       "u (|c| + sum |a[k]| max |b[k]|), if the factors are within a moderate range.",
       "Mary and Mikaitis, Error analysis of matrix multiplication with narrow range "
       "floating-point arithmetic (2025)",
       "queries/errors/scaled_words.cpp", "tests/queries/errors/scaled_words_test.cpp"},
      {T::sum_of_errors,
       "Two results of the same exact sum differ by at most the sum of both error bounds.", kHigham,
       "queries/distance/apart.cpp", "tests/queries/distance/worst_cases_test.cpp"},
      {T::common_values,
       "A design computes the same from operands of equal values in two formats, if their "
       "exponents are equal or cut nothing; parameters without an effect on these values may "
       "differ.",
       "", "queries/theorems/across.cpp", "tests/queries/theorems/across_test.cpp"},
      {T::flushed_links,
       "A chain of pairwise sums equals the whole sum, if a link that flushes its c gets a result "
       "that was flushed.",
       "", "queries/theorems/equal.cpp", "tests/suite/chained_sum_test.cpp"},
      {T::exact_slices,
       "Sums of Ozaki's slices and residues do not depend on the unit, if the unit adds their "
       "products without an error.",
       kOzaki, "queries/theorems/exact_slices.cpp", "tests/queries/theorems/exact_slices_test.cpp"},
      {T::added_sums,
       "Two designs that add the sums of equally many products to c, one after another, and round "
       "alike, are equal if neither loses a bit of a product when it rounds or aligns it.",
       kIeee, "queries/theorems/added_sums.cpp", "tests/queries/theorems/added_sums_test.cpp"},
  };
  return all;
}

std::string number_of(TrustedTheorem theorem) {
  return "T" + std::to_string(static_cast<int>(theorem) + 1);
}

std::optional<Argument> argument_if(bool condition, TrustedTheorem theorem,
                                    std::string_view because) {
  if (!condition) return std::nullopt;
  return Argument{theorem, std::string(because)};
}

}  // namespace mmaspec
