#pragma once
/// Instructions of the machine that runs this: x86's, as far as its CPU has them.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mmaspec {

/// An instruction as a function of bit patterns: `a` and `b` hold as many as the catalogue's K.
struct CpuInstruction {
  std::string_view mnemonic;  ///< of the catalogue's x86/...
  std::string_view needs;     ///< the CPUID feature, as the vendors call it
  bool supported;             ///< by this CPU and its operating system
  std::uint64_t (*run)(const std::uint64_t* a, const std::uint64_t* b, std::uint64_t c);
};

/// All that this program could run; empty where it was not built for x86.
const std::vector<CpuInstruction>& cpu_instructions();

/// The CPU as its vendor names it, with family and model.
std::string cpu_name();

}  // namespace mmaspec
