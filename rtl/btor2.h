#pragma once
/// BTOR2 as Yosys writes it: one circuit with registers.
/// Niemetz, Preiner, Wolf, Biere: Btor2, BtorMC and Boolector 3.0 (CAV 2018).

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
  std::string symbol = {};        ///< input, state: its name; another: a name that someone gave it
};

struct Circuit {
  struct Output {
    std::string name;
    std::size_t node;
  };

  std::vector<CircuitNode> nodes;
  std::vector<Output> outputs;
  /// For each node: of a register the node that it takes at the clock's edge.
  std::vector<std::optional<std::size_t>> next;
  bool has_registers() const;
};

/// Throws std::invalid_argument for what is not BTOR2, or none that can be read: arrays, division.
Circuit read_btor2(const std::string& text);

}  // namespace mmaspec::rtl
