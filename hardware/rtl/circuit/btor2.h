#pragma once
/// BTOR2 as Yosys writes it: one circuit with registers.
/// Niemetz, Preiner, Wolf, Biere: Btor2, BtorMC and Boolector 3.0 (CAV 2018).

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "spec/lang/integer.h"

namespace mmaspec::rtl {

/// A node of the circuit; its number is its place in Circuit::nodes.
struct CircuitNode {
  std::string op;                 ///< as BTOR2 names it; constants are all `const`
  unsigned width = 0;             ///< bits
  std::vector<std::size_t> args;  ///< numbers of nodes, less than this one's
  Integer value = 0;              ///< const
  unsigned low = 0;               ///< slice: the lowest bit taken
  std::string symbol = {};        ///< its name in the RTL; empty: it has none
  std::string source = {};        ///< where the RTL has it, such as top.v:3.1-3.9; empty: unknown
};

struct Circuit {
  struct Output {
    std::string name;
    std::size_t node;
    std::string source;  ///< as CircuitNode's
  };

  std::vector<CircuitNode> nodes;
  std::vector<Output> outputs;
  /// For each node: of a register the node that it takes at the clock's edge.
  std::vector<std::optional<std::size_t>> next;
  /// The node of each line of the text, by the line's number.
  std::map<unsigned, std::size_t> node_of_line;
  bool has_registers() const;
};

/// Words of more bits are refused.
inline constexpr unsigned kMostWordBits = 1U << 16;

/// Undefined bits of a constant (x and z) become nodes `state` without a next value and without a
/// name. Throws std::invalid_argument for text that is not BTOR2 (operands and results must have
/// the widths that BTOR2 prescribes), has arrays, or words of more than kMostWordBits bits.
Circuit read_btor2(const std::string& text);

}  // namespace mmaspec::rtl
