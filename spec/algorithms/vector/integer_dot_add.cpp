#include "spec/algorithms/vector/integer_dot_add.h"

#include "spec/formats/integer.h"
#include "spec/parts/parameter_visitor.h"

namespace mmaspec {

std::string to_string(IntegerOverflow overflow) {
  return overflow == IntegerOverflow::wrap ? "wrap" : "saturate";
}

void describe(IntegerDotAdd& design, const DotFormats& formats, ParameterVisitor& visit) {
  auto& [overflow, group] = design;
  visit.one_of({"overflow",
                "a sum that d's format does not represent: wrap keeps its lowest bits, saturate "
                "takes the nearest number"},
               overflow, {IntegerOverflow::wrap, IntegerOverflow::saturate});
  ParameterName of_group{"group", "products that are added before a sum saturates"};
  of_group.shown = overflow == IntegerOverflow::saturate;
  visit.divisor(of_group, group, formats.k);
}

Int build(const IntegerDotAdd& design, const DotFormats& formats, const DotOperands& operands) {
  const auto& [overflow, group] = design;
  const std::size_t k = operands.a.size();
  const bool wraps = overflow == IntegerOverflow::wrap;
  const std::size_t at_once = wraps ? k : static_cast<std::size_t>(group);
  Int d = integer_value(*formats.c, operands.c);
  for (std::size_t first = 0; first < k; first += at_once) {
    std::vector<Int> terms{d};
    for (std::size_t i = first; i < first + at_once; ++i) {
      const Stage stage("product");
      terms.push_back(integer_value(*formats.a, operands.a[i]) *
                      integer_value(*formats.b, operands.b[i]));
    }
    const Stage stage("sum");
    const Int sum = total(terms);
    mark("sum", sum, MarkRole::sum);
    d = wraps ? sum : clamped(*formats.d, sum);
    if (!wraps) mark("saturated", d);
  }
  const Stage stage("sum");
  const Int pattern = integer_pattern(*formats.d, d);
  mark("pattern of d", pattern, MarkRole::pattern);
  return pattern;
}

}  // namespace mmaspec
