#ifndef MMASPEC_COMPARE_H
#define MMASPEC_COMPARE_H
/// \file
/// Results against a unit, and two units on your own matrices: how many results differ, by how
/// much, and which differ most.
///
/// Results are compared as values: every NaN equals every NaN, and +0 equals -0. Comparison also
/// counts results whose bit patterns differ.
///
/// \code
/// d[5] += 1;  // one ulp
/// const mmaspec::Comparison found =
///     mmaspec::compare_results(unit, {{operands, mmaspec::row_major(d.data(), 64, 48)}});
/// require(found.elements == 64 * 48 && found.differing == 1);
/// require(found.largest_ulp == "1" && found.worst[0].column == 5);
/// \endcode

#include <mmaspec/evaluate.h>
#include <mmaspec/export.h>
#include <mmaspec/units.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

MMASPEC_BEGIN_NAMESPACE

/// By what the worst elements are chosen.
enum class WorstBy { ulp, relative };

/// What a test allows: |first - second| <= atol + rtol * |first|, compared exactly. NumPy's
/// allclose() has this form.
struct Tolerance {
  std::string atol = "0";  ///< from 0 on: a decimal, a hex float or a fraction
  std::string rtol = "0";
};

/// How results are compared, and what the answer has.
struct CompareOptions {
  std::size_t worst = 5;  ///< elements that the answer has
  WorstBy by = WorstBy::ulp;
  int threads = 0;  ///< at most 4096; 0: one for each core
  std::optional<Tolerance> tolerance;
};

/// An element on which two results differ.
struct ComparedElement {
  std::size_t product;  ///< its index among the products
  std::size_t row;
  std::size_t column;
  /// Of the first unit, chained to the least multiple of its k that is at least K: what
  /// first.of_length(operands.a.size()) takes.
  DotProduct operands;
  std::uint64_t first;
  std::uint64_t second;
  /// Distance in units in the last place of the first unit's results: a decimal integer; `inf` if
  /// one result is a NaN, or (of two formats) infinite, and the other is not.
  std::string ulp;
  /// |first - second| / (|c| + sum |a[k] * b[k]|), scale factors included; infinite if one of both
  /// is not finite, or the sum is 0.
  double relative;
};

/// How many differences lie from `from` to `to` ulp, which are decimal integers.
struct UlpBin {
  std::string from;
  std::string to;
  std::size_t count;
};

/// How the results of two units, or given results and a unit's, differ.
struct Comparison {
  std::string note;  ///< how both units were brought to K of the matrices; empty: they have it
  std::size_t elements = 0;
  std::size_t differing = 0;       ///< as values
  std::size_t differing_bits = 0;  ///< as bit patterns; 0 if the units' formats of d differ
  std::size_t exceeding = 0;       ///< of `differing`: more than the tolerance, if one was given
  std::size_t beyond_ulp = 0;      ///< of `differing`: those whose ulp is `inf`
  std::vector<UlpBin> bins;        ///< of the others: 1, 2, 3 to 4, 5 to 8, ...
  std::string largest_ulp;         ///< of the others: a decimal integer
  double largest_relative = 0;     ///< of `differing`, those that are finite
  double mean_relative = 0;        ///< over all elements but `beyond_ulp`
  std::vector<ComparedElement> worst;  ///< the worst first
};

/// Operands, and a result that was computed from them elsewhere.
struct GivenResult {
  MatrixOperands operands;
  MatrixView d;  ///< M x N patterns of the unit's format of d
};

/// Compares results with those of a unit, which are `first`. All products have one K. Throws
/// BadInput as multiply() does, and Stopped.
MMASPEC_EXPORT Comparison compare_results(const Unit& unit, const std::vector<GivenResult>& results,
                                          const CompareOptions& options = {});

/// Compares the results of two units on the same operands. All products have one K. Throws BadInput
/// as multiply() does, and if the operands of both have different formats; and Stopped.
MMASPEC_EXPORT Comparison compare(const Unit& first, const Unit& second,
                                  const std::vector<MatrixOperands>& products,
                                  const CompareOptions& options = {});

MMASPEC_END_NAMESPACE

#endif
