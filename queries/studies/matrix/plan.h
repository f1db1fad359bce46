#pragma once
/// The contents of a matrix of pairs: which designs, which pairs of them, and for which inputs.

#include <cstddef>
#include <string>
#include <vector>

#include "spec/catalog/instruction.h"

namespace mmaspec {

/// A design, and the names of the instructions that it represents.
struct MatrixDesign {
  Instruction instruction;  ///< the first of them
  std::vector<std::string> names;
  std::string signature;
};

/// Merges instructions of the same type and parameters, formats and K into one design.
std::vector<MatrixDesign> merged_designs(const std::vector<Instruction>& instructions);
/// The catalogue; each instruction is followed by its other variants.
std::vector<Instruction> catalogue_with_variants();

/// Two designs, by index.
struct DesignPair {
  std::size_t first;
  std::size_t second;
  friend auto operator<=>(const DesignPair&, const DesignPair&) = default;
};

/// A set of inputs common to several pairs. Equality is transitive only among pairs of one frame,
/// and this type expresses that premise. Inputs are finite patterns of `inputs` whose values
/// `others` holds too, operand by operand. All designs are brought to K = inputs.k as pair_up()
/// does. Results are compared as values. Results for one frame do not apply to another: not to a
/// longer K, whose steps may have a c that is not a number, and not to other formats, which hold
/// other values.
struct Frame {
  DotFormats inputs;  ///< formats of the operands a, b, c, scale; d is not used
  DotFormats others;  ///< equal to `inputs` for pairs of designs with the same formats
  bool has_one_set() const;
};

struct Unit {
  Frame frame;
  std::vector<std::size_t> firsts;   ///< designs whose formats are `inputs`, ascending
  std::vector<std::size_t> seconds;  ///< designs whose formats are `others`; empty if the formats
                                     ///< are the same
  std::vector<DesignPair> pairs;
  double cost = 0;  ///< relative estimate of the time that it takes
};

/// All pairs that pair_up() accepts, each in one unit.
std::vector<Unit> units_of(const std::vector<MatrixDesign>& designs);

}  // namespace mmaspec
