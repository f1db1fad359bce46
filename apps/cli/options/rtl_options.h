#pragma once
/// Options that describe RTL.

#include <memory>
#include <string>
#include <vector>

#include "apps/cli/command.h"
#include "hardware/rtl/design.h"
#include "hardware/rtl/scratch.h"
#include "hardware/rtl/yosys.h"
#include "util/deadline.h"

namespace mmaspec::cli {

class Command;

struct RtlOptions {
  rtl::Sources sources;
  std::vector<std::string> file_lists;  ///< these add to the sources
  std::vector<std::string> parameters;
  std::vector<std::string> map;
  std::vector<std::string> set;
  std::string clock;
  int latency = -1;  ///< -1: not given
  int cycles = 1;
  std::string valid_in;
  std::string valid_out;
  std::string reset;  ///< PORT=VALUE
  bool hold = false;
  bool is_trusted = false;
  bool is_never_simulated = false;

  /// All options except the files.
  void add_to(Command& command);
};

/// A second design to compare the first with. Omitted options have the first design's values.
struct AgainstRtlOptions {
  std::vector<std::string> files;  ///< empty: without a second design
  std::string top;
  std::vector<std::string> parameters;
  std::vector<std::string> map;
  std::vector<std::string> set;
  std::string clock;
  int latency = -1;  ///< -1: not given

  void add_to(Command& command);
  /// The second design's options. Throws std::invalid_argument if there is no file or top module.
  RtlOptions beside(const RtlOptions& first) const;
  /// True if any of the options is given.
  bool is_given() const;
};

/// The elaborated design.
struct LoadedRtl {
  rtl::Sources sources;  ///< with the parameters
  std::shared_ptr<const rtl::RtlDesign> design;
  std::string clock;  ///< registers change at its rising edge, or with `!` at its falling edge;
                      ///< empty: no clock
  /// The folder of the Verilog that GHDL made, which the sources name; nullptr: they have no VHDL.
  std::shared_ptr<const rtl::Scratch> converted;
};

/// Throws std::invalid_argument with a one-line message.
LoadedRtl load_rtl(const RtlOptions& options, const DotFormats& formats, const Deadline& deadline,
                   const StrategyOptions& how);

}  // namespace mmaspec::cli
