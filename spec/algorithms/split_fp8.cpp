#include "spec/algorithms/split_fp8.h"

#include "spec/algorithms/symbolic.h"
#include "spec/parts/parameter_visitor.h"
#include "spec/parts/rounded_sum.h"

namespace mmaspec {
namespace {

enum class Halves { chained, added };

std::string to_string(Halves halves) { return halves == Halves::chained ? "chained" : "added"; }

}  // namespace
namespace {

/// The operands with k mod 4 in {0, 1} (half 0) or {2, 3} (half 1), added to c.
DotOperands half_of(const DotOperands& operands, std::size_t half, Int c) {
  DotOperands in{{}, {}, c, {}, {}};
  for (std::size_t k = 0; k < operands.a.size(); ++k) {
    if (k % 4 / 2 != half) continue;
    in.a.push_back(operands.a[k]);
    in.b.push_back(operands.b[k]);
  }
  return in;
}

}  // namespace

void describe(SplitFp8& design, const DotFormats& formats, ParameterVisitor& visit) {
  auto& [half, chained_halves] = design;
  visit.require([&] { return formats.k % 4 == 0; }, "split-fp8 needs k divisible by 4");
  Halves halves = chained_halves ? Halves::chained : Halves::added;
  visit.one_of<Halves>({"halves",
                        "whether the second half starts from the first one's sum, or "
                        "both from zero"},
                       halves, {Halves::chained, Halves::added});
  chained_halves = halves == Halves::chained;
  if (half.block == 0) half.block = formats.k / 2;
  describe_fused(half, formats, false, visit);
}

Int build(const SplitFp8& design, const DotFormats& formats, const DotOperands& operands) {
  return build(symbolic(design), formats, operands);
}

Int build(const SymbolicSplitFp8& design, const DotFormats& formats, const DotOperands& operands) {
  DotFormats half = formats;
  half.k = formats.k / 2;
  half.c = formats.d;
  const auto nearest_sum = [&](const Format& fx, Int x, const Format& fy, Int y) {
    return add(fx, x, fy, y, ResultFormat{formats.d, Rounding::nearest_even},
               canonical_nan(*formats.d));
  };
  const Int low = fused_dot_add(design.half, half, half_of(operands, 0, 0));
  mark("pattern of the first half", low, MarkRole::pattern);
  const Int high =
      fused_dot_add(design.half, half, half_of(operands, 1, design.chained_halves ? low : 0));
  if (!design.chained_halves) mark("pattern of the second half", high, MarkRole::pattern);
  const Int sum = design.chained_halves ? high : nearest_sum(*formats.d, low, *formats.d, high);
  mark("pattern of the halves' sum", sum, MarkRole::pattern);
  return nearest_sum(*formats.d, sum, *formats.c, operands.c);
}

}  // namespace mmaspec
