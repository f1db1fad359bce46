#pragma once
/// VHDL, which GHDL converts to Verilog.
/// Gingold: GHDL, https://github.com/ghdl/ghdl.

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "util/deadline.h"

namespace mmaspec::rtl {

/// Thrown for VHDL that can do more than compute while it is elaborated.
class ForeignVhdl : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// Whether a file has VHDL, by its name: *.vhd, *.vhdl.
bool is_vhdl(const std::string& file);

/// Throws ForeignVhdl for a design file, given as text, that may open files or call foreign
/// subprograms while GHDL elaborates it: a file with the words `file`, `file_open` or `foreign`
/// outside comments, strings and extended identifiers. Without these words, VHDL can declare
/// neither a file nor a subprogram that is written in another language. `name` is the file's name
/// in messages.
void require_harmless_vhdl(const std::string& text, const std::string& name);

/// The input of the conversion.
struct VhdlDesign {
  std::vector<std::string> files;
  std::string top;
  std::vector<std::pair<std::string, std::string>> generics;  ///< of the top entity
  bool is_trusted = false;  ///< false: every file must be harmless
};

struct ConvertedVhdl {
  std::string verilog;
  std::string top;  ///< the top module: the entity's name as its file spells it
};

/// Converts the design to Verilog by GHDL's synthesis. `folder`: an empty folder for GHDL's files.
/// Throws std::invalid_argument with a one-line message if GHDL was not found or reports an error,
/// ForeignVhdl, and OutOfTime.
ConvertedVhdl verilog_of(const VhdlDesign& design, const std::string& folder,
                         const Deadline& deadline);

}  // namespace mmaspec::rtl
