#include "spec/plans/scheme.h"

#include <utility>

#include "spec/formats/unpack.h"
#include "spec/parts/rounded_sum.h"

namespace mmaspec {

Int plus(const Format& format, Int x, Int y) {
  // Addition commutes: both orders are one expression.
  if (y.id() < x.id()) std::swap(x, y);
  return add(format, x, format, y, ResultFormat{&format}, quiet_nan(format));
}

Int fused(const Format& format, Int x, Int y, Int z) {
  return fused_multiply_add(format, x, format, y, format, z, ResultFormat{&format},
                            quiet_nan(format));
}

Int times(const Format& format, Int x, Int y) {
  // Adding -0 does not change any number.
  return fused(format, x, y, with_sign(format, true, 0));
}

Int power(const Format& format, int exponent) {
  return Integer(exponent + format.bias)
         << static_cast<unsigned>(format.fraction_bits + format.ignored_low_bits);
}

Int minus(const Format& format, Int x) {
  const auto sign = static_cast<unsigned>(format.sign_bit());
  return with_sign(format, !bit(x, sign), bits(x, 0, sign));
}

Int run_inner(const Inner& inner, const DotFormats& formats, const DotOperands& operands) {
  return chain(formats, operands, inner.formats.k, [&](const DotFormats&, const DotOperands& in) {
    return inner.algorithm.build(inner.formats, in);
  });
}

}  // namespace mmaspec
