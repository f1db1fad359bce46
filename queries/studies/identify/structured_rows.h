#pragma once
/// Inputs constructed to show differences that random inputs do not.

#include <vector>

#include "concrete/dot/model.h"
#include "util/split_mix.h"

namespace mmaspec {

/// Numbers of bits that fitting designs keep, as far as known: fraction bits of results, and bits
/// below the largest exponent.
struct FittingBits {
  std::vector<int> kept;
  std::vector<int> cut;
};

/// One input of one of these kinds:
/// - a sum whose terms are far apart, beyond the 53 bits of a double and beyond what a design
///   keeps, some of which cancel;
/// - a tie of d's format, or of fewer bits, that one small term or many small terms break;
/// - two products whose sum is one;
/// - products of equal size near a limit;
/// - the largest products, which cancel;
/// - an exact sum of a few powers of two (queries/studies/identify/exact_sums.h);
/// - scaled products below d's least number;
/// - zeros next to large operands.
/// Of other kinds for integers and for accumulators in fixed point: near the limits of c and d.
DotValues structured_row(const DotFormats& formats, SplitMix& random,
                         const FittingBits& fitting = {});

/// One input of a kind that distinguishes few designs:
/// - zero products of one sign after a result that may be flushed;
/// - patterns of infinities and NaNs that cancel if they are numbers, next to the least numbers;
/// - scaled products whose sum is next to d's least normal number.
DotValues rare_row(const DotFormats& formats, SplitMix& random);

/// Inputs for a confirmation: structured ones, and ones of every kind of Sampler.
std::vector<DotValues> confirming_rows(const DotFormats& formats, std::size_t count, unsigned seed);

}  // namespace mmaspec
