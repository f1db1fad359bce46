#pragma once
/// Writes rows as a self-checking testbench.

#include <string>
#include <vector>

#include "concrete/rows/row.h"
#include "hardware/rtl/design.h"
#include "hardware/rtl/yosys.h"

namespace mmaspec::rtl {

/// Verilog: the module `mmaspec_testbench` puts each row's operands at the ports, waits as long as
/// the latency is, prints `d = ...`, and ends by $fatal unless every d is its row's. `clock`: as
/// LoadedRtl has it. `vcd`: a file to write all signals to; empty: none.
std::string testbench(const RtlDesign& design, const Sources& sources, const std::string& clock,
                      const std::vector<VectorRow>& rows, const std::string& vcd);

}  // namespace mmaspec::rtl
