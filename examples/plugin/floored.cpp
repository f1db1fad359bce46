// An algorithm that no hardware implements, the same as examples/python/own_algorithm.py: terms are
// cut downward 27 bits below the largest one and summed, and the sum is rounded to nearest.

#include "api/plugin/plugin.h"
#include "spec/parts/terms.h"

namespace mmaspec {
namespace {

constexpr int kFractionBits = 27;

Int floored(const DotFormats& formats, const DotOperands& operands) {
  const UnpackedOperands x = unpack(formats, operands);
  std::vector<Term> terms;
  for (std::size_t k = 0; k < x.a.size(); ++k) {
    terms.push_back(exact_product(*formats.a, x.a[k], *formats.b, x.b[k]));
  }
  terms.push_back(as_term(*formats.c, x.c));
  terms = leave_zeros_out(terms, least_exponent(terms));
  const Int e_max = largest_exponent(terms);

  Int sum = 0;
  {
    const Stage stage("sum");
    for (const Term& t : terms) sum = sum + align(t, e_max, kFractionBits, Rounding::down);
    mark("sum", sum, e_max, -kFractionBits);
  }
  const Int d = round_and_pack({sum < 0, abs(sum), e_max - kFractionBits}, {formats.d});
  return with_special_values(special_case(x), *formats.d, canonical_nan(*formats.d), d);
}

}  // namespace

std::vector<OwnAlgorithm> own_algorithms() {
  std::vector<OwnAlgorithm> all;
  const DotFormats formats{&formats::f16, &formats::f16, &formats::f32, &formats::f32, 8};
  all.push_back(
      {"floored", formats, [formats](const DotOperands& in) { return floored(formats, in); }});
  return all;
}

}  // namespace mmaspec
