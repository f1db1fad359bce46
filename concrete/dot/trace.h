#pragma once
/// The intermediate results of a dot-add, as its specification marks them.

#include <string>
#include <vector>

#include "concrete/dot/model.h"
#include "spec/catalog/instruction.h"

namespace mmaspec {

/// A line that a trace shows.
struct TraceLine {
  std::string stage;
  std::string label;
  Integer integer;
  std::string number;  ///< as a hex float; empty for plain integers
};

/// Every stage mark of a run.
std::vector<TraceLine> trace_lines(const Instruction& instruction, const DotValues& values);

}  // namespace mmaspec
