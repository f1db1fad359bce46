#include "spec/plans/instructions/scaled_sums.h"

#include "spec/formats/integer.h"
#include "spec/parts/rounded_sum.h"

namespace mmaspec {

Int ScaledSums::build(const DotFormats& formats, const DotOperands& operands) const {
  const Format& d = *formats.d;
  const ResultFormat result{&d, Rounding::nearest_even, Underflow::flush_tiny};
  const Integer nan = quiet_nan(d);
  const int point = formats.a->point + formats.b->point;
  return chain(
      formats, operands, formats.scale_block, [&](const DotFormats& part, const DotOperands& in) {
        std::vector<Int> products;
        for (std::size_t k = 0; k < in.a.size(); ++k) {
          products.push_back(integer_value(*part.a, in.a[k]) * integer_value(*part.b, in.b[k]));
        }
        const Stage stage("sum");
        const Int sum = total(products);
        const Unpacked x = unpack(*part.scale, in.scale_a.at(0));
        const Unpacked y = unpack(*part.scale, in.scale_b.at(0));
        mark("sum", sum, x.exponent + y.exponent, -point, MarkRole::sum);
        const Int finite = round_and_pack(
            {sum < 0, abs(sum), x.exponent + y.exponent - point, false, false, true}, result);
        const Int rounded = select(x.is_nan || y.is_nan, nan, finite);
        mark("pattern of the scaled sum", rounded, MarkRole::pattern);
        return add(*part.c, subnormal_as_zero(*part.c, in.c), d, rounded, result, nan);
      });
}

bool ScaledSums::equals(const Composition& other) const {
  return dynamic_cast<const ScaledSums*>(&other) != nullptr;
}

std::string ScaledSums::reference() const { return "x86 ACE v1, section 14.2, op4mxbss"; }

}  // namespace mmaspec
