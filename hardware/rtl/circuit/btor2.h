#pragma once
/// Reads BTOR2 in the form that Yosys writes: one circuit with registers. Niemetz, Preiner, Wolf,
/// Biere: Btor2, BtorMC and Boolector 3.0 (CAV 2018).

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "spec/lang/integer.h"

namespace mmaspec::rtl {

/// A node of the circuit; its number is its index in Circuit::nodes.
struct CircuitNode {
  std::string op;                 ///< its name in BTOR2; all constants are `const`
  unsigned width = 0;             ///< bits
  std::vector<std::size_t> args;  ///< indices of nodes, less than this one's
  Integer value = 0;              ///< for const
  unsigned low = 0;               ///< for slice: the lowest bit taken
  std::string symbol = {};        ///< its name in the RTL; empty: none
  std::string source = {};        ///< its position in the RTL, such as top.v:3.1-3.9; empty:
                                  ///< unknown
};

struct Circuit {
  struct Output {
    std::string name;
    std::size_t node;
    std::string source;  ///< as in CircuitNode
  };

  std::vector<CircuitNode> nodes;
  std::vector<Output> outputs;
  /// For each node: if it is a register, the node that gives its next value.
  std::vector<std::optional<std::size_t>> next;
  /// The node of each line of the text, by line number.
  std::map<unsigned, std::size_t> node_of_line;
  bool has_registers() const;
};

/// Wider words are rejected.
inline constexpr unsigned kMostWordBits = 1U << 16;

/// Undefined bits of a constant (x and z) become `state` nodes without a next value and without a
/// name. Throws std::invalid_argument for text that is not BTOR2 (operands and results must have
/// the widths that BTOR2 prescribes), has arrays, or has words of more than kMostWordBits bits.
Circuit read_btor2(const std::string& text);

}  // namespace mmaspec::rtl
