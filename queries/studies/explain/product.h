#pragma once
/// What is to be explained: matrices, and elements of their product.

#include <optional>
#include <vector>

#include "concrete/matrix/view.h"
#include "queries/studies/explain/segment_sums.h"
#include "queries/studies/explain/space/units.h"

namespace mmaspec::explain {

/// D = alpha A B + beta C: A is (M, K), B (K, N), C and D (M, N).
///
/// With scale factors, each factor belongs to K / scale_a.columns products: scale_a is (M, K /
/// block) and scale_b (K / block, N). Factors of square blocks are given once: scale_a may have a
/// row for each block of rows, and scale_b a column for each block of columns.
struct Product {
  PatternView a;
  PatternView b;
  PatternView c;  ///< without data: there is none
  PatternView d;
  Factors factors = {};
  PatternView scale_a = {};  ///< without data: there are none
  PatternView scale_b = {};

  bool has_scales() const { return scale_a.data != nullptr; }
};

/// An element of D.
struct Element {
  std::size_t row = 0;
  std::size_t column = 0;

  friend bool operator==(const Element&, const Element&) = default;
};

/// The elements of rows first_row .. end_row - 1 and columns first_column .. end_column - 1.
struct Region {
  std::size_t first_row = 0;
  std::size_t end_row = 0;
  std::size_t first_column = 0;
  std::size_t end_column = 0;

  bool has(const Element& e) const {
    return e.row >= first_row && e.row < end_row && e.column >= first_column &&
           e.column < end_column;
  }
  std::size_t size() const { return (end_row - first_row) * (end_column - first_column); }
  friend bool operator==(const Region&, const Region&) = default;
};

/// The elements of a region whose results are known: no NaN in any of D's formats.
std::vector<Element> known_elements(const Product& product, const MatrixFormats& formats,
                                    const Region& region);

/// Shuffles elements, the same way on every machine.
void shuffle(std::vector<Element>& elements);

/// Puts elements that distinguish most plans first. If D has a narrow format, these are the
/// elements whose sums are near a number at which the rounding changes. Two plans' sums of an
/// element differ by about the rounding errors of its largest partial sum, so the distance is
/// relative to that sum.
void put_in_order(std::vector<Element>& elements, const Product& product,
                  const MatrixFormats& formats);

/// Products that share a scale factor.
std::size_t scale_block(const Product& product);
/// The patterns of the scale factors of product `k` of an element, which an A of M rows and a B of
/// N columns have.
std::uint64_t scale_a_of(const Product& product, std::size_t row, std::size_t k);
std::uint64_t scale_b_of(const Product& product, std::size_t column, std::size_t k);

/// Formats among those of D whose largest number, of either sign, D holds.
std::vector<const Format*> saturated_formats(const Product& product, const MatrixFormats& formats);

/// A pattern of C in the format of the sums, which holds it; throws std::invalid_argument where
/// that format does not.
std::uint64_t c_of(const Product& product, const Element& element, const Format& of_file,
                   const Format& of_sums);

}  // namespace mmaspec::explain
