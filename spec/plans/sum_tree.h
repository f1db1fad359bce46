#pragma once
/// Products added in any tree of sums, as a kernel of vector instructions adds them.

#include "spec/plans/scheme.h"

namespace mmaspec {

/// Products are added in the tree that a text describes: `((0..62/2)+(1..63/2))` adds the even
/// products of 64 one after the other, the odd ones, and then both sums. Terms of a sum are added
/// from left to right. A sum that begins with a product starts from +0, so that a product in
/// parentheses, `(7)`, is rounded before it is added. c is added last.
struct SumTree {
  static constexpr std::string_view kName = "sum-tree";
  static constexpr std::string_view kReference =
      "P. Xie et al., FPRev: Revealing Floating-Point Accumulation Order in Software and "
      "Hardware Implementations, USENIX ATC 2025";

  std::string tree;  ///< each product once

  friend bool operator==(const SumTree&, const SumTree&) = default;
};

/// See spec/plans/operand_schemes.h. Throws std::invalid_argument if the text is not a tree of k
/// products, or if the inner instruction has several products.
DotFormats formats_around(const SumTree& scheme, const Inner& inner, int k);
void describe(SumTree& scheme, const DotFormats& formats, ParameterVisitor& visit);
Int build_plan(const SumTree& scheme, const Inner& inner, const DotFormats& formats,
               const DotOperands& operands);
int plan_step(const SumTree& scheme, const Inner& inner);

}  // namespace mmaspec
