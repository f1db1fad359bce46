#pragma once
/// The catalogue: which instruction runs which algorithm with which parameters, and how we know.

#include <string>
#include <string_view>
#include <vector>

#include "spec/algorithms/algorithm.h"
#include "spec/catalog/names/names.h"
#include "spec/parts/spelling.h"

namespace mmaspec {

/// How a parameter's value is known.
enum class Evidence {
  hardware,    ///< recorded results of the unit, or its machine code, reproduce it
  documented,  ///< the vendor's manual states it bit for bit
  emulator,    ///< an emulator that others use for the unit computes so: which one, which version
  model,       ///< a published model says so
  open,        ///< none of these; the note says why this value was taken
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
  std::string variant;   ///< empty: what we hold to be the hardware's behaviour
  DotFormats formats;
  Algorithm algorithm;
  std::vector<Provenance> provenance;
  /// NVIDIA's NaN results have one pattern; AMD's, CPUs' and f64's any.
  bool canonical_nan = true;
  /// How the user named it, where that differs from name(): h100/... for hopper/...
  std::string asked = {};

  /// architecture/mnemonic[@variant], or design:..., or plan:... Rows and JSON have this name.
  std::string name() const;
  /// What an answer calls it in words: the name that the user asked with.
  std::string label() const { return asked.empty() ? name() : asked; }
};

/// Everything known: default variants, in the order of architectures.
const std::vector<Instruction>& catalogue();

/// Names of the variants other than the default that exist for some instruction.
const std::vector<std::string>& variants();
/// The instruction in each of its variants but its own and the default; none of an open design.
std::vector<Instruction> in_other_variants(const Instruction& instruction);

/// What `name` means: `<arch>/<mnemonic>[@variant]`, architectures also by product, any allowed n
/// for wgmma and tcgen05; or `design:<algorithm>(key=value,...)`, see open_design.h; or
/// `plan:<scheme>(...)`, see plan.h. Throws std::invalid_argument with one line that says what is
/// unknown and names the nearest that exists.
Instruction find_instruction(std::string_view given);

/// Formats and K of a mnemonic, by its spelling on the architecture. Throws std::invalid_argument.
DotFormats formats_of(std::string_view architecture, std::string_view mnemonic);

}  // namespace mmaspec
