#include "queries/explain/product.h"

#include <algorithm>
#include <stdexcept>

#include "queries/explain/arithmetic.h"
#include "spec/formats/text.h"

namespace mmaspec::explain {

std::vector<Element> known_elements(const Product& product, const MatrixFormats& formats,
                                    const Region& region) {
  std::vector<Element> all;
  for (std::size_t row = region.first_row; row < region.end_row; ++row) {
    for (std::size_t column = region.first_column; column < region.end_column; ++column) {
      const std::uint64_t d = pattern_at(product.d, row, column);
      const bool unknown = std::all_of(formats.d.begin(), formats.d.end(),
                                       [d](const Format* f) { return is_nan(*f, d); });
      if (!unknown) all.push_back({row, column});
    }
  }
  return all;
}

std::uint64_t c_of(const Product& product, const Element& element, const Format& of_file,
                   const Format& of_sums) {
  if (product.c.data == nullptr) return 0;
  const std::uint64_t c = pattern_at(product.c, element.row, element.column);
  if (of_file == of_sums) return c;
  const Integer same = round_pattern(of_file, c, of_sums);
  if (of_sums.fraction_bits < of_file.fraction_bits) {
    throw std::invalid_argument("C is " + std::string(of_file.name) + ", which sums of " +
                                std::string(of_sums.name) + " do not hold");
  }
  return same.convert_to<std::uint64_t>();
}

}  // namespace mmaspec::explain
