#pragma once
/// Ranges of a goal's nodes, by interval arithmetic from its inputs' widths.

#include <stdexcept>
#include <vector>

#include "proof/kernel/goal.h"

namespace mmaspec::kernel {

/// Thrown for a goal that the kernel does not accept because some operation may be undefined.
class OutOfDomain : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// Appends the ranges of a graph's nodes from the first node without a range on. Each range holds
/// for all inputs for which all claims hold. Beyond interval arithmetic, a sum that contains a
/// maximum (minimum) is bounded by the same sum with a member in its place. Throws OutOfDomain if
/// an operation may be undefined: a negative shift amount; bits, or the length, of a negative
/// number; a claim that contradicts the range of its operand. Also throws it if words become too
/// long.
void extend_ranges(const TermGraph& graph, std::vector<Range>& ranges);

/// The width of the smallest word that holds a range: unsigned if no number is negative, otherwise
/// two's complement. At least 1.
unsigned width_of(const Range& range);

}  // namespace mmaspec::kernel
