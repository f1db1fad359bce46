#pragma once
/// The output of `mmaspec export`.

#include <string>
#include <vector>

#include "spec/catalog/instruction.h"

namespace mmaspec {

/// The values of `--format`.
const std::vector<std::string>& export_formats();

/// The instruction's formula or graph. `module`: the name of the Verilog module or the C function;
/// empty: derived from the instruction's name. Throws std::invalid_argument for another format, and
/// if the format has no module or the name is invalid.
std::string export_text(const Instruction& i, const std::string& format,
                        const std::string& module = "");

}  // namespace mmaspec
