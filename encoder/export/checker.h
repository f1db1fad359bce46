#pragma once
/// A SystemVerilog checker that a hardware team binds to its unit.

#include <map>
#include <string>

#include "encoder/export/module.h"

namespace mmaspec {

/// Default values of the checker's parameters.
struct CheckerDefaults {
  int latency = 0;  ///< clock edges from operands to the result; -1: any number, in order
  bool has_valid_out = true;
  bool any_nan = false;
};

/// The connections of a checker to a unit: SystemVerilog expressions in the unit's scope.
struct CheckerBinding {
  std::string top;  ///< the unit's module
  std::string clock;
  std::string reset;      ///< 1: nothing is checked
  std::string valid_in;   ///< 1 with operands
  std::string valid_out;  ///< 1 with the result
  /// Operand or d -> expression; a missing one has its own name.
  std::map<std::string, std::string> map;
};

/// The module of the reference, and the module `NAME_checker` with assertions. `is_nan`: whether a
/// pattern `x` of the result is NaN; nullptr: no pattern is.
std::string to_checker(const Module& reference, const Module* is_nan,
                       const CheckerDefaults& defaults);

/// The bind directive for the checker of the module `reference`.
std::string to_bind(const std::string& reference, const std::vector<std::string>& operands,
                    const CheckerBinding& binding);

}  // namespace mmaspec
