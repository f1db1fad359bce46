#pragma once
/// Sums of two terms rounded to odd, which stand for the exact sum wherever they are rounded again.

#include <optional>
#include <vector>

#include "queries/losses/loss_lemmas.h"

namespace mmaspec {

/// Of a sum of two numbers' terms, in which each term lies within a unit of its number: where it is
/// not their exact sum it is odd, one term is exact, and it has this many bits or more. nullopt:
/// not proved.
///
/// So no even integer lies between the sum and the exact one, both included, unless the exact one
/// is that integer: a bound of |d - sum| whose ends are even holds of the exact sum. After S. Boldo
/// and G. Melquiond, Emulation of FMA and correctly rounded sums: proved algorithms using rounding
/// to odd, IEEE Transactions on Computers 57(4), 2008.
std::optional<int> bits_where_odd(const SumOfNumbers& sum, const ExactNumbers& numbers,
                                  LossLemmas& lemmas);

/// Where d is finite and the sum is odd and has this many bits or more, d is zero or a multiple of
/// two of its units, and so is 2^-places times its leading bit, or times 2^least if that is larger:
/// proved with the nodes `cut` as variables.
bool has_even_ends(const SumOfNumbers& sum, const Scaled& d, Bool finite, int bits, int least,
                   int places, const std::vector<NodeId>& cut, LossLemmas& lemmas);

}  // namespace mmaspec
