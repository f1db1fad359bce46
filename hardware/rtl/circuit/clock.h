#pragma once
/// Finds the clock of a circuit: the port at whose edge all registers change.

#include <map>
#include <string>
#include <vector>

#include "hardware/rtl/circuit/btor2.h"

namespace mmaspec::rtl {

/// An edge at which some registers change.
struct ClockEdge {
  std::size_t node;  ///< index in Circuit::nodes; one bit wide
  bool falling;
};

/// The only port (or bit of a port, `clks[0]`) at whose rising edge all registers change, or `!`
/// and its name for the falling edge; empty: there are no registers. It follows wires, buffers,
/// inverters, and gates whose other input is constant; `set` says which input ports are constant.
/// Throws std::invalid_argument with a one-line message for several clocks or edges, and for a
/// clock that is computed by logic or by registers.
std::string clock_of(const Circuit& circuit, const std::string& top,
                     const std::vector<ClockEdge>& edges,
                     const std::map<std::string, Integer>& set);

}  // namespace mmaspec::rtl
