#include "queries/studies/explain/product.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "queries/compare/doubles.h"
#include "queries/studies/explain/arithmetic.h"
#include "spec/formats/text.h"
#include "util/split_mix.h"

namespace mmaspec::explain {
namespace {

constexpr double kMostProducts = 3e8;  // of the elements that are measured

/// The distance from a sum to the nearest number at which its rounding to `format` changes,
/// relative to the largest magnitude of a partial sum.
double distance_to_rounding(const Format& format, double sum, double largest) {
  if (!std::isfinite(sum) || sum == 0) return HUGE_VAL;
  int exponent = 0;
  const double fraction = std::frexp(std::abs(sum), &exponent);  // 0.5 .. 1
  const double steps = std::ldexp(fraction, format.fraction_bits + 1);
  const double beyond = steps - std::floor(steps);
  return std::ldexp(std::abs(beyond - 0.5), exponent - format.fraction_bits - 1) / largest;
}

}  // namespace

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

std::size_t scale_block(const Product& product) {
  return product.a.columns / product.scale_a.columns;
}

std::uint64_t scale_a_of(const Product& product, std::size_t row, std::size_t k) {
  const std::size_t block = scale_block(product);
  const bool is_of_row = product.scale_a.rows == product.a.rows;
  return pattern_at(product.scale_a, is_of_row ? row : row / block, k / block);
}

std::uint64_t scale_b_of(const Product& product, std::size_t column, std::size_t k) {
  const std::size_t block = scale_block(product);
  const bool is_of_column = product.scale_b.columns == product.b.columns;
  return pattern_at(product.scale_b, k / block, is_of_column ? column : column / block);
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

void shuffle(std::vector<Element>& elements) {
  SplitMix random(1);
  for (std::size_t i = elements.size(); i > 1; --i) {
    std::swap(elements[i - 1], elements[random.index(i)]);
  }
}

void put_in_order(std::vector<Element>& elements, const Product& product,
                  const MatrixFormats& formats) {
  shuffle(elements);
  const Format& d = *formats.d.front();
  const bool is_narrow = d.fraction_bits < formats::f32.fraction_bits && !d.is_integer();
  if (!is_narrow) return;
  const std::size_t k = product.a.columns;
  const auto most = static_cast<std::size_t>(kMostProducts / static_cast<double>(k));
  const std::size_t count = std::min(elements.size(), std::max<std::size_t>(most, 1));
  const Doubles a(*formats.a.front());
  const Doubles b(*formats.b.front());
  std::vector<std::pair<double, Element>> measured;
  for (std::size_t i = 0; i < count; ++i) {
    const Element& e = elements[i];
    double sum =
        formats.c.empty() ? 0 : Doubles(*formats.c.front())(pattern_at(product.c, e.row, e.column));
    double largest = std::abs(sum);
    for (std::size_t j = 0; j < k; ++j) {
      sum += a(pattern_at(product.a, e.row, j)) * b(pattern_at(product.b, j, e.column));
      largest = std::max(largest, std::abs(sum));
    }
    measured.emplace_back(distance_to_rounding(d, sum, largest), e);
  }
  std::stable_sort(measured.begin(), measured.end(),
                   [](const auto& x, const auto& y) { return x.first < y.first; });
  for (std::size_t i = 0; i < count; ++i) elements[i] = measured[i].second;
}

}  // namespace mmaspec::explain
