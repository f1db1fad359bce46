#pragma once
/// Integer dot-add: the integer instructions of tensor cores, matrix cores and CPUs.

#include "spec/parts/dot_add.h"

namespace mmaspec {

/// The treatment of a sum that d's format does not hold.
enum class IntegerOverflow {
  wrap,      ///< its lowest bits
  saturate,  ///< the nearest number
};
/// wrap, saturate.
std::string to_string(IntegerOverflow overflow);

/// d = c + sum a[k] * b[k] of integers, exact as long as d's format holds the sum. `group` products
/// at a time are added to c, exactly, and the sum brought into d's format, which is the next c.
/// Where sums wrap the groups make no difference. NVIDIA PTX ISA, mma, integer operations; Intel
/// SDM volume 2, VPDPBUSD, VPDPBUSDS, VPDPWSSD and VPDPWSSDS.
struct IntegerDotAdd {
  static constexpr std::string_view kName = "integer-dot-add";
  static constexpr std::string_view kReference =
      "NVIDIA PTX ISA, mma, integer operations; Intel SDM volume 2, VPDPBUSD to VPDPWSSDS";
  static constexpr bool kTakesScaleFactors = false;

  IntegerOverflow overflow = IntegerOverflow::wrap;
  int group = 1;  ///< divides K; of no effect where sums wrap

  /// Equal ones make the same result.
  friend bool operator==(const IntegerDotAdd& x, const IntegerDotAdd& y) {
    const auto& [overflow, group] = x;
    return overflow == y.overflow && (overflow == IntegerOverflow::wrap || group == y.group);
  }
};

/// All of its parameters shape the graph.
using SymbolicIntegerDotAdd = IntegerDotAdd;
inline SymbolicIntegerDotAdd symbolic(const IntegerDotAdd& design) { return design; }

/// Its parameters, as `design:` takes them.
void describe(IntegerDotAdd& design, const DotFormats& formats, ParameterVisitor& visit);
/// The pattern of d in the current graph.
Int build(const IntegerDotAdd& design, const DotFormats& formats, const DotOperands& operands);

}  // namespace mmaspec
