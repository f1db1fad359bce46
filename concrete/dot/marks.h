#pragma once
/// What one run makes of a design's marks: the numbers that traces show and pictures draw.

#include <optional>
#include <string>
#include <vector>

#include "concrete/dot/model.h"

namespace mmaspec {

struct MarkValue {
  std::string stage;
  std::string label;
  MarkRole role;
  Integer integer;
  std::optional<int> exponent;  ///< the value is integer * 2^exponent; none: the integer itself
};

struct MarkedRun {
  std::vector<MarkValue> marks;  ///< in the order in which the specification makes them
  Integer d;                     ///< the pattern of the result
};

/// Runs the design on these operands. Throws what DotModel::run() throws.
MarkedRun marked_run(const Algorithm& algorithm, const DotFormats& formats,
                     const DotValues& values);

}  // namespace mmaspec
