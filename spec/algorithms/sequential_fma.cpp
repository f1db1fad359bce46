#include "spec/algorithms/sequential_fma.h"

#include "spec/algorithms/symbolic.h"
#include "spec/parts/parameter_visitor.h"
#include "spec/parts/rounded_sum.h"

namespace mmaspec {

void describe(SequentialFma& design, const DotFormats& formats, ParameterVisitor& visit) {
  auto& [result] = design;
  describe_result(result, formats.d, visit);
}

Int build(const SequentialFma& design, const DotFormats& formats, const DotOperands& operands) {
  return build(symbolic(design), formats, operands);
}

Int build(const SymbolicSequentialFma& design, const DotFormats& formats,
          const DotOperands& operands) {
  Int d = operands.c;
  const Format* accumulator = formats.c;
  for (std::size_t k = 0; k < operands.a.size(); ++k) {
    d = fused_multiply_add(*formats.a, operands.a[k], *formats.b, operands.b[k], *accumulator, d,
                           design.result, quiet_nan(*formats.d));
    mark("pattern of d", d, MarkRole::pattern);
    accumulator = formats.d;
  }
  return d;
}

}  // namespace mmaspec
