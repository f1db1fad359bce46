#pragma once
/// Analytical proofs from the steps of an algorithm, for every K. They need no solver, and solvers
/// could not find them for numbers of a thousand bits.
///
/// Each function names the designs that it covers and is false for all others. That includes
/// chained designs and designs padded with zeros, unless the function has a rule for them.

#include <optional>
#include <string>

#include "spec/catalog/instruction.h"

namespace mmaspec {

/// A conversion whose result rises with its number: it rounds once, also stochastically with given
/// random bits, and neither an infinity nor a NaN becomes a number below that of others.
bool is_monotone_conversion(const Instruction& instruction);

/// Each step that c passes through is an IEEE 754 operation (FMA, sum) or an exact sum of products
/// and c: the exact result is rounded once, and rounding is monotone. Operands may be flushed
/// before a step and results after it.
bool has_rounded_steps(const Instruction& instruction);

/// As has_rounded_steps(), and in addition rounding is IEEE 754's to nearest even, nothing is
/// flushed, and all bits of the result are kept. With scale factors, sums of products are scaled,
/// and d's format holds each product before it is scaled.
bool has_ieee_steps(const Instruction& instruction);

/// A single term next to zeros reaches the last rounding, which keeps subnormal results, as an
/// exact number or, without scale factors, as one that is rounded once before: has_ieee_steps(),
/// sums without scale factors that lose no bit, or a chain in f32 that is converted.
bool keeps_subnormals(const Instruction& instruction);

/// Each step rounds an exact sum of products. c is one of its terms, or it is added to the rounded
/// sum and the result is rounded again. All products of a step share their scale factors.
bool rounds_exact_sums(const Instruction& instruction);

/// c takes part only in the last step, which is an IEEE 754 addition. For a plan: c takes part only
/// in such steps outside the unit.
bool adds_c_last(const Instruction& instruction);

/// Each step that a product passes through rounds an exact result once and is monotone in each
/// operand: has_ieee_steps() or rounds_exact_sums(). Chains of such designs and plans around them
/// are included.
bool rounds_each_exact_result(const Instruction& instruction);

/// Adding zeros to c in all steps is exact after rounding to d's format as IEEE 754 rounds, and no
/// value of c overflows in a format without infinity.
bool keeps_c(const Instruction& instruction);

/// Every step treats a number and its negative alike: cutting and rounding depend on magnitudes
/// only.
bool treats_signs_alike(const Instruction& instruction);

/// Replacing c by the next larger number adds at least as much as the other terms can lose because
/// c's exponent, or the exponent that zero counts as, is larger.
bool c_outweighs_cuts(const Instruction& instruction);

/// If a group of products becomes zero or nonzero, it changes the sum by at least as much as the
/// other terms can lose or gain because the largest exponent changes. Products do not have
/// exponents of their own here.
bool groups_outweigh_cuts(const Instruction& instruction);

/// No step gives an infinity for finite operands: the terms added at once are less than a quarter
/// ulp of the largest number, which c may be.
bool cannot_overflow(const Instruction& instruction);

/// A NaN result occurs only for a NaN operand, 0 * infinity, or infinities of both signs. No finite
/// operands overflow, no operand is flushed to zero, and d's format has infinities.
bool makes_no_nan(const Instruction& instruction);

/// Where the terms can reach the largest number nothing is cut, so that their sum is rounded once.
bool is_exact_near_overflow(const Instruction& instruction);

/// Products are rounded and added in pairs, and `within` exchanges the products of each pair.
bool adds_pairs(const Instruction& instruction, int within);

/// The rounding of the result, if only the exact result is rounded, once, and nothing is cut.
/// nullopt if that does not hold or is not proved.
std::optional<ResultFormat> only_rounding(const Instruction& instruction);

/// The only rounding is that of IEEE 754 to nearest even.
bool is_correctly_rounded(const Instruction& instruction);

/// The exact result is rounded once, to one of its two neighbours in d's format. Infinity, or what
/// represents it, counts as the neighbour beyond the largest number. Any rounding mode is allowed;
/// underflow is gradual, and all bits of the format are kept. An exact result that d's format holds
/// is returned unchanged.
bool is_faithfully_rounded(const Instruction& instruction);

/// As is_faithfully_rounded(), and in addition d is infinite only if the exact result rounded to
/// nearest even is infinite: d is rounded to nearest even or toward zero, or it saturates.
bool overflows_no_earlier(const Instruction& instruction);

/// The reason given by the properties that follow from it.
inline constexpr const char* kRoundedOnce = "the exact result is all that is rounded, once";

/// Integers: each step adds exactly and clamps to the range of d's format, so that the result is
/// monotone in every term.
bool saturates(const Instruction& instruction);
/// The reason given for monotonicity.
inline constexpr const char* kSaturates =
    "each step adds exactly and saturates, which lets no sum fall where a term rises, for every K";

/// Integers: d is the exact result if d's format holds it. Sums wrap, so that d equals the exact
/// result modulo 2^n, or they saturate once.
bool keeps_exact_integers(const Instruction& instruction);

}  // namespace mmaspec
