#pragma once
/// The values of a design's marks in one evaluation, as traces print and pictures draw them.

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
  std::optional<int> exponent;  ///< the value is integer * 2^exponent; nullopt: the integer itself
};

struct MarkedRun {
  std::vector<MarkValue> marks;  ///< in the order in which the specification creates them
  Integer d;                     ///< the pattern of the result
};

/// Evaluates the design on these operands. Throws what DotModel::run() throws.
MarkedRun marked_run(const Algorithm& algorithm, const DotFormats& formats,
                     const DotValues& values);

}  // namespace mmaspec
