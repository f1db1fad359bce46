#include "spec/algorithms/split_fp8.h"

#include "spec/algorithms/parameters.h"
#include "spec/algorithms/rounded_sum.h"
#include "spec/symbolic/designs.h"

namespace mmaspec {
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

std::vector<Parameter> parameters(const SplitFp8& design) {
  std::vector<Parameter> parameters{
      {"halves", design.chained_halves ? "chained" : "added",
       "whether the second half starts from the first one's sum, or both from zero"}};
  for (Parameter& p : mmaspec::parameters(design.half)) {
    if (p.key != "block") parameters.push_back(std::move(p));
  }
  return parameters;
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
  const Int sum = design.chained_halves
                      ? fused_dot_add(design.half, half, half_of(operands, 1, low))
                      : nearest_sum(*formats.d, low, *formats.d,
                                    fused_dot_add(design.half, half, half_of(operands, 1, 0)));
  mark("pattern of the halves' sum", sum);
  return nearest_sum(*formats.d, sum, *formats.c, operands.c);
}

}  // namespace mmaspec
