#pragma once
/// Cover points of a dot-add: the situations that a test of a unit should reach.

#include <string>
#include <vector>

#include "spec/parts/dot_add.h"

namespace mmaspec {

struct CoverPoint {
  std::string name;
  std::string meaning;
  std::vector<std::string> bins;
  Int bin;  ///< index of the bin of the operands
};

/// The most bins of a cover point.
constexpr unsigned kMostBins = 8;

/// Operand classes, signs, alignment distance, cancellation, rounding of the exact sum to d's
/// format, and the class of d. Bins that the formats cannot reach are left out. `d`: the design's
/// result. Throws std::invalid_argument for integer formats.
std::vector<CoverPoint> cover_points(const DotFormats& formats, const DotOperands& operands, Int d);

}  // namespace mmaspec
