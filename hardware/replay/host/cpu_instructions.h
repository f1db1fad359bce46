#pragma once
/// x86 instructions of this machine, as far as its CPU supports them.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mmaspec {

/// An instruction as a function of bit patterns. `a` and `b` have the catalogue's K elements.
struct CpuInstruction {
  std::string_view mnemonic;  ///< of the catalogue's x86/...
  std::string_view needs;     ///< the CPUID feature, in the vendors' spelling
  bool supported;             ///< by this CPU and its operating system
  std::uint64_t (*run)(const std::uint64_t* a, const std::uint64_t* b, std::uint64_t c);
};

/// All instructions that this program supports; empty in builds for other processors than x86.
const std::vector<CpuInstruction>& cpu_instructions();

/// The vendor's name of the CPU, with family and model.
std::string cpu_name();

}  // namespace mmaspec
