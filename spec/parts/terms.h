#pragma once
/// The steps that fused algorithms share: exact products, the largest exponent, alignment, and what
/// NaNs and infinities among the operands make of the result.

#include <vector>

#include "spec/formats/round.h"
#include "spec/formats/unpack.h"
#include "spec/lang/choice.h"
#include "spec/parts/dot_add.h"

namespace mmaspec {

/// A summand: (-1)^sign * significand * 2^(exponent - fraction_bits), not normalised.
struct Term {
  Bool sign;
  Int significand;  ///< >= 0
  Int exponent;
  int fraction_bits;

  Bool is_zero() const { return significand == 0; }
};

/// What a zero among the terms counts when the largest exponent is sought.
enum class ZeroTerms {
  left_out,        ///< nothing (Khattak and Mikaitis)
  operands_count,  ///< a zero operand counts `zero_exponent`, before the exponents of a product are
                   ///< added (MMA-Sim)
};

/// What exponent a zero operand counts, where zeros do; known or symbolic.
struct ZeroExponent {
  ZeroExponent() = default;  ///< they do not: a zero keeps the exponent that it was unpacked with
  ZeroExponent(Choice<ZeroTerms> zero_terms, Int zero_exponent)
      : counts(zero_terms.is(ZeroTerms::operands_count)), exponent(zero_exponent) {}

  Bool counts = false;
  Int exponent = 0;
};

/// The operands with subnormals and zeros among a, b and c replaced by +0 if `flush`.
DotOperands flush_subnormals(const DotFormats& formats, const DotOperands& operands,
                             Bool flush = true);

/// The operands with subnormals among a, b and c replaced by zeros of their signs if `flush`.
DotOperands subnormals_as_zeros(const DotFormats& formats, const DotOperands& operands,
                                Bool flush = true);

/// Unpacked operands of one dot-add.
struct UnpackedOperands {
  std::vector<Unpacked> a;
  std::vector<Unpacked> b;
  Unpacked c;
  std::vector<Unpacked> scale_a;  ///< one for each block of products, as are those of b
  std::vector<Unpacked> scale_b;
  int scale_block = 0;  ///< products that share a scale factor; 0: there are none

  /// The index of product k's scale factors.
  std::size_t scale_of(std::size_t k) const { return k / static_cast<std::size_t>(scale_block); }
};
UnpackedOperands unpack(const DotFormats& formats, const DotOperands& operands);

/// a * b, exact: sign xor, exponents added, significands multiplied; never normalised. Operands
/// that are zero have the exponent that zeros count, if they do.
Term exact_product(const Format& fa, const Unpacked& a, const Format& fb, const Unpacked& b,
                   const ZeroExponent& zero = {});
/// a[k] * b[k] times its scale factors, exact: their exponents added, their significands
/// multiplied, never normalised. Operands and scale factors that are zero have the exponent that
/// zeros count, if they do.
Term scaled_product(const DotFormats& formats, const UnpackedOperands& operands, std::size_t k,
                    const ZeroExponent& zero = {});
/// The exponent of a number; of a zero the one that zeros count, if they do.
Int counted_exponent(const Unpacked& x, const ZeroExponent& zero);
/// The same number with its leading bit at fraction_bits (zero stays as it is).
Term normalized(const Term& term);
/// The number itself as a term.
Term as_term(const Format& format, const Unpacked& x, const ZeroExponent& zero = {});

/// The terms with zeros given the exponent `floor` if `leave`, so that they raise no maximum that
/// `floor` does not, and no shift is negative.
std::vector<Term> leave_zeros_out(std::vector<Term> terms, Int floor, Bool leave = true);
/// A lower bound of all terms' exponents, by their ranges.
Integer least_exponent(const std::vector<Term>& terms);
/// The largest exponent of all terms.
Int largest_exponent(const std::vector<Term>& terms);

/// The term in units of 2^(e_max - fraction_bits), rounded to an integer toward zero, down or to
/// odd. By its range e_max must be at least the term's exponent.
Int align(const Term& term, Int e_max, Int fraction_bits, const Choice<Rounding>& rounding);
/// The same of (-1)^sign * significand * 2^(exponent - from_bits).
Int align(Bool sign, Int significand, Int exponent, Int from_bits, Int e_max, Int fraction_bits,
          const Choice<Rounding>& rounding);

/// Marks units * 2^(exponent - fraction_bits), where fraction_bits is a number and no expression.
void mark_fixed(std::string_view label, Int units, Int exponent, Int fraction_bits,
                MarkRole role = MarkRole::value);

/// The product's magnitude is 2^exponent or more.
Bool reaches(const Term& term, Int exponent);

/// What NaNs and infinities decide before any arithmetic.
struct SpecialCase {
  Bool is_nan;  ///< a NaN operand or scale factor, infinity times zero (an operand or a scale
                ///< factor), or infinities of both signs
  Bool positive_infinity;  ///< some summand is +infinity
  Bool negative_infinity;
};
SpecialCase special_case(const UnpackedOperands& operands);
/// Adds that products of magnitude 2^exponent or more count as infinities. Where an operand is NaN
/// or infinite they do only if `joins` (MMA-Sim section IV-F, steps 1 and 3, says that they do
/// not).
SpecialCase with_product_overflow(const SpecialCase& special, const std::vector<Term>& products,
                                  Int exponent, Bool joins = false);
/// `finite` unless the operands have NaNs or infinities. `nan` is the pattern of the NaN made; an
/// infinite sum is infinite_pattern() of the result's format, whatever its Overflow: it is exact,
/// and no overflow.
Int with_special_values(const SpecialCase& special, const Format& result, const Integer& nan,
                        Int finite);

/// Throws TooLarge if the graph could not hold as many nodes for each later step, of `block`
/// products from the first one on, as were made since it had `before`: where their operands are
/// inputs, of which each step makes much the same.
void expect_steps(const DotOperands& operands, int first, int block, std::size_t before);

/// Runs `step(formats of a block, its operands) -> d` over blocks of k, each taking the last one's
/// d as c. Products keep their scale factors, whatever the blocks of these: see slice(). Throws
/// TooLarge as soon as one step shows that all are more than a graph holds.
template <typename Step>
Int chain(const DotFormats& formats, const DotOperands& operands, int block, const Step& step) {
  Int d = operands.c;
  for (int first = 0; first < formats.k; first += block) {
    DotFormats part = part_of(formats, block);
    if (first > 0) part.c = formats.d;
    const std::size_t before = Graph::current().size();
    d = step(part, slice(formats, operands, first, block, d));
    if (first == block) expect_steps(operands, first + block, block, before);
    if (first + block < formats.k) mark("pattern of d", d, MarkRole::pattern);
  }
  return d;
}

}  // namespace mmaspec
