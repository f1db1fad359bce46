#pragma once
/// Sums of two terms rounded to odd. Rounding such a sum again gives the same as rounding the exact
/// sum.

#include <optional>
#include <vector>

#include "queries/error_bounds/loss_lemmas.h"

namespace mmaspec {

/// For a sum of two terms, each within one unit of its number: proves that the sum, if it is not
/// exact, is odd and one term is exact. Returns the number of bits that it then has at least;
/// nullopt: not proved.
///
/// No even integer then lies between the sum and the exact sum, both included, unless the exact sum
/// is that integer. Therefore a bound of |d - sum| whose ends are even also holds for the exact
/// sum. After S. Boldo and G. Melquiond, Emulation of FMA and correctly rounded sums: proved
/// algorithms using rounding to odd, IEEE Transactions on Computers 57(4), 2008.
std::optional<int> bits_where_odd(const ScaledSum& sum, const ExactNumbers& numbers,
                                  LossLemmas& lemmas);

/// Proves for finite d and an odd sum of at least `bits` bits, with the nodes `cut` as variables: d
/// is zero or an even multiple of the sum's unit, and so is 2^-places times the larger of its
/// leading bit and 2^least.
bool has_even_ends(const ScaledSum& sum, const BinaryRational& d, Bool finite, int bits, int least,
                   int places, const std::vector<NodeId>& cut, LossLemmas& lemmas);

}  // namespace mmaspec
