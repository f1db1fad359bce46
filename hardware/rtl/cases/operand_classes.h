#pragma once
/// Classes of the patterns of an operand, in which its exponent is a constant or a variable of few
/// bits.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hardware/rtl/cases/specialize.h"
#include "solver/solver.h"
#include "spec/formats/format.h"
#include "util/deadline.h"

namespace mmaspec::rtl {

/// An operand: the variable that is its pattern.
struct SplitOperand {
  std::string variable;
  const Format* format;
};

struct OperandClass {
  enum class Kind {
    any,
    zero,
    top_field,  ///< the exponent field is all ones
    number,     ///< the others, all or some of them
  };
  Kind kind = Kind::any;
  std::string text;
  TermId premise = 0;              ///< that the operand belongs to the class
  Replaced constants;              ///< terms that are constants in the class
  Replaced replaced;               ///< once these are replaced: what other terms are in the class
  std::optional<TermId> exponent;  ///< a variable; nullopt: the exponent is a constant
  std::uint64_t most = 0;          ///< the largest value of the variable; the least is 1
  long offset = 0;                 ///< from the variable, or from 0, to the exponent
};

/// Whether operands of this format can be divided into such classes.
bool can_split(const Format& format);

/// The classes of an operand on which `condition` depends. The first one has all values; it is the
/// only one if `condition` does not depend on the operand.
///
/// If all that `condition` computes from a number alone is computed from its normalized significand
/// and exponent, all numbers are one class. Otherwise normal numbers are one, and subnormals one
/// for each leading bit.
std::vector<OperandClass> classes_of(BvTerms& terms, Specializer& specialize, TermId condition,
                                     const SplitOperand& operand, const Portfolio& solvers,
                                     const Deadline& deadline);

}  // namespace mmaspec::rtl
