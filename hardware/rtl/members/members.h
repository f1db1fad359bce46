#pragma once
/// Members of packed structs as operands: `--map a='{in.first.a,in.second.a}'`.

#include <map>
#include <string>

#include "hardware/rtl/circuit/btor2.h"
#include "hardware/rtl/yosys.h"
#include "util/deadline.h"

namespace mmaspec::rtl {

/// The expressions of a connection's map, with bits of ports in place of members: `in.vec[1:0].a`
/// becomes `{in[63:48],in[31:16]}`. The front end computes which bits these are, in a module that
/// has the port as its input. Names of signals of the circuit are not changed. Throws
/// std::invalid_argument with a one-line message.
std::map<std::string, std::string> with_members(std::map<std::string, std::string> map,
                                                const Circuit& circuit, const Sources& sources,
                                                const Deadline& deadline);

/// Throws std::invalid_argument if the top module has a SystemVerilog interface as a port: Yosys
/// drops such ports.
void require_no_interfaces(const Circuit& circuit, const Sources& sources);

}  // namespace mmaspec::rtl
