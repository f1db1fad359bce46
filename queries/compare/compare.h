#pragma once
/// Compares two designs on a user's own matrices: how many results differ, by how much, and which
/// differ most.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "concrete/device/device.h"
#include "concrete/matrix/matrix.h"
#include "concrete/rows/row.h"
#include "queries/statement/pairing.h"
#include "spec/formats/text.h"

namespace mmaspec {

enum class WorstBy { ulp, relative };

/// The tolerance of a test: |d_first - d_second| <= atol + rtol * |d_first|, evaluated exactly.
struct Tolerance {
  Rational atol = 0;
  Rational rtol = 0;
};

struct CompareOptions {
  std::size_t worst = 5;  ///< number of elements kept
  WorstBy by = WorstBy::ulp;
  int threads = 0;  ///< 0: one for each core
  /// The device that computes the results; nullptr: this machine's processor.
  std::shared_ptr<device::Device> device = nullptr;
  std::optional<Tolerance> tolerance = {};
};

/// The operands of one product, and where both results are stored.
struct ComparedProduct {
  MatrixOperands operands;  ///< patterns in the formats of both designs
  PatternSpan d_first;
  PatternSpan d_second;
};

struct ComparedElement {
  std::size_t product;
  std::size_t row;
  std::size_t column;
  /// A witness. It is one of the first design only if the second has another K and therefore other
  /// zeros.
  VectorRow values;
  Integer d_second;
  std::optional<Integer> ulp;  ///< nullopt: the distance is not defined
  /// |d_first - d_second| / (|c| + sum |a[k] b[k]|), scale factors included. Infinite if one result
  /// is not a number or the sum is 0.
  double relative;
};

/// Number of differences of `from` to `to` ulp.
struct UlpBin {
  Integer from;
  Integer to;
  std::size_t count;
};

struct Comparison {
  Instruction first;
  Instruction second;
  std::string note;                         ///< what was changed to make K equal
  std::optional<Tolerance> tolerance = {};  ///< the given tolerance
  std::size_t products = 0;
  std::size_t elements = 0;
  /// Number of different values. All NaNs are equal, and +0 equals -0.
  std::size_t differing = 0;
  /// How many of these are farther apart than the tolerance allows, or have a NaN or an infinity
  /// that the other result does not share. 0 without a tolerance.
  std::size_t exceeding = 0;
  std::size_t beyond_ulp = 0;   ///< how many of these have no distance in ulp (a NaN or an infinity
                                ///< and another value)
  std::vector<UlpBin> bins;     ///< for the others: 1, 2, 3..4, 5..8 and so on, to the largest
  Integer largest_ulp = 0;      ///< of the others
  double largest_relative = 0;  ///< of these: see ComparedElement
  double mean_relative = 0;     ///< over all elements with a defined distance; equal elements count
                                ///< as 0
  std::vector<ComparedElement> worst;
};

/// Both designs with K raised to the least multiple of each that is at least k. Throws
/// std::invalid_argument with a one-line message if their formats of a, b, c or scale factors
/// differ, or if one cannot be chained.
Pair pair_for_matrices(const Instruction& first, const Instruction& second, std::size_t k);

/// Computes both results of each product and compares them. All products have the same K. Throws
/// what pair_for_matrices(), MatrixRunner and DeviceRunner throw.
Comparison compare_matrices(const Instruction& first, const Instruction& second,
                            const std::vector<ComparedProduct>& products,
                            const CompareOptions& options);

/// Compares results that were computed before, for a pair made by pair_for_matrices(). Ignores
/// options.threads and options.device.
Comparison compare_results(const Pair& pair, const std::vector<ComparedProduct>& products,
                           const CompareOptions& options);

}  // namespace mmaspec
