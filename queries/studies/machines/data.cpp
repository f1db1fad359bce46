#include "queries/studies/machines/data.h"

#include <algorithm>
#include <stdexcept>

#include "queries/values/ordinals.h"
#include "spec/formats/text.h"
#include "util/split_mix.h"

namespace mmaspec {
namespace {

NpyArray read(const std::string& file) {
  NpyArray array = read_npy(file);
  if (array.shape.size() < 2) {
    throw std::invalid_argument(file + ": has " + std::to_string(array.shape.size()) +
                                " dimensions, but a matrix has at least two");
  }
  return array;
}

/// The format of an array's elements, for a design's format.
const Format& format_of(const NpyArray& array, const Format& wanted, const std::string& name) {
  if (array.dtype == "f2") return formats::f16;
  if (array.dtype == "f4") return formats::f32;
  if (array.dtype == "f8") return formats::f64;
  require_patterns(array, wanted, name);
  return wanted;
}

Integer element(const PatternView& view, std::size_t row, std::size_t column, const Format& held,
                const Format& wanted) {
  if (row >= view.rows || column >= view.columns) return 0;
  const Integer pattern = pattern_at(view, row, column);
  return held == wanted ? pattern : round_pattern(held, pattern, wanted);
}

}  // namespace

std::vector<double> read_numbers(const std::string& file) {
  const NpyArray array = read_npy(file);
  const Format* format = array.dtype == "f2"   ? &formats::f16
                         : array.dtype == "f4" ? &formats::f32
                         : array.dtype == "f8" ? &formats::f64
                                               : nullptr;
  if (format == nullptr) {
    throw std::invalid_argument(file + ": holds " + array.dtype +
                                "; expected float16, float32 or float64");
  }
  const Ordinals ordinals(*format);
  std::vector<double> numbers;
  for (std::size_t at = 0; at + array.bytes <= array.data.size(); at += array.bytes) {
    std::uint64_t pattern = 0;
    for (unsigned i = 0; i < array.bytes; ++i) {
      pattern |= std::to_integer<std::uint64_t>(array.data[at + i]) << (8 * i);
    }
    const std::int64_t x = ordinals.of(pattern);
    if (x < ordinals.least_finite() || x > ordinals.largest_finite()) {
      throw std::invalid_argument(file + ": element " + std::to_string(numbers.size()) +
                                  " is not a finite number");
    }
    numbers.push_back(ordinals.value(x));
  }
  if (numbers.empty()) throw std::invalid_argument(file + ": does not contain numbers");
  return numbers;
}

MatrixData::MatrixData(const std::string& a, const std::string& b)
    : a_name_(a), b_name_(b), a_(read(a)), b_(read(b)) {
  const auto& s = a_.shape;
  const auto& t = b_.shape;
  if (s.back() != t[t.size() - 2] || !std::equal(s.begin(), s.end() - 2, t.begin(), t.end() - 2)) {
    throw std::invalid_argument(a + " and " + b +
                                " must have the shapes (..., M, K) and (..., K, N), with the same "
                                "K and the same number of matrices");
  }
}

std::vector<DotValues> MatrixData::products(const DotFormats& formats, std::size_t count,
                                            unsigned seed) const {
  return each_product(formats, count, seed)(count);
}

NextProducts MatrixData::each_product(const DotFormats& formats, std::size_t count,
                                      unsigned seed) const {
  const Format& held_a = format_of(a_, *formats.a, a_name_);
  const Format& held_b = format_of(b_, *formats.b, b_name_);
  const auto k = static_cast<std::size_t>(formats.k);
  const std::size_t rows = a_.shape[a_.shape.size() - 2];
  const std::size_t columns = b_.shape.back();
  const std::size_t stretches = (a_.shape.back() + k - 1) / k;
  const std::size_t all = a_.matrices() * rows * columns * stretches;

  std::vector<Integer> ones;
  for (int i = 0; i < formats.scales(); ++i) ones.push_back(parse_pattern_of(*formats.scale, "1"));

  const auto product = [=, this, &held_a, &held_b](std::size_t i, SplitMix& random) {
    std::size_t left = i;
    const auto next = [&](std::size_t size) {
      if (all > count) return random.index(size);
      const std::size_t digit = left % size;
      left /= size;
      return digit;
    };
    const std::size_t first = k * next(stretches);
    const std::size_t column = next(columns);
    const std::size_t row = next(rows);
    const std::size_t matrix = next(a_.matrices());
    const PatternView a = a_.matrix(matrix);
    const PatternView b = b_.matrix(matrix);
    DotValues values{{}, {}, 0, ones, ones};
    for (std::size_t j = first; j < first + k; ++j) {
      values.a.push_back(element(a, row, j, held_a, *formats.a));
      values.b.push_back(element(b, j, column, held_b, *formats.b));
    }
    return values;
  };
  return [product, end = std::min(all, count), done = std::size_t{0},
          random = SplitMix(seed)](std::size_t most) mutable {
    std::vector<DotValues> some;
    for (; done < end && some.size() < most; ++done) some.push_back(product(done, random));
    return some;
  };
}

}  // namespace mmaspec
