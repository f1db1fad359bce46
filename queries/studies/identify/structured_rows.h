#pragma once
/// Inputs made to show what random ones do not.

#include <vector>

#include "concrete/dot/model.h"
#include "util/split_mix.h"

namespace mmaspec {

/// What designs that fit keep, where that is known: fraction bits of results, and bits below the
/// largest exponent.
struct FittingBits {
  std::vector<int> kept;
  std::vector<int> cut;
};

/// Sums whose terms lie far apart, beyond the 53 bits of a double and beyond all that a design
/// keeps, some of which cancel; or a tie of d's format, or of fewer bits, that a term far below
/// breaks, or many do; or two products that are one together; or products of one size next to a
/// limit; or the largest ones that cancel; or exact sums of a few powers of two
/// (queries/studies/identify/exact_sums.h); scaled products below d's least number; or zeros beside
/// large operands.
DotValues structured_row(const DotFormats& formats, SplitMix& random,
                         const FittingBits& fitting = {});

/// Inputs for a confirmation: structured ones, and such of every kind.
std::vector<DotValues> confirming_rows(const DotFormats& formats, std::size_t count, unsigned seed);

}  // namespace mmaspec
