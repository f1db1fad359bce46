#include "spec/plans/instructions/rounded_groups.h"

#include "spec/parts/parameter_text.h"
#include "spec/parts/rounded_sum.h"

namespace mmaspec {

Int RoundedGroups::build(const DotFormats& formats, const DotOperands& operands) const {
  const Format& result = *formats.d;
  const Integer nan = quiet_nan(result);
  return chain(formats, operands, group_, [&](const DotFormats& part, const DotOperands& in) {
    DotFormats of_products = part;
    of_products.c = formats.d;
    DotOperands products = in;
    products.c = 0;
    const Int sum = mmaspec::build(ExactDotAdd{group_, {&result, partial_}}, of_products, products);
    mark("pattern of a partial sum", sum, MarkRole::pattern);
    return add(*part.c, in.c, result, sum, ResultFormat{&result, rounding_}, nan);
  });
}

bool RoundedGroups::equals(const Composition& other) const {
  const auto* same = dynamic_cast<const RoundedGroups*>(&other);
  return same != nullptr && group_ == same->group_ && partial_ == same->partial_ &&
         rounding_ == same->rounding_;
}

std::vector<Parameter> RoundedGroups::parameters() const {
  return {{"group", std::to_string(group_), "products of one partial sum, which is exact"},
          {"partial_round", to_string(partial_), "rounding of a partial sum"},
          {"round", to_string(rounding_), "rounding of the sum of a partial sum and d"}};
}

}  // namespace mmaspec
