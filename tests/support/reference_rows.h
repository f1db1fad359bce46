#pragma once
/// Drawn rows of a design, compared with the independent evaluator.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "concrete/dot/model.h"
#include "spec/catalog/instruction.h"
#include "tests/support/reference/dot.h"

namespace mmaspec {

/// Any bits, or a number near 1.
inline std::uint64_t drawn_pattern(const Format& format, std::mt19937_64& random) {
  const std::uint64_t any = random() >> (64 - format.storage_bits);
  if (random() % 3 == 0) return any;
  const int low = format.ignored_low_bits + format.fraction_bits;
  const std::uint64_t fields = ((std::uint64_t{1} << format.exponent_bits) - 1) << low;
  const int near =
      std::clamp(format.bias + static_cast<int>(random() % 7) - 3, 0, format.field_maximum());
  return (any & ~fields) | (static_cast<std::uint64_t>(near) << low);
}

/// Expects the same results of drawn rows; any two NaNs are one if `any_nan`. `seen` gets the
/// operands and the result of each row.
template <typename Seen>
void expect_as_reference(const Instruction& i, const reference::Design& design, int rows,
                         bool any_nan, std::mt19937_64& random, const Seen& seen) {
  const DotModel model(i.algorithm, i.formats);
  const auto draw = [&random](const Format* format, int count, std::vector<Integer>& values) {
    std::vector<std::uint64_t> patterns;
    for (int n = 0; n < count; ++n) {
      patterns.push_back(drawn_pattern(*format, random));
      values.emplace_back(patterns.back());
    }
    return patterns;
  };
  for (int row = 0; row < rows; ++row) {
    DotValues values;
    reference::Operands operands;
    operands.a = draw(i.formats.a, i.formats.k, values.a);
    operands.b = draw(i.formats.b, i.formats.k, values.b);
    operands.sa = draw(i.formats.scale, i.formats.scales(), values.scale_a);
    operands.sb = draw(i.formats.scale, i.formats.scales(), values.scale_b);
    operands.c = drawn_pattern(*i.formats.c, random);
    values.c = operands.c;
    const std::uint64_t d = reference::evaluate(design, operands).d;
    const Integer computed = model.run(values);
    const bool same =
        any_nan ? reference::same_value(*design.d, computed.convert_to<std::uint64_t>(), d)
                : computed == Integer(d);
    EXPECT_TRUE(same) << i.name() << ": " << computed << ", not " << d;
    seen(operands, d);
  }
}

}  // namespace mmaspec
