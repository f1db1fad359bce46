#pragma once
/// The cost of a combinational module, by Yosys and its ABC. Brayton, Mishchenko: ABC: an academic
/// industrial-strength verification tool, CAV 2010.

#include <cstddef>
#include <optional>
#include <string>

#include "util/deadline.h"

namespace mmaspec::rtl {

struct Cost {
  /// For the and-inverter graph after ABC's strash, dc2 and balance.
  std::size_t nodes = 0;
  std::size_t depth = 0;  ///< number of nodes on its longest path
  /// For the mapping to a cell library.
  struct Cells {
    std::size_t count = 0;
    double area = 0;
    double delay = 0;
  };
  std::optional<Cells> cells;
};

/// `liberty`: the file of a cell library; empty: none. Throws std::invalid_argument with a one-line
/// message (Yosys was not found, or its message), and OutOfTime.
Cost cost_of(const std::string& verilog, const std::string& top, const std::string& liberty,
             const Deadline& deadline);

}  // namespace mmaspec::rtl
