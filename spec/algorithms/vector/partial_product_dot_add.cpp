#include "spec/algorithms/vector/partial_product_dot_add.h"

#include "spec/parts/parameter_visitor.h"

namespace mmaspec {
namespace {

/// Units that a sum of -1 units counts as where it wraps: -2^27.
constexpr unsigned kWrapped = 27;

/// An operand's part that a phase multiplies, with bits - 1 fraction bits.
struct OperandPart {
  Bool sign;
  Bool zero;  ///< the operand is zero or subnormal
  Int significand;
  Int exponent;
};

/// The highest `count` bits of the operand's significand, or the `count` bits below them.
OperandPart part_of_operand(const Format& format, Int pattern, int count, bool low) {
  const Unpacked x = unpack(format, pattern);
  const int missing = std::max(2 * count - format.precision(), 0);
  const int width = format.precision() + missing;
  const Int wide = x.significand * power_of_two(static_cast<unsigned>(missing));
  const int lowest = width - (low ? 2 : 1) * count;
  const Bool zero = x.significand < power_of_two(static_cast<unsigned>(format.fraction_bits));
  return {x.sign, zero, bits(wide, static_cast<unsigned>(lowest), static_cast<unsigned>(count)),
          x.exponent - (low ? count : 0)};
}

/// x / 2^n to nearest, ties up.
Int half_up(Int x, Int n) { return floor_shift_right(floor_shift_right(2 * x, n) + 1, 1); }

/// Where a term's rounding leaves ties.
enum class Ties { up, away_from_zero };

/// Rounds to aligned_bits and then to fraction_bits below e_max.
Int doubly_rounded(const SymbolicPartialProductDotAdd& design, const Term& term, Int e_max,
                   Ties ties) {
  const Int widened = design.aligned_bits - term.fraction_bits;
  const Int wide = shift_left(term.significand, max(widened, 0));
  const Int distance = e_max - term.exponent + max(-widened, 0);
  const Int dropped = design.aligned_bits - design.fraction_bits;
  const auto both = [&](Int x) { return half_up(half_up(x, distance), dropped); };
  return ties == Ties::up ? both(negate_if(term.sign, wide)) : negate_if(term.sign, both(wide));
}

/// The sum of a group's products, below their largest exponent or `floor`.
Term group_sum(const std::vector<Term>& products, Int floor) {
  const Stage stage("align");
  const Int e_max = max(largest_exponent(products), floor);
  std::vector<Int> units;
  for (const Term& p : products) {
    units.push_back(negate_if(p.sign, half_up(p.significand, e_max - p.exponent)));
  }
  const Int sum = select(e_max > floor, total(units), 0);
  mark("sum of a group", sum, e_max, -products[0].fraction_bits);
  return {sum < 0, abs(sum), e_max, products[0].fraction_bits};
}

std::vector<Term> partial_products(const SymbolicPartialProductDotAdd& design, int phase,
                                   const DotFormats& formats, const DotOperands& operands) {
  const Stage stage("product");
  const bool low_a = phase % 2 == 1;
  const bool low_b = phase / 2 == 1;
  const int zero_exponent = formats.a->least_exponent() - 1 + formats.b->least_exponent() - 1 -
                            (low_a ? design.a_bits : 0) - (low_b ? design.b_bits : 0);
  std::vector<Term> products;
  for (std::size_t k = 0; k < operands.a.size(); ++k) {
    const OperandPart a = part_of_operand(*formats.a, operands.a[k], design.a_bits, low_a);
    const OperandPart b = part_of_operand(*formats.b, operands.b[k], design.b_bits, low_b);
    const Bool zero = a.zero || b.zero;
    products.push_back({a.sign ^ b.sign, select(zero, 0, a.significand * b.significand),
                        select(zero, zero_exponent, a.exponent + b.exponent),
                        design.a_bits + design.b_bits - 2});
    const Term& p = products.back();
    mark("a[" + std::to_string(k) + "]*b", negate_if(p.sign, p.significand), p.exponent,
         -p.fraction_bits);
  }
  return products;
}

Int partial_step(const SymbolicPartialProductDotAdd& design, int phase, const DotFormats& formats,
                 const DotOperands& operands) {
  const Int floor = formats.d->least_exponent() - 1;
  const std::vector<Term> products = partial_products(design, phase, formats, operands);
  std::vector<Term> groups;
  for (auto first = products.begin(); first != products.end(); first += design.group) {
    groups.push_back(group_sum({first, first + design.group}, floor));
  }
  const Unpacked x = unpack(*formats.c, operands.c);
  const Bool zero_c = x.significand < power_of_two(static_cast<unsigned>(formats.c->fraction_bits));
  const Term c{x.sign, select(zero_c, 0, x.significand), select(zero_c, floor, x.exponent),
               formats.c->fraction_bits};
  mark("c", negate_if(c.sign, c.significand), c.exponent, -c.fraction_bits);

  Int sum = 0;
  Int e_max = 0;
  {
    const Stage stage("align");
    e_max = max({largest_exponent(groups), c.exponent, floor});
    mark("e_max", e_max, MarkRole::largest_exponent);
    std::vector<Int> units;
    for (const Term& g : groups) units.push_back(doubly_rounded(design, g, e_max, Ties::up));
    units.push_back(doubly_rounded(design, c, e_max, Ties::away_from_zero));
    const Stage sum_stage("sum");
    sum = total(units);
    mark_fixed("sum", sum, e_max, design.fraction_bits, MarkRole::sum);
  }
  const Int magnitude =
      select(design.minus_one_wraps && sum == -1, power_of_two(kWrapped), abs(sum));
  return round_and_pack({sum < 0, magnitude, e_max - design.fraction_bits}, design.result);
}

}  // namespace

void describe(PartialProductDotAdd& design, const DotFormats& formats, ParameterVisitor& visit) {
  auto& [block, group, first_phase, phases, a_bits, b_bits, aligned_bits, fraction_bits,
         minus_one_wraps, result] = design;
  visit.divisor({"block", "products in one step; a longer K is computed as a chain"}, block,
                formats.k);
  visit.integer({"group", "products that are aligned and added first"}, group, 1, 4096);
  visit.require([&] { return design.block % design.group == 0; }, "group must divide block");
  visit.integer({"first_phase", "the first fidelity phase"}, first_phase, 0, 3);
  visit.integer({"phases", "fidelity phases, each of which adds to the last one's result"}, phases,
                1, 4);
  visit.require([&] { return design.first_phase + design.phases <= 4; },
                "the last phase is 3: first_phase + phases must be at most 4");
  visit.integer({"a_bits", "bits of a's significand that a phase multiplies"}, a_bits, 1, 60);
  visit.integer({"b_bits", "bits of b's significand that a phase multiplies"}, b_bits, 1, 60);
  visit.integer({"aligned_bits", "bits kept below the largest exponent by the first rounding"},
                aligned_bits, 0, 600);
  visit.integer({.key = "fraction_bits",
                 .meaning = "bits kept below the largest exponent by the second rounding (F)",
                 .required = true},
                fraction_bits, 0, 600);
  visit.require([&] { return design.fraction_bits <= design.aligned_bits; },
                "fraction_bits must be at most aligned_bits");
  visit.yes_no({"minus_one_wraps", "a sum of -1 units counts as -2^27 units"}, minus_one_wraps);
  describe_result(result, formats.d, visit);
}

SymbolicPartialProductDotAdd symbolic(const PartialProductDotAdd& design) {
  const auto& [block, group, first_phase, phases, a_bits, b_bits, aligned_bits, fraction_bits,
               minus_one_wraps, result] = design;
  return {block,  group,        first_phase,   phases,          a_bits,
          b_bits, aligned_bits, fraction_bits, minus_one_wraps, result};
}

Int build(const PartialProductDotAdd& design, const DotFormats& formats,
          const DotOperands& operands) {
  return build(symbolic(design), formats, operands);
}

Int build(const SymbolicPartialProductDotAdd& design, const DotFormats& formats,
          const DotOperands& operands) {
  DotFormats step_formats = formats;
  DotOperands in = operands;
  for (int phase = design.first_phase; phase < design.first_phase + design.phases; ++phase) {
    if (phase > design.first_phase) {
      step_formats.c = formats.d;
      mark("pattern of d", in.c, MarkRole::pattern);
    }
    in.c = chain(step_formats, in, design.block,
                 [&](const DotFormats& part, const DotOperands& operands_of_part) {
                   return partial_step(design, phase, part, operands_of_part);
                 });
  }
  return in.c;
}

}  // namespace mmaspec
