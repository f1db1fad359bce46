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

/// A number that is zero: it tells nothing, and there are many.
bool is_dull(const TraceLine& line);

/// Lines of one name of two traces; nullptr where one of them has none.
struct TracePair {
  const TraceLine* left;
  const TraceLine* right;
};
/// Two traces, line beside line: the left one's order, then what only the right one has. Pairs of
/// nothing but dull lines are left out. Both must outlive the pairs.
std::vector<TracePair> side_by_side(const std::vector<TraceLine>& left,
                                    const std::vector<TraceLine>& right);

}  // namespace mmaspec
