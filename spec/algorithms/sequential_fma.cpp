#include "spec/algorithms/sequential_fma.h"

#include "spec/algorithms/parameters.h"
#include "spec/algorithms/rounded_sum.h"
#include "spec/symbolic/designs.h"

namespace mmaspec {

std::vector<Parameter> parameters(const SequentialFma& design) {
  std::vector<Parameter> parameters;
  append_result_parameters(design.result, parameters);
  return parameters;
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
    mark("pattern of d", d);
    accumulator = formats.d;
  }
  return d;
}

}  // namespace mmaspec
