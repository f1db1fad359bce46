#pragma once
/// What a matrix of pairs asks: which designs, and which pairs of them under which inputs.

#include <cstddef>
#include <string>
#include <vector>

#include "spec/catalog/instruction.h"

namespace mmaspec {

/// A design, and the instructions that are it.
struct MatrixDesign {
  Instruction instruction;  ///< the first of them
  std::vector<std::string> names;
  std::string signature;
};

/// Equal designs are one: those of the same type and parameters, formats and K.
std::vector<MatrixDesign> merged_designs(const std::vector<Instruction>& instructions);
/// The catalogue, each instruction followed by its other variants.
std::vector<Instruction> catalogue_with_variants();

/// Two designs, by number.
struct DesignPair {
  std::size_t first;
  std::size_t second;
  friend auto operator<=>(const DesignPair&, const DesignPair&) = default;
};

/// Pairs that are asked about on the same inputs, which is what makes equality among them
/// transitive: the premise is this type. Inputs are finite patterns of `inputs` whose values
/// `others` holds too, operand by operand; all designs are brought to K = inputs.k as pair_up()
/// brings two; results compare as values. Nothing that is known of the designs under one frame is
/// said of them under another: not of a longer K, whose steps take c's that are no numbers, and not
/// of other formats, which hold other values.
struct Frame {
  DotFormats inputs;  ///< of operands a, b, c, scale; d means nothing
  DotFormats others;  ///< the same as `inputs` for pairs of designs of one set of formats
  bool has_one_set() const;
};

struct Unit {
  Frame frame;
  std::vector<std::size_t> firsts;   ///< designs whose formats are `inputs`; ascending
  std::vector<std::size_t> seconds;  ///< designs whose formats are `others`; empty for one set
  std::vector<DesignPair> pairs;
  double cost = 0;  ///< about how long it takes, in no unit
};

/// All pairs that pair_up() brings together, each in one unit.
std::vector<Unit> units_of(const std::vector<MatrixDesign>& designs);

}  // namespace mmaspec
