#pragma once
/// What follows from the steps that an algorithm is made of, for every K: arguments that need no
/// solver, and that no solver could make of numbers of a thousand bits.
///
/// Each says of which designs it holds, and of no other: not of a chain of a design or of one
/// padded with zeros, unless it has a rule for those.

#include <optional>
#include <string>

#include "spec/catalog/instruction.h"

namespace mmaspec {

/// Each step is an operation of IEEE 754 (FMA, product, sum), or an exact sum of products: its
/// exact result rounded once, and rounding is monotone. Operands may be flushed before, and results
/// after.
bool has_rounded_steps(const Instruction& instruction);

/// Besides, rounding is IEEE 754's to nearest even, nothing is flushed, and all bits of the result
/// are kept.
bool has_ieee_steps(const Instruction& instruction);

/// Each step rounds an exact sum of products, and c is one of its terms or added to it and rounded
/// again; no scale factors.
bool rounds_exact_sums(const Instruction& instruction);

/// c takes part in the last step alone, and that is an addition of IEEE 754; or, of a plan, in such
/// steps outside of the unit alone.
bool adds_c_last(const Instruction& instruction);

/// Each step that a product goes through rounds an exact result once, and falls with none of its
/// operands: has_ieee_steps() or rounds_exact_sums(), of chains, and of plans around such.
bool rounds_each_exact_result(const Instruction& instruction);

/// All steps add zeros to c without an error once it is rounded to d's format as IEEE 754 rounds,
/// and none of c's numbers overflows a format without infinity.
bool keeps_c(const Instruction& instruction);

/// No step tells a number from its negative: all that is cut or rounded is so by magnitude.
bool treats_signs_alike(const Instruction& instruction);

/// The next larger c adds at least what the other terms can lose because c's exponent is larger
/// now, or because zero has one.
bool c_outweighs_cuts(const Instruction& instruction);

/// A group of products that is no longer zero, or is so now, changes a sum by at least what the
/// other terms can lose or win by the largest exponent that it changes; products have none of their
/// own.
bool groups_outweigh_cuts(const Instruction& instruction);

/// No finite operands give an infinity at any step: what is added at once is less than a quarter
/// ulp of the largest number, which c may be.
bool cannot_overflow(const Instruction& instruction);

/// No NaN but of a NaN operand, of 0 * infinity or of infinities of both signs: no finite operands
/// overflow, no operand is flushed to zero, and d's format has infinities.
bool makes_no_nan(const Instruction& instruction);

/// Where the terms can reach the largest number nothing is cut, so that their sum is rounded once.
bool is_exact_near_overflow(const Instruction& instruction);

/// Products are rounded and added two by two, and those of each pair change places.
bool adds_pairs(const Instruction& instruction, int within);

/// Nothing is cut or rounded but the exact result, once: how; nullopt: something is, or it is not
/// plain that nothing is.
std::optional<ResultFormat> only_rounding(const Instruction& instruction);

/// The only rounding is that of IEEE 754 to nearest even.
bool is_correctly_rounded(const Instruction& instruction);

/// The exact result is rounded once, to one of its two neighbours in d's format, infinity (or what
/// stands for it) counted as the one beyond the largest number: in any rounding mode, with gradual
/// underflow and all of the format's bits. An exact result that d's format holds is d.
bool is_faithfully_rounded(const Instruction& instruction);

/// Besides, d is infinite only where the exact result rounded to nearest even is: d is rounded so,
/// or toward zero, or saturates.
bool overflows_no_earlier(const Instruction& instruction);

/// Why, in the words of the properties that follow.
inline constexpr const char* kRoundedOnce = "the exact result is all that is rounded, once";

/// Integers: each step adds exactly and takes the nearest number that d's format holds, so that no
/// result falls where a term rises.
bool saturates(const Instruction& instruction);
/// What that says of monotonicity.
inline constexpr const char* kSaturates =
    "each step adds exactly and saturates, which lets no sum fall where a term rises, for every K";

/// Integers: where d's format holds the exact result it is d. Sums wrap, so that d is the exact
/// result but for a multiple of 2^n, or saturate once.
bool keeps_exact_integers(const Instruction& instruction);

}  // namespace mmaspec
