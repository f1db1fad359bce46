#pragma once
/// Writes rows as a self-checking testbench.

#include <string>
#include <vector>

#include "concrete/rows/row.h"
#include "hardware/rtl/design.h"
#include "hardware/rtl/yosys.h"

namespace mmaspec::rtl {

/// Verilog: the module `mmaspec_testbench` applies each row's operands to the ports, waits for the
/// latency, prints `d = ...`, and ends with $fatal unless every d is that of its row. `clock`: see
/// LoadedRtl. `vcd`: a file for the waveforms of all signals; empty: none.
std::string testbench(const RtlDesign& design, const Sources& sources, const std::string& clock,
                      const std::vector<VectorRow>& rows, const std::string& vcd);

}  // namespace mmaspec::rtl
