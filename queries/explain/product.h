#pragma once
/// What is to be explained: matrices, and elements of their product.

#include <optional>
#include <vector>

#include "concrete/matrix/view.h"
#include "queries/explain/segment_sums.h"
#include "queries/explain/space/units.h"

namespace mmaspec::explain {

/// D = alpha A B + beta C: A is (M, K), B (K, N), C and D (M, N).
struct Product {
  PatternView a;
  PatternView b;
  PatternView c;  ///< without data: there is none
  PatternView d;
  Factors factors = {};
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

/// Formats among those of D whose largest number, of either sign, D holds.
std::vector<const Format*> saturated_formats(const Product& product, const MatrixFormats& formats);

/// A pattern of C in the format of the sums, which holds it; throws std::invalid_argument where
/// that format does not.
std::uint64_t c_of(const Product& product, const Element& element, const Format& of_file,
                   const Format& of_sums);

}  // namespace mmaspec::explain
