#pragma once
/// A witness as a testbench that checks itself, and what a simulator makes of it.

#include <optional>
#include <string>

#include "rtl/design.h"
#include "rtl/yosys.h"
#include "util/deadline.h"
#include "vectors/row.h"

namespace mmaspec::rtl {

/// Verilog: the module `mmaspec_testbench` puts the row's operands at the ports, waits as long as
/// the latency is, prints `d = ...`, and ends by $fatal unless it is the row's d. `clock`: as
/// LoadedRtl has it. `vcd`: a file to write all signals to; empty: none.
std::string testbench(const RtlDesign& design, const Sources& sources, const std::string& clock,
                      const VectorRow& row, const std::string& vcd);

struct Simulated {
  bool failed = false;  ///< the testbench found another d than the row's
  std::string d;        ///< hex digits as the simulator prints them; x or z where it does not know
};

/// Runs the testbench by Icarus Verilog; nullopt where there is none. Throws std::runtime_error
/// with what the simulator says.
std::optional<Simulated> simulate(const Sources& sources, const std::string& bench,
                                  const Deadline& deadline);

}  // namespace mmaspec::rtl
