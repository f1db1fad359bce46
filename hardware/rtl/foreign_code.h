#pragma once
/// Detects system tasks in RTL that do more in a simulator than compute and print.

#include <stdexcept>
#include <string>
#include <vector>

namespace mmaspec::rtl {

/// Thrown for RTL that does more in a simulator than compute and print.
class ForeignCode : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// Throws ForeignCode if a simulation that Icarus Verilog compiled, given as vvp assembly, calls a
/// system task that may access files or start programs. Calls in the file `testbench` are not
/// checked.
void require_harmless_assembly(const std::string& assembly, const std::string& testbench);

/// The same for Verilog that Verilator preprocessed. Also throws for imports of C functions, C++ in
/// directives, and what require_included_from() refuses.
void require_harmless_source(const std::string& preprocessed,
                             const std::vector<std::string>& folders);

/// Throws ForeignCode if a file has an absolute path and is not in any of the folders.
void require_included_from(const std::vector<std::string>& folders,
                           const std::vector<std::string>& files);

}  // namespace mmaspec::rtl
