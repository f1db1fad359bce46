#include "spec/algorithms/split_fp8.h"

#include "spec/algorithms/symbolic.h"
#include "spec/formats/unpack.h"
#include "spec/parts/parameter_visitor.h"
#include "spec/parts/rounded_sum.h"

namespace mmaspec {
namespace {

enum class Halves { chained, added };

std::string to_string(Halves halves) { return halves == Halves::chained ? "chained" : "added"; }

/// f16 with the fraction bits of FP8.
const Format e5m3 = {
    "e5m3", 9, true, 5, 3, 15, Specials::ieee, true, 0, 0, "docs/notes/fp8-mma-sync-on-hopper.md"};

bool is_normal_in_f16(const Format& f) {
  return !f.is_integer() && f.has_zero && f.fraction_bits <= e5m3.fraction_bits &&
         f.least_exponent() - f.fraction_bits >= e5m3.least_exponent() &&
         f.largest_exponent() <= e5m3.largest_exponent();
}

const Format* half_format(const Format* f) { return is_normal_in_f16(*f) ? &e5m3 : f; }

/// The operands with k mod 4 in {0, 1} (half 0) or {2, 3} (half 1), added to c.
DotOperands half_of(const DotFormats& formats, const DotOperands& operands, std::size_t half,
                    Int c) {
  DotOperands in{{}, {}, c, {}, {}};
  for (std::size_t k = 0; k < operands.a.size(); ++k) {
    if (k % 4 / 2 != half) continue;
    in.a.push_back(half_operand(*formats.a, operands.a[k]));
    in.b.push_back(half_operand(*formats.b, operands.b[k]));
  }
  return in;
}

}  // namespace

DotFormats half_formats(const DotFormats& formats) {
  DotFormats half = formats;
  half.a = half_format(formats.a);
  half.b = half_format(formats.b);
  half.c = formats.d;
  half.k = formats.k / 2;
  return half;
}

Int half_operand(const Format& format, Int pattern) {
  if (!is_normal_in_f16(format)) return pattern;
  const Unpacked x = unpack_normalized(format, pattern);
  const unsigned longer = static_cast<unsigned>(e5m3.fraction_bits - format.fraction_bits);
  // Without the hidden bit.
  const Int fraction = bits(x.significand, 0, static_cast<unsigned>(format.fraction_bits));
  Int field = select(x.is_zero(), 0, x.exponent + e5m3.bias);
  Int low = fraction * power_of_two(longer);
  if (format.has_nan()) {
    field = select(x.is_nan, e5m3.field_maximum(), field);
    low = select(x.is_nan, power_of_two(static_cast<unsigned>(e5m3.fraction_bits)) - 1, low);
  }
  // Each field is multiplied by its power, so that the language can separate them again.
  return with_sign(e5m3, x.sign,
                   field * power_of_two(static_cast<unsigned>(e5m3.fraction_bits)) + low);
}

void describe(SplitFp8& design, const DotFormats& formats, ParameterVisitor& visit) {
  auto& [half, chained_halves] = design;
  visit.require([&] { return formats.k % 4 == 0; }, "split-fp8 needs a k that is divisible by 4");
  Halves halves = chained_halves ? Halves::chained : Halves::added;
  visit.one_of<Halves>(
      {"halves",
       "chained: the second half starts from the first one's sum; added: both start from zero"},
      halves, {Halves::chained, Halves::added});
  chained_halves = halves == Halves::chained;
  if (half.block == 0) half.block = formats.k / 2;
  describe_fused(half, formats, false, visit);
}

Int build(const SplitFp8& design, const DotFormats& formats, const DotOperands& operands) {
  return build(symbolic(design), formats, operands);
}

Int build(const SymbolicSplitFp8& design, const DotFormats& formats, const DotOperands& operands) {
  const DotFormats half = half_formats(formats);
  const auto nearest_sum = [&](const Format& fx, Int x, const Format& fy, Int y) {
    return add(fx, x, fy, y, ResultFormat{formats.d, Rounding::nearest_even},
               canonical_nan(*formats.d));
  };
  const Int low = fused_dot_add(design.half, half, half_of(formats, operands, 0, 0));
  mark("pattern of the first half", low, MarkRole::pattern);
  const Int high = fused_dot_add(design.half, half,
                                 half_of(formats, operands, 1, design.chained_halves ? low : 0));
  if (!design.chained_halves) mark("pattern of the second half", high, MarkRole::pattern);
  const Int sum = design.chained_halves ? high : nearest_sum(*formats.d, low, *formats.d, high);
  mark("pattern of the halves' sum", sum, MarkRole::pattern);
  return nearest_sum(*formats.d, sum, *formats.c, operands.c);
}

}  // namespace mmaspec
