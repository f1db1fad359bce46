#pragma once
/// The intermediate results of a dot-add that its specification marks.

#include <string>
#include <vector>

#include "concrete/dot/model.h"
#include "spec/catalog/instruction.h"

namespace mmaspec {

/// One line of a trace.
struct TraceLine {
  std::string stage;
  std::string label;
  Integer integer;
  std::string number;  ///< as a hex float; empty for plain integers
};

/// All marks of an evaluation.
std::vector<TraceLine> trace_lines(const Instruction& instruction, const DotValues& values);

/// True for a zero: such lines are numerous and uninformative.
bool is_dull(const TraceLine& line);

/// Lines with the same name in two traces; nullptr if a trace lacks it.
struct TracePair {
  const TraceLine* left;
  const TraceLine* right;
};
/// Aligns two traces by the names of lines: the left one's order, then lines that only the right
/// one has. Pairs of dull lines only are left out. Both traces must outlive the result.
std::vector<TracePair> side_by_side(const std::vector<TraceLine>& left,
                                    const std::vector<TraceLine>& right);

}  // namespace mmaspec
