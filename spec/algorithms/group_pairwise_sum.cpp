#include "spec/algorithms/group_pairwise_sum.h"

#include "spec/algorithms/symbolic.h"
#include "spec/parts/parameter_visitor.h"
#include "spec/parts/rounded_sum.h"

namespace mmaspec {
namespace {

/// x of format `fx` plus a step's result.
Int plus(const SymbolicGroupPairwiseSum& design, const Format& fx, Int x, Int y) {
  const Format& format = *design.step.format;
  return add(fx, x, format, y, design.step, quiet_nan(format));
}

Int pairwise_sum(const SymbolicGroupPairwiseSum& design, const std::vector<Int>& terms) {
  if (terms.size() == 1) return terms[0];
  const auto middle = terms.begin() + static_cast<std::ptrdiff_t>(terms.size() / 2);
  const Int first = pairwise_sum(design, {terms.begin(), middle});  // evaluated in this order, for
                                                                    // the marks,
  const Int second = pairwise_sum(design, {middle, terms.end()});   // which is independent of the
                                                                    // compiler
  const Int sum = plus(design, *design.step.format, first, second);
  mark("pattern of a sum of " + std::to_string(terms.size()), sum, MarkRole::pattern);
  return sum;
}

/// Each product with its scale factors, rounded.
std::vector<Int> rounded_products(const SymbolicGroupPairwiseSum& design, const DotFormats& formats,
                                  const DotOperands& x) {
  const Integer nan = quiet_nan(*formats.d);
  const Bool minus = design.minus_zero_products;
  std::vector<Int> products;
  const auto add = [&](const auto& product) {
    for (std::size_t k = 0; k < x.a.size(); ++k) {
      products.push_back(product(k));
      mark("pattern of a[" + std::to_string(k) + "]*b", products.back(), MarkRole::pattern);
    }
  };
  if (formats.scale == nullptr) {
    add([&](std::size_t k) {
      return product_plus_zero(*formats.a, x.a[k], *formats.b, x.b[k], design.step, nan, minus);
    });
  } else {
    const UnpackedOperands unpacked = unpack(formats, x);
    add([&](std::size_t k) {
      return scaled_product_plus_zero(formats, unpacked, k, design.step, nan, minus);
    });
  }
  return products;
}

}  // namespace

void describe(GroupPairwiseSum& design, const DotFormats& formats, ParameterVisitor& visit) {
  auto& [group, flush_inputs, step, minus_zero_products] = design;
  visit.divisor({"group", "products summed pairwise before c is added"}, group, formats.k);
  visit.require([&group = group] { return is_power_of_two(group); },
                "group=" + std::to_string(group) + ": expected a power of two");
  visit.yes_no({"flush_inputs", "subnormal operands and zeros are replaced by +0"}, flush_inputs);
  describe_result(step, formats.d, visit);
  visit.yes_no({"minus_zero_products", "a product of -0 stays -0, instead of +0"},
               minus_zero_products);
}

Int build(const GroupPairwiseSum& design, const DotFormats& formats, const DotOperands& operands) {
  return build(symbolic(design), formats, operands);
}

Int build(const SymbolicGroupPairwiseSum& design, const DotFormats& formats,
          const DotOperands& operands) {
  const DotOperands x = flush_subnormals(formats, operands, design.flush_inputs);
  const std::vector<Int> products = rounded_products(design, formats, x);
  Int d = x.c;
  const Format* accumulator = formats.c;
  for (std::size_t first = 0; first < products.size();
       first += static_cast<std::size_t>(design.group)) {
    const auto begin = products.begin() + static_cast<std::ptrdiff_t>(first);
    const Int sum = pairwise_sum(design, {begin, begin + design.group});
    if (design.group == 1) mark("pattern of group", sum, MarkRole::pattern);
    d = plus(design, *accumulator, d, sum);
    accumulator = formats.d;
    mark("pattern of d", d, MarkRole::pattern);
  }
  return d;
}

}  // namespace mmaspec
