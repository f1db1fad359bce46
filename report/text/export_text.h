#pragma once
/// The output of `mmaspec export`.

#include <string>
#include <vector>

#include "encoder/export/checker.h"
#include "queries/draw/test_rows.h"
#include "spec/catalog/instruction.h"

namespace mmaspec {

/// Options of single formats.
struct ExportOptions {
  CheckerDefaults checker;  ///< of sva
  TestRowsOptions rows;     ///< of rows and csv
};

/// The values of `--format`.
const std::vector<std::string>& export_formats();

/// The instruction's formula or graph. `module`: the name of the Verilog module or the C function;
/// empty: derived from the instruction's name. Throws std::invalid_argument for another format, and
/// if the format has no module or the name is invalid.
std::string export_text(const Instruction& i, const std::string& format,
                        const std::string& module = "", const ExportOptions& options = {});

/// The bind directive for the checker that the format sva writes. Throws std::invalid_argument if
/// the binding maps an operand that the formats do not have.
std::string export_bind(const Instruction& i, const std::string& module,
                        const CheckerBinding& binding);

}  // namespace mmaspec
