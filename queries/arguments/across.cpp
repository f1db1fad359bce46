#include "queries/arguments/across.h"

#include "queries/arguments/idle.h"
#include "queries/arguments/known_design.h"

namespace mmaspec {
namespace {

/// What of an operand a design of this type looks at, if its members are these alone. All of them
/// are numbers counted from exponents and units of values, never from a format's bits.
enum class LooksAt { unknown, exponents, values };

LooksAt looks_at(const FusedDotAdd& design) {
  [[maybe_unused]] const auto& [fraction_bits, exponent_floor, zero_terms, zero_exponent, block,
                                result, align_rounding, c_joins, normalized_products, flush_inputs,
                                product_overflow, minus_zero] = design;
  return LooksAt::exponents;
}

LooksAt looks_at(const RoundDownDotAdd& design) {
  [[maybe_unused]] const auto& [block, groups, product_fraction_bits, sum_fraction_bits,
                                sum_rounding, c_fraction_bits, c_rounding, c_reach,
                                product_overflow, zero_terms, zero_exponent, result] = design;
  return LooksAt::exponents;
}

LooksAt looks_at(const SequentialFma& design) {
  [[maybe_unused]] const auto& [result, flush_inputs, reversed, chains] = design;
  // What is flushed is subnormal in its format.
  return flush_inputs ? LooksAt::exponents : LooksAt::values;
}

LooksAt looks_at(const IntegerDotAdd& design) {
  [[maybe_unused]] const auto& [overflow, group] = design;
  return LooksAt::values;
}

LooksAt looks_at(const GroupPairwiseSum& design) {
  [[maybe_unused]] const auto& [group, flush_inputs, step] = design;
  return flush_inputs ? LooksAt::exponents : LooksAt::values;
}

LooksAt looks_at(const ExactDotAdd& design) {
  [[maybe_unused]] const auto& [block, result] = design;
  return LooksAt::values;
}

template <typename D>
LooksAt looks_at(const D&) {
  return LooksAt::unknown;
}

template <typename D>
LooksAt looks_at_if_known(const D& design, const DotFormats& formats) {
  if constexpr (requires { is_well_formed(design, formats); }) {
    return is_well_formed(design, formats) ? looks_at(design) : LooksAt::unknown;
  } else {
    return LooksAt::unknown;
  }
}

bool have_equal_exponents(const Format& x, const Format& y) {
  return x.has_zero && y.has_zero && x.least_exponent() == y.least_exponent();
}

}  // namespace

std::string equal_on_common_values(const Instruction& first, const Instruction& second) {
  const DotFormats& x = first.formats;
  const DotFormats& y = second.formats;
  const Algorithm one = without_idle_parameters(first.algorithm, x);
  const Algorithm other = without_idle_parameters(second.algorithm, y);
  if (!(one == other)) return "";
  const std::string idle =
      first.algorithm == second.algorithm
          ? ""
          : "the parameters in which they differ change nothing of these formats";
  if (x == y) return idle.empty() ? "they are one design" : idle;

  if (x.k != y.k || !(*x.c == *y.c) || !(*x.d == *y.d) || x.scale != nullptr ||
      y.scale != nullptr) {
    return "";
  }
  const auto seen_by = [&](const DotFormats& f) {
    return std::visit([&](const auto& design) { return looks_at_if_known(design, f); },
                      one.design());
  };
  const LooksAt what = seen_by(x);
  if (what == LooksAt::unknown || what != seen_by(y)) return "";
  const bool alike = have_equal_exponents(*x.a, *y.a) && have_equal_exponents(*x.b, *y.b);
  if (!alike && what != LooksAt::values) return "";
  return "they compute the same with the same numbers" + (idle.empty() ? "" : ", and " + idle);
}

}  // namespace mmaspec
