#include "queries/studies/explain/product.h"

#include <algorithm>
#include <stdexcept>

#include "queries/studies/explain/arithmetic.h"
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

std::vector<const Format*> saturated_formats(const Product& product, const MatrixFormats& formats) {
  std::vector<const Format*> all;
  for (const Format* f : formats.d) {
    if (f->is_integer() || f->storage_bits > 16) continue;
    const auto sign = std::uint64_t{1} << static_cast<unsigned>(f->sign_bit());
    bool is_there = false;
    for (std::size_t row = 0; row < product.d.rows && !is_there; ++row) {
      for (std::size_t column = 0; column < product.d.columns && !is_there; ++column) {
        is_there = (pattern_at(product.d, row, column) & (sign - 1)) == f->largest_pattern();
      }
    }
    if (is_there) all.push_back(f);
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
