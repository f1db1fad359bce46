#pragma once
/// The catalogue: the algorithm and parameters of each instruction, and the evidence for them.

#include <string>
#include <string_view>
#include <vector>

#include "spec/algorithms/algorithm.h"
#include "spec/catalog/names/names.h"
#include "spec/parts/spelling.h"

namespace mmaspec {

/// Evidence for a parameter's value.
enum class Evidence {
  hardware,    ///< recorded results of the unit, or its machine code, agree with it
  documented,  ///< the vendor's manual states it bit for bit
  emulator,    ///< an independent emulator of the unit computes this; the source names its version
  model,       ///< from a published model
  open,        ///< none of these; the note gives the reason for this value
};
std::string_view to_string(Evidence evidence);

struct Provenance {
  std::string parameter;  ///< key of Algorithm::parameters; "algorithm" for the algorithm itself
  Evidence evidence;
  std::string source;
};

/// One instruction, in one variant.
struct Instruction {
  std::string architecture;
  std::string mnemonic;  ///< the vendor's own spelling
  std::string variant;   ///< empty: our best knowledge of the hardware
  DotFormats formats;
  Algorithm algorithm;
  std::vector<Provenance> provenance;
  /// NVIDIA's NaN results have one pattern; those of AMD, of CPUs and of f64 may have any.
  bool canonical_nan = true;
  /// The user's name for it, if that differs from name(): h100/... for hopper/...
  std::string asked = {};

  /// architecture/mnemonic[@variant], or design:..., or plan:... Rows and JSON use this name.
  std::string name() const;
  /// The name in texts of answers: the user's name.
  std::string label() const { return asked.empty() ? name() : asked; }
};

/// All known instructions in their default variants, in the order of architectures.
const std::vector<Instruction>& catalogue();

/// Names of the variants other than the default that exist for some instruction.
const std::vector<std::string>& variants();
/// The instruction in every other variant except the default; none for an open design.
std::vector<Instruction> in_other_variants(const Instruction& instruction);

/// Finds an instruction by `<arch>/<mnemonic>[@variant]`, where architectures may be given by
/// product, and wgmma and tcgen05 accept any allowed n; or by `design:<algorithm>(key=value,...)`,
/// see open_design.h; or by `plan:<scheme>(...)`, see plan.h. Throws std::invalid_argument with a
/// one-line message about the unknown part, with the nearest known name.
Instruction find_instruction(std::string_view given);

/// Formats and K of a mnemonic according to its spelling on the architecture. Throws
/// std::invalid_argument.
DotFormats formats_of(std::string_view architecture, std::string_view mnemonic);

}  // namespace mmaspec
