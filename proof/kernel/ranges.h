#pragma once
/// Ranges of a goal's nodes, by interval arithmetic from its inputs' widths.

#include <stdexcept>
#include <vector>

#include "proof/kernel/goal.h"

namespace mmaspec::kernel {

/// A goal that the kernel does not take, because it is not evident that each node has a value.
class OutOfDomain : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// The ranges of a graph's nodes from the first that `ranges` lacks on, appended. Each holds for
/// all inputs for which all claims hold. Beyond interval arithmetic, a sum with a maximum (minimum)
/// in it is bounded by the same sum with a member in its place. Throws OutOfDomain where an
/// operation may be undefined: a negative shift amount; bits, or the length, of a negative number;
/// a claim that contradicts the range of its operand; also where words become too long.
void extend_ranges(const TermGraph& graph, std::vector<Range>& ranges);

/// Bits of the least word that holds a range: unsigned if no number is negative, else in two's
/// complement. At least 1.
unsigned width_of(const Range& range);

}  // namespace mmaspec::kernel
