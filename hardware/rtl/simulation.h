#pragma once
/// Simulates RTL with a simulator that reads the files without Yosys.

#include <optional>
#include <string>
#include <vector>

#include "concrete/rows/row.h"
#include "hardware/rtl/design.h"
#include "hardware/rtl/yosys.h"
#include "util/deadline.h"

namespace mmaspec::rtl {

struct Simulated {
  std::string program;
  /// For each row: hex digits; x or z for undefined bits.
  std::vector<std::string> d;
};

/// Throws ForeignCode if a simulator would run system tasks of the files that may access files or
/// start programs, as far as this is visible without a testbench; simulate() checks again. Does
/// nothing if the files are trusted or never simulated.
void require_harmless(const Sources& sources, const Deadline& deadline);

/// Runs a testbench with Icarus Verilog, or with Verilator if Icarus is missing or cannot read the
/// files (Verilator first for the front end slang); nullopt if both are missing. `waves`: the
/// testbench writes waveforms. Throws std::runtime_error with the program's message,
/// CommandTimeout, and ForeignCode before anything is run.
std::optional<Simulated> simulate(const Sources& sources, const std::string& bench, bool waves,
                                  const Deadline& deadline);

/// The result of comparing the elaborated design with the simulated files.
struct CrossCheck {
  std::string program;
  std::size_t rows = 0;            ///< number of rows on which both have the same d
  std::size_t unknown = 0;         ///< number of rows on which the simulated d has bits x or z
  std::optional<std::string> why;  ///< why it was not done, in a clause
  std::optional<std::string> witness_d;
  bool witness_fails = false;
};

/// Simulates 256 structured inputs, and the witness if there is one, in one run. Every verdict
/// depends on Yosys reading the files correctly; this tests it. Throws Contradiction if the results
/// differ.
CrossCheck cross_check(const std::shared_ptr<const RtlDesign>& design, const Sources& sources,
                       const std::string& clock, const std::optional<VectorRow>& witness,
                       const Deadline& deadline);

}  // namespace mmaspec::rtl
