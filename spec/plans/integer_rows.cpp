#include "spec/plans/integer_rows.h"

#include <algorithm>

#include "spec/formats/integer.h"
#include "spec/formats/round.h"
#include "spec/formats/unpack.h"

namespace mmaspec {

IntegerRow integer_row(const Format& format, const std::vector<Int>& patterns, int kept) {
  const int precision = format.precision();
  std::vector<Unpacked> numbers;
  std::vector<Int> exponents;
  std::vector<Bool> finite;
  for (Int x : patterns) {
    const Unpacked n = unpack(format, x);
    exponents.push_back(select(n.is_zero(), Int(format.least_exponent()), n.exponent));
    finite.push_back(n.is_finite());
    numbers.push_back(n);
  }
  const Int largest = max(exponents);
  IntegerRow row{{}, {}, largest + 1, all_of(finite)};
  const int up = std::max(kept - precision, 0);
  const int down = std::max(precision - kept, 0);
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const Int wide = shift_left(numbers[k].significand, up);
    const Int below = min(largest - exponents[k] + down, precision + up);
    row.signs.push_back(numbers[k].sign);
    row.magnitudes.push_back(floor_shift_right(wide, max(below, 0)));
  }
  return row;
}

Int operand_of_integer(const Format& format, Bool sign, Int magnitude) {
  if (format.is_integer()) return integer_pattern(format, negate_if(sign, magnitude));
  const Number number{sign, magnitude, 0, false, false, false};
  return round_and_pack(number, ResultFormat{&format});
}

UnitSum sum_of_unit(const Format& format, Int pattern) {
  if (format.is_integer()) {
    const Int value = integer_value(format, pattern);
    return {value < 0, abs(value), 0, true};
  }
  const Unpacked n = unpack(format, pattern);
  return {n.sign, n.significand, n.exponent - format.fraction_bits, n.is_finite()};
}

Integer most_of_sums(const Format& format) {
  if (format.is_integer()) return format.largest_integer();
  return power_of_two(static_cast<unsigned>(format.precision()));
}

bool holds_integers_up_to(const Format& format, const Integer& magnitude) {
  if (format.is_integer()) return format.twos_complement && magnitude <= format.largest_integer();
  return format.has_sign && format.has_zero && format.least_exponent() <= 0 &&
         magnitude <= most_of_sums(format) &&
         static_cast<int>(bit_length(magnitude)) - 1 <= format.largest_exponent();
}

Integer most_of_products(int k, const Integer& largest) { return largest * largest * k; }

}  // namespace mmaspec
