#pragma once
/// Two designs on a user's own matrices: how many results differ, by how much, and which most.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "concrete/device/device.h"
#include "concrete/matrix/matrix.h"
#include "concrete/rows/row.h"
#include "queries/ask/pairing.h"
#include "spec/formats/text.h"

namespace mmaspec {

enum class WorstBy { ulp, relative };

/// What a test allows: |d_first - d_second| <= atol + rtol * |d_first|, exactly.
struct Tolerance {
  Rational atol = 0;
  Rational rtol = 0;
};

struct CompareOptions {
  std::size_t worst = 5;  ///< elements kept
  WorstBy by = WorstBy::ulp;
  int threads = 0;  ///< 0: one a core
  /// What computes the results; none: this machine's processor.
  std::shared_ptr<device::Device> device = nullptr;
  std::optional<Tolerance> tolerance = {};
};

/// One product's operands, and where the results of both go.
struct ComparedProduct {
  MatrixOperands operands;  ///< patterns of both designs' formats
  PatternSpan d_first;
  PatternSpan d_second;
};

struct ComparedElement {
  std::size_t product;
  std::size_t row;
  std::size_t column;
  /// A witness; one of the first design alone where the second has another K, and so other zeros.
  VectorRow values;
  Integer d_second;
  std::optional<Integer> ulp;  ///< none: beyond any
  /// |d_first - d_second| / (|c| + sum |a[k] b[k]|), scale factors included; infinite where one
  /// result is no number or the sum is 0.
  double relative;
};

/// Differences of `from` .. `to` ulp.
struct UlpBin {
  Integer from;
  Integer to;
  std::size_t count;
};

struct Comparison {
  Instruction first;
  Instruction second;
  std::string note;                         ///< what was done to bring them to it
  std::optional<Tolerance> tolerance = {};  ///< the one that was given
  std::size_t products = 0;
  std::size_t elements = 0;
  /// Unlike values: a NaN is like every NaN, and +0 like -0.
  std::size_t differing = 0;
  /// Of these: farther apart than the tolerance allows, or one is a NaN, or infinite, and the other
  /// is not the same. 0 without a tolerance.
  std::size_t exceeding = 0;
  std::size_t beyond_ulp = 0;  ///< of these: no number of ulp apart (a NaN or infinity and another)
  std::vector<UlpBin> bins;    ///< of the others: 1, 2, 3..4, 5..8 and so on, to the largest
  Integer largest_ulp = 0;     ///< of the others
  double largest_relative = 0;  ///< of these: see ComparedElement
  double mean_relative = 0;     ///< over all elements that are not beyond; 0 for those that agree
  std::vector<ComparedElement> worst;
};

/// Both designs with K raised to the least of each that holds k. Throws std::invalid_argument with
/// one line if their formats of a, b, c or scale factors are not the same, or one cannot be
/// chained.
Pair pair_for_matrices(const Instruction& first, const Instruction& second, std::size_t k);

/// Computes both results of each product, and compares them. All products have one K. Throws what
/// pair_for_matrices(), MatrixRunner and DeviceRunner throw.
Comparison compare_matrices(const Instruction& first, const Instruction& second,
                            const std::vector<ComparedProduct>& products,
                            const CompareOptions& options);

/// Compares results that were computed before, of a pair that pair_for_matrices() made. Uses
/// neither options.threads nor options.device.
Comparison compare_results(const Pair& pair, const std::vector<ComparedProduct>& products,
                           const CompareOptions& options);

}  // namespace mmaspec
