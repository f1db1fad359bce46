#include "spec/algorithms/vector/floored_dot_add.h"

#include "spec/algorithms/vector/packed_result.h"

namespace mmaspec {
namespace {

/// units * 2^(exponent - product_bits).
struct FlooredSum {
  Int units;
  Int exponent;
};

/// The sum of the products, rounded down below their largest exponent.
FlooredSum floored_sum(const SymbolicFlooredDotAdd& design, const std::vector<Term>& products) {
  const Stage stage("align");
  const Int e_max = largest_exponent(products);
  std::vector<Int> units;
  for (const Term& p : products) {
    units.push_back(align(p, e_max, design.product_bits, Rounding::down));
  }
  const Int sum = total(units);
  mark_fixed("sum of a group", sum, e_max, design.product_bits);
  return {sum, e_max};
}

Int floored_dot_add(const SymbolicFlooredDotAdd& design, const DotFormats& formats,
                    const DotOperands& operands) {
  const UnpackedOperands x = unpack(formats, operands);
  std::vector<Term> products;
  for (std::size_t k = 0; k < x.a.size(); ++k) {
    products.push_back(exact_product(*formats.a, x.a[k], *formats.b, x.b[k]));
    mark("a[" + std::to_string(k) + "]*b", negate_if(products[k].sign, products[k].significand),
         products[k].exponent, -products[k].fraction_bits);
  }
  const Term c = as_term(*formats.c, x.c);
  // A group's exponent counts this many places higher: c_bits of c are kept where product_bits
  // would be.
  const Int below = design.c_bits - design.product_bits;
  const Int least_of_c = Int(c.exponent.range().low) - below;
  products = leave_zeros_out(products, min(least_exponent(products), least_of_c));
  std::vector<FlooredSum> groups;
  for (std::size_t first = 0; first < products.size();
       first += static_cast<std::size_t>(design.group)) {
    const auto begin = products.begin() + static_cast<std::ptrdiff_t>(first);
    groups.push_back(floored_sum(design, {begin, begin + design.group}));
  }

  const Stage stage("sum");
  std::vector<Int> exponents{c.exponent};
  for (const FlooredSum& g : groups) exponents.push_back(g.exponent + below);
  const Int e_max = max(exponents);
  mark("e_max", e_max, MarkRole::largest_exponent);
  std::vector<Int> units;
  for (const FlooredSum& g : groups) {
    units.push_back(align(g.units < 0, abs(g.units), g.exponent + below, design.c_bits, e_max,
                          design.c_bits, Rounding::down));
  }
  const Int c_cut = align(c, e_max, design.c_bits, Rounding::toward_zero);
  const Bool coarse = e_max > formats.c->least_exponent() + design.c_bits;
  units.push_back(select(coarse && c_cut == 0, 0, align(c, e_max, design.c_bits, Rounding::down)));
  mark_fixed("c, rounded", units.back(), e_max, design.c_bits);
  const Int sum = total(units);
  mark_fixed("sum", sum, e_max, design.c_bits, MarkRole::sum);

  const Int d =
      packed_result(sum < 0, abs(sum), e_max - design.c_bits, design.result, design.through_f32);
  return with_special_values(special_case(x), *formats.d, quiet_nan(*formats.d), d);
}

/// Blocks of the lower and of the upper half alternately.
DotOperands with_halves_in_turns(const DotOperands& operands, int block) {
  const std::size_t k = operands.a.size();
  const auto step = static_cast<std::size_t>(block);
  DotOperands in{{}, {}, operands.c, {}, {}};
  for (std::size_t first = 0; first < k / 2; first += step) {
    for (const std::size_t half : {first, k / 2 + first}) {
      for (std::size_t i = half; i < half + step; ++i) {
        in.a.push_back(operands.a[i]);
        in.b.push_back(operands.b[i]);
      }
    }
  }
  return in;
}

}  // namespace

void describe(FlooredDotAdd& design, const DotFormats& formats, ParameterVisitor& visit) {
  auto& [block, group, product_bits, c_bits, halves_alternate, through_f32, result] = design;
  visit.divisor({"block", "products in one step; a longer K is computed as a chain"}, block,
                formats.k);
  visit.integer({"group", "products that are aligned and added first"}, group, 1, 4096);
  visit.require([&] { return design.block % design.group == 0; }, "group must divide block");
  visit.integer({"product_bits", "bits kept of products below their largest exponent"},
                product_bits, 0, 600);
  visit.integer({"c_bits", "bits kept below c's exponent"}, c_bits, 0, 600);
  visit.require([&] { return design.c_bits >= design.product_bits; },
                "c_bits must be at least product_bits");
  visit.yes_no({"halves_alternate", "blocks of the lower and of the upper half of k alternate"},
               halves_alternate);
  visit.require([&] { return !design.halves_alternate || formats.k % (2 * design.block) == 0; },
                "halves_alternate needs an even number of blocks");
  describe_through_f32(through_f32, formats, visit);
  describe_result(result, formats.d, visit);
}

SymbolicFlooredDotAdd symbolic(const FlooredDotAdd& design) {
  const auto& [block, group, product_bits, c_bits, halves_alternate, through_f32, result] = design;
  return {block, group, product_bits, c_bits, halves_alternate, through_f32, result};
}

Int build(const FlooredDotAdd& design, const DotFormats& formats, const DotOperands& operands) {
  return build(symbolic(design), formats, operands);
}

Int build(const SymbolicFlooredDotAdd& design, const DotFormats& formats,
          const DotOperands& operands) {
  const DotOperands ordered =
      design.halves_alternate ? with_halves_in_turns(operands, design.block) : operands;
  return chain(formats, ordered, design.block, [&](const DotFormats& part, const DotOperands& in) {
    return floored_dot_add(design, part, in);
  });
}

}  // namespace mmaspec
