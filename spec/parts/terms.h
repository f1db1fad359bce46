#pragma once
/// Steps that fused algorithms share: exact products, the largest exponent, alignment, and the
/// results of NaN and infinite operands.

#include <vector>

#include "spec/formats/round.h"
#include "spec/formats/unpack.h"
#include "spec/lang/choice.h"
#include "spec/parts/dot_add.h"

namespace mmaspec {

/// A summand: (-1)^sign * significand * 2^(exponent - fraction_bits), not normalized.
struct Term {
  Bool sign;
  Int significand;  ///< >= 0
  Int exponent;
  int fraction_bits;

  Bool is_zero() const { return significand == 0; }
};

/// How a zero term counts for the largest exponent.
enum class ZeroTerms {
  left_out,        ///< not at all (Khattak and Mikaitis)
  operands_count,  ///< a zero operand has the exponent `zero_exponent`, before the exponents of a
                   ///< product are added (MMA-Sim)
};

/// The exponent of a zero operand if zeros count; known or symbolic.
struct ZeroExponent {
  ZeroExponent() = default;  ///< zeros do not count: a zero keeps the exponent that it was unpacked
                             ///< with
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
  std::vector<Unpacked> scale_a;  ///< one for each block of products; likewise scale_b
  std::vector<Unpacked> scale_b;
  int scale_block = 0;  ///< number of products that share a scale factor; 0: there are none

  /// The index of product k's scale factors.
  std::size_t scale_of(std::size_t k) const { return k / static_cast<std::size_t>(scale_block); }
};
UnpackedOperands unpack(const DotFormats& formats, const DotOperands& operands);

/// The exact product a * b: sign xor, exponents added, significands multiplied; never normalized.
/// Zero operands have the exponent that zeros count as, if they count.
Term exact_product(const Format& fa, const Unpacked& a, const Format& fb, const Unpacked& b,
                   const ZeroExponent& zero = {});
/// a[k] * b[k] times its scale factors, exact: exponents added, significands multiplied, never
/// normalized. Zero operands and scale factors have the exponent that zeros count as, if they
/// count.
Term scaled_product(const DotFormats& formats, const UnpackedOperands& operands, std::size_t k,
                    const ZeroExponent& zero = {});
/// The exponent of a number; for a zero the one that zeros count as, if they count.
Int counted_exponent(const Unpacked& x, const ZeroExponent& zero);
/// The same number with its leading bit at fraction_bits (zero is unchanged).
Term normalized(const Term& term);
/// The number itself as a term.
Term as_term(const Format& format, const Unpacked& x, const ZeroExponent& zero = {});

/// Gives zeros the exponent `floor` if `leave`. They then do not raise any maximum that includes
/// `floor`, and no shift is negative.
std::vector<Term> leave_zeros_out(std::vector<Term> terms, Int floor, Bool leave = true);
/// A lower bound of all terms' exponents, from their ranges.
Integer least_exponent(const std::vector<Term>& terms);
/// The largest exponent of all terms.
Int largest_exponent(const std::vector<Term>& terms);

/// The term in units of 2^(e_max - fraction_bits), rounded to an integer toward zero, down or to
/// odd. The ranges must imply that e_max is at least the term's exponent.
Int align(const Term& term, Int e_max, Int fraction_bits, const Choice<Rounding>& rounding);
/// The same for (-1)^sign * significand * 2^(exponent - from_bits).
Int align(Bool sign, Int significand, Int exponent, Int from_bits, Int e_max, Int fraction_bits,
          const Choice<Rounding>& rounding);

/// Marks units * 2^(exponent - fraction_bits) if fraction_bits is a constant.
void mark_fixed(std::string_view label, Int units, Int exponent, Int fraction_bits,
                MarkRole role = MarkRole::value);

/// True if the magnitude of the product is at least 2^exponent.
Bool reaches(const Term& term, Int exponent);

/// Results that NaNs and infinities determine before any arithmetic.
struct SpecialCase {
  Bool is_nan;  ///< a NaN operand or scale factor, infinity times zero (an operand or a scale
                ///< factor), or infinities of both signs
  Bool positive_infinity;  ///< some summand is +infinity
  Bool negative_infinity;
};
SpecialCase special_case(const UnpackedOperands& operands);
/// Lets products of magnitude 2^exponent or more count as infinities. If an operand is NaN or
/// infinite, they count only if `joins` (MMA-Sim section IV-F, steps 1 and 3, says that they do
/// not).
SpecialCase with_product_overflow(const SpecialCase& special, const std::vector<Term>& products,
                                  Int exponent, Bool joins = false);
/// `finite` unless the operands have NaNs or infinities. `nan` is the pattern of a NaN result. An
/// infinite sum is infinite_pattern() of the result's format, independent of Overflow, because it
/// is exact and not an overflow.
Int with_special_values(const SpecialCase& special, const Format& result, const Integer& nan,
                        Int finite);

/// Throws TooLarge if the graph could not hold the nodes of all later steps, estimated by the
/// number of nodes created since it had `before`. The steps have `block` products each, from
/// product `first` on, whose operands are inputs, so that each step creates about as many nodes.
void expect_steps(const DotOperands& operands, int first, int block, std::size_t before);

/// Applies `step(formats of a block, its operands) -> d` to blocks of k; each takes the last one's
/// d as c. Products keep their scale factors, whatever the blocks of these are: see slice(). Throws
/// TooLarge as soon as one step shows that all steps exceed the capacity of a graph.
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
